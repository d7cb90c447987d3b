// The id of this window, to tell its own transaction from another window's.
import { useEffect, useState } from 'react';
import { shell } from './shell.ts';

export function useOwnWindowId(): string | null {
  const [windowId, setWindowId] = useState<string | null>(null);
  useEffect(() => void shell.windowInfo().then((info) => setWindowId(info.windowId)), []);
  return windowId;
}

// Web preferences of every page, including the hidden one: sandboxed, and without Chromium services that use the network.
import { join } from 'node:path';
import type { Session, WebPreferences } from 'electron';

export function pagePreferences(preload: 'preload' | 'host-preload', session: Session): WebPreferences {
  return {
    session,
    preload: join(__dirname, `${preload}.cjs`),
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    // The spell checker would download dictionaries and underline SQL.
    spellcheck: false,
    // How Chromium reports a drop to main: ../security/reported-drops.ts. No page goes anywhere.
    navigateOnDragDrop: preload === 'preload',
  };
}

// Says that the installed app runs without its sandbox, and how it would run with one.
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import type { WindowInfo } from '#shared/shell-api.ts';
import { shell } from '../connection/shell.ts';
import { IconButton } from '../ui/button.tsx';
import './sandbox-warning.css';

const ADVICE: Readonly<Record<NonNullable<WindowInfo['noSandbox']>, string>> = {
  root: 'It is running as root. Start it as a regular user.',
  'app-image':
    'The system does not let the AppImage create user namespaces. Allow them for the AppImage, or install Sidelite as a package.',
  switch: 'It was started with --no-sandbox. Start it without that option.',
};

/** Stays until the user hides it, and is shown again at the next start. */
export function SandboxWarning(): ReactNode {
  const [why, setWhy] = useState<WindowInfo['noSandbox']>(null);
  useEffect(() => {
    // If main does not answer, the rest of the window already reports that.
    const nothing = (): void => undefined;
    void shell.windowInfo().then(({ noSandbox }) => setWhy(noSandbox), nothing);
  }, []);
  if (why === null) return null;
  return (
    <div className="sandbox-warning" role="alert">
      <p className="selectable">
        <b>Sidelite is running without its sandbox.</b> A malicious database file could access everything you can.{' '}
        {ADVICE[why]}
      </p>
      <IconButton label="Hide" onClick={() => setWhy(null)}>
        <X size={14} />
      </IconButton>
    </div>
  );
}

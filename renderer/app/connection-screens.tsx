// Shown while, or because, the window has no database engine.
import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import { isDesktop, shell } from '../connection/shell.ts';
import { notifyFailure } from '../state/databases.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/button.tsx';

const SLOW_START_MS = 3000;
/** The start is not given up: the screen only says what may help. */
const VERY_SLOW_START_MS = 30_000;
const NOTICEABLE_MS = 400;

/** The worker does not serve this window at all. */
export function Refused(): ReactNode {
  const error = useStore((state) => state.connection.error);
  const isElsewhere = error?.code === 'library-elsewhere';
  return (
    <div className="center-message" role="alert">
      <h1>{isElsewhere ? 'The library is open elsewhere' : 'Sidelite cannot start its database engine'}</h1>
      <p>{error?.message}</p>
      <div className="center-actions">
        <Button variant="primary" onClick={tryAgain}>
          Try again
        </Button>
      </div>
    </div>
  );
}

/** Empty at first: a start that takes a blink shows no spinner. */
export function Connecting(): ReactNode {
  const isSlow = useAfter(SLOW_START_MS);
  const isVerySlow = useAfter(VERY_SLOW_START_MS);
  return (
    <div className="center-message">
      {isSlow && <p>Starting the database engine…</p>}
      {isVerySlow && (
        <p role="status">
          This is taking longer than usual. A previous engine may still have your library’s files open. Sidelite keeps
          trying; if nothing happens, restart it. Your databases are unchanged.
        </p>
      )}
    </div>
  );
}

/** Empty at first, too: what was open before mostly takes a blink. */
export function Restoring(): ReactNode {
  const isSlow = useAfter(SLOW_START_MS);
  return <div className="center-message">{isSlow && <p>Opening what was open before…</p>}</div>;
}

/** Lies over the window, and only when a restart takes long enough to be noticed: nothing jumps. */
export function DisconnectedBanner(): ReactNode {
  return useStore((state) => state.connection.status === 'disconnected') && <LostConnection />;
}

function LostConnection(): ReactNode {
  const isNoticeable = useAfter(NOTICEABLE_MS);
  return (
    isNoticeable && (
      <div className="row warn-note gap-12 banner" role="alert">
        The database engine is restarting. Committed changes are safe; unfinished work is rolled back.
        <Button size="small" onClick={tryAgain}>
          Reconnect
        </Button>
      </div>
    )
  );
}

function tryAgain(): void {
  if (isDesktop) void shell.connect().catch(notifyFailure);
  else location.reload();
}

function useAfter(ms: number): boolean {
  const [passed, setPassed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setPassed(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return passed;
}

// Says why nothing starts in a page that the browser has not isolated, and what would help.
import type { ReactNode } from 'react';
import { isDesktop } from '../connection/shell.ts';
import './app.css';

/**
 * The engine shares memory with the page that can stop it. Browsers allow that only in isolated pages: served with both headers below, over
 * a connection that cannot be tampered with.
 */
export function NotIsolated(): ReactNode {
  return (
    <main className="full-height">
      <div className="center-message" role="alert">
        <h1>Sidelite cannot start on this page</h1>
        <p>{why()}</p>
        <p>Your library is not affected.</p>
      </div>
    </main>
  );
}

function why(): string {
  if (isDesktop)
    return 'Its window is not cross-origin isolated, which the database engine requires. Reinstall Sidelite.';
  if (!isSecureContext)
    return 'This address is not secure, so the browser does not let the database engine run. Open Sidelite over https, or at http://localhost on the computer that serves it.';
  return 'The page is not cross-origin isolated, which the database engine requires. The server must send the headers “Cross-Origin-Opener-Policy: same-origin” and “Cross-Origin-Embedder-Policy: require-corp” with every file, and the browser must support them.';
}

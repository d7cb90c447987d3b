// What the preload gives every window, for `page.evaluate`.
import type { ShellApi } from '../../shared/shell-api.ts';

declare global {
  interface Window {
    readonly sidelite: ShellApi;
    /** File names and command ids a spec has listened for, see {@link listenToShell}. */
    heard: string[];
  }
}

/** Runs in the page: keeps what main sends, beside the app's own listeners. */
export function listenToShell(): void {
  window.heard = [];
  void window.sidelite.onOpenRequest(async (file) => void window.heard.push(file.fileName));
  window.sidelite.onMenuCommand((commandId) => window.heard.push(commandId));
}

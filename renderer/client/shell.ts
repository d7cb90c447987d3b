// The shell around this window: Electron's main process by way of the preload script, or the browser substitute.
import type { ShellApi } from '#shared/shell-api.ts';
import { browserShell } from './browser-shell.ts';

const fromPreload = (window as { readonly sidelite?: ShellApi }).sidelite;

/** False in a plain browser tab: no native menu, files or windows. */
export const isDesktop = fromPreload !== undefined;

export const shell: ShellApi = fromPreload ?? browserShell;

// Whether pages run inside Chromium's sandbox, and if not, the reason shown to the user.
import { app } from 'electron';
import type { WindowInfo } from '#shared/shell-api.ts';

/**
 * Queried from Chromium instead of read from `process.argv`, because Chromium also accepts other spellings and the variable
 * ELECTRON_DISABLE_SANDBOX. Where the system offers no sandbox, Chromium does not start without this switch.
 */
export const isSandboxed = (): boolean => !app.commandLine.hasSwitch('no-sandbox');

/** Users who run from the sources (tests, development, often as root) need no warning. */
export function whyNoSandbox(): WindowInfo['noSandbox'] {
  if (!app.isPackaged || isSandboxed()) return null;
  // Chromium cannot sandbox processes of root.
  if (process.getuid?.() === 0) return 'root';
  // The Linux launcher adds the switch itself if programs may not create user namespaces.
  return process.env['APPIMAGE'] === undefined ? 'switch' : 'app-image';
}

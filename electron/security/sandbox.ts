// Whether pages run inside Chromium's sandbox, and if not, why a person is told so.
import { app } from 'electron';
import type { WindowInfo } from '#shared/shell-api.ts';

/**
 * Asked of Chromium, not read from `process.argv`: it also knows other spellings, and the variable ELECTRON_DISABLE_SANDBOX. Where the
 * system offers it no sandbox, Chromium does not start without this switch.
 */
export const isSandboxed = (): boolean => !app.commandLine.hasSwitch('no-sandbox');

/** Users who run from the sources (tests, development, often as root) need no warning. */
export function whyNoSandbox(): WindowInfo['noSandbox'] {
  if (!app.isPackaged || isSandboxed()) return null;
  // Chromium refuses root its sandbox.
  if (process.getuid?.() === 0) return 'root';
  // Its launcher adds the switch by itself where programs may not make user namespaces.
  return process.env['APPIMAGE'] === undefined ? 'switch' : 'app-image';
}

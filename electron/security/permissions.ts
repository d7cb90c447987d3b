// Pages never get permissions: copying goes through main, and nothing else needs one.
import { app } from 'electron';
import type { Session } from 'electron';

export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
}

/**
 * Before Electron 24, `document.execCommand('paste')` needs no permission and could read the clipboard at any time. Pasting by the user is
 * not affected. Call before the app is ready.
 */
export function denyPasteByScript(): void {
  app.commandLine.appendSwitch('blink-settings', 'DOMPasteAllowed=false');
}

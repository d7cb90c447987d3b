// Pages get no permission, ever: copying goes through main, and nothing else is needed.
import { app } from 'electron';
import type { Session } from 'electron';

export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
}

/**
 * `document.execCommand('paste')` asks for no permission before Electron 24, and would read the clipboard at any time. What a person
 * pastes into a field is not affected. Before the app is ready.
 */
export function denyPasteByScript(): void {
  app.commandLine.appendSwitch('blink-settings', 'DOMPasteAllowed=false');
}

// Pages get no permission, ever: copying goes through main, and nothing else is needed.
import type { Session } from 'electron';

export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
}

// Script that the Debian package runs after installation: electron-builder's, with a better question about the sandbox.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIST, inRoot } from './paths.ts';
import { writeStamp } from './stamp.ts';

/**
 * Chromium's sandbox needs user namespaces, or a helper that belongs to root. The script asks whether there are such namespaces, but it
 * runs as root, who may always make them: where other users may not, the helper stayed powerless and the app did not start.
 */
const ASKED_AS_ROOT = 'unshare --user true;';
const ASKED_AS_ANYONE = 'setpriv --reuid=65534 --regid=65534 --clear-groups unshare --user true;';

/** The path of the script. @throws when electron-builder words it differently */
export function debianScript(): string {
  const template = readFileSync(
    inRoot('node_modules', 'app-builder-lib', 'templates', 'linux', 'after-install.tpl'),
    'utf8',
  );
  if (template.split(ASKED_AS_ROOT).length !== 2)
    throw new Error(`electron-builder's after-install script no longer contains ${ASKED_AS_ROOT}`);
  const script = join(DIST, 'after-install.tpl');
  writeStamp(script, template.replace(ASKED_AS_ROOT, ASKED_AS_ANYONE));
  return script;
}

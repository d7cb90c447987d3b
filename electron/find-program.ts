// Finds a program of the user's own on this computer, so that it is started by its path: a name alone could be found in the working folder.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** Programs started from a desktop do not get the PATH of a shell. */
const USUAL_FOLDERS = process.platform === 'win32' ? [] : ['/usr/local/bin', '/opt/homebrew/bin', '/usr/bin'];

/** The first on the PATH; null without one. @param name without `.exe` */
export function findProgram(name: string, pathVariable: string): string | null {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  // An entry that is empty or relative means the current folder, where anything may be.
  const folders = [...pathVariable.split(delimiter), ...USUAL_FOLDERS].filter(isAbsolute);
  return folders.map((folder) => join(folder, file)).find(isProgram) ?? null;
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

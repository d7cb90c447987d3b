// Where a file is really written that is saved under a name: what a link points to is replaced, not the link.
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** As many as Linux follows before it says that they go around in a circle. */
const MAX_LINKS = 40;

/** Also for a link to a file that is not there yet, and for a name whose folder is not there: writing tells then. */
export function realTarget(path: string): string {
  let target = path;
  for (let links = 0; links < MAX_LINKS; links++) {
    try {
      return realpathSync(target);
    } catch {
      const link = linkAt(target);
      if (link === null) return join(realFolder(dirname(target)), basename(target));
      target = resolve(realFolder(dirname(target)), link);
    }
  }
  return path;
}

function linkAt(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null;
  } catch {
    return null;
  }
}

function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

// The path that saving under a name really writes to: the target of a link is replaced, not the link.
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** The number of links that Linux follows before it reports a loop. */
const MAX_LINKS = 40;

/** Also works for a link to a missing file, and for a name in a missing folder: the write then reports that. */
export function realTarget(path: string): string {
  let target = path;
  for (let links = 0; links < MAX_LINKS; links++) {
    try {
      return realpathSync(target);
    } catch {
      const link = linkAt(target);
      if (link === null) return join(realPath(dirname(target)), basename(target));
      target = resolve(realPath(dirname(target)), link);
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

/** The path itself where it cannot be followed. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

// Resolves a URL of the app's scheme to a file inside the served folder, or to null.
import { join, sep } from 'node:path';

export const APP_SCHEME = 'app';
const APP_ORIGIN = 'app://shell';
export const APP_PAGE = `${APP_ORIGIN}/index.html`;
export const HOST_PAGE = `${APP_ORIGIN}/host.html`;

/** `root` is absolute. Null for another host, an invalid URL, or a path that leaves the root. */
export function resolveAppPath(root: string, address: string): string | null {
  try {
    const url = new URL(address);
    if (url.protocol !== `${APP_SCHEME}:` || url.host !== 'shell') return null;
    // The path is decoded after the URL parser has removed dot segments, so check again: `%2e%2e%2f` must not reach the file system.
    const path = decodeURIComponent(url.pathname);
    if (path.includes('\0') || path.includes('\\')) return null;
    const file = join(root, path);
    return file.startsWith(root + sep) && !file.endsWith(sep) ? file : null;
  } catch {
    return null;
  }
}

/** Like {@link resolveAppPath}, for files in `third-party` of another folder; null for every other URL. */
export function resolveThirdPartyPath(folder: string, address: string): string | null {
  const file = resolveAppPath(folder, address);
  return file?.startsWith(join(folder, 'third-party') + sep) ? file : null;
}

// Files that reach a window without a dialog (dropped or requested), and showing where a database came from.
import { existsSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { shell } from 'electron';
import { logDropped } from '../dropped.ts';
import type { FileTokens } from '../files/file-tokens.ts';
import type { FilesInPlace } from '../files/files-in-place.ts';
import type { RecentFiles } from '../files/recent-files.ts';
import type { FileLocations } from '../files/file-locations.ts';
import { createSourceWatch } from '../files/source-watch.ts';
import type { NativeEngine } from '../native/native-engine.ts';
import { readTypedKey } from '../native/typed-key.ts';
import type { OpenRequests } from '../open-requests.ts';
import { unreported } from '../security/reported-drops.ts';
import { listOf, text } from '../security/trusted-ipc.ts';
import type { Answer, TrustedIpc } from '../security/trusted-ipc.ts';
import { didDrop } from '../windows/drop-question.ts';
import { tell } from '../windows/registry.ts';
import type { AppWindow, AppWindows } from '../windows/registry.ts';

/** Limit for one drop. */
const MAX_DROPPED = 1000;

interface FileServices {
  readonly windows: AppWindows;
  readonly files: FileTokens;
  readonly locations: FileLocations;
  readonly inPlace: FilesInPlace;
  readonly requests: OpenRequests;
  readonly native: NativeEngine;
  readonly recent: RecentFiles;
}

export function serveFiles(
  { answer }: TrustedIpc,
  { windows, files, locations, inPlace, requests, native, recent }: FileServices,
): void {
  // The preload takes the paths from the files of a drop that the browser has verified. A page that has taken over its process can name any
  // other: so Chromium has to have reported the drop, or the user has to confirm it.
  answer('file.dropped', async (window, argument) => {
    const paths = listOf(argument, MAX_DROPPED);
    const onDisk = paths.filter(isOnDisk);
    const doubtful = onDisk.length === 0 ? [] : unreported(onDisk, await window.drops.take(onDisk));
    if (doubtful.length > 0 && !(await didDrop(window, doubtful))) {
      logDropped('file.dropped', 'Chromium reported no such drop, and the user did not confirm it');
      return null;
    }
    return paths.map((path) => {
      if (!onDisk.includes(path)) return null;
      recent.add(path);
      return files.addSource(window.windowId, path);
    });
  });
  answer('file.contentOf', ({ windowId }, token) => files.contentOf(windowId, text(token)));
  answer('file.openInPlace', (window, file) => {
    const { token, locationId, readOnly, key } = (typeof file === 'object' && file !== null ? file : {}) as Record<
      string,
      unknown
    >;
    const named = { token: text(token), locationId: text(locationId), readOnly: readOnly === true };
    return native.open(window, { ...named, key: key === undefined ? null : readTypedKey(key) });
  });
  answer('file.stopTrying', (window) => {
    native.stopTrying(window);
    return null;
  });
  answer('file.forgetInPlace', (window, locationId) => {
    native.close(window, text(locationId));
    return null;
  });
  answer('file.createEncrypted', (window, argument) => {
    const { target, key } = (typeof argument === 'object' && argument !== null ? argument : {}) as Record<
      string,
      unknown
    >;
    return native.createEncrypted(window, text(target), readTypedKey(key));
  });
  answer('file.changeKey', (window, argument) => {
    const { locationId, key } = (typeof argument === 'object' && argument !== null ? argument : {}) as Record<
      string,
      unknown
    >;
    return native.changeKey(window, text(locationId), key === null ? null : readTypedKey(key));
  });
  answer('file.canRememberKeys', () => native.canRememberKeys);
  answer('file.forgetKey', (_window, locationId) => native.forgetKey(text(locationId)));
  answer('file.revealSource', ({ windowId }, locationId) =>
    reveal(locations.pathOf(text(locationId)) ?? inPlace.pathOf(windowId, text(locationId))),
  );
  answer('file.revealSaved', ({ windowId }, token) => reveal(files.savedPath(windowId, text(token))));
  answer('window.listensForFiles', (window) => requests.windowListens(window));
  serveSourceWatch(answer, windows, locations);
}

/** A file, or a folder, which is refused with a message when it is opened; not a pipe or device, because opening one may never return. */
function isOnDisk(path: string): boolean {
  if (!isAbsolute(path) || path.includes('\0')) return false;
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && (stats.isFile() || stats.isDirectory());
}

function serveSourceWatch(answer: Answer, windows: AppWindows, locations: FileLocations): void {
  const watch = createSourceWatch(locations.pathOf, (locationId) => {
    for (const window of windows.all)
      if (watch.isFollowedBy(window.browserWindow.webContents.id, locationId))
        void tell(window, 'source.touched', () => locationId, locationId);
  });
  const known = new WeakSet<AppWindow>();
  answer('source.follow', (window, locationIds) => {
    const { id } = window.browserWindow.webContents;
    if (!known.has(window)) window.browserWindow.on('closed', () => watch.follow(id, []));
    known.add(window);
    watch.follow(id, Array.isArray(locationIds) ? locationIds.map(text) : []);
  });
}

/** Does nothing for network shares: merely showing one sends the user's credentials to its server. */
function reveal(path: string | null): boolean {
  if (path === null || !isAbsolute(path) || path.startsWith('\\\\') || path.startsWith('//') || !existsSync(path))
    return false;
  shell.showItemInFolder(path);
  return true;
}

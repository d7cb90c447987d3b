// Files that reach a window without a dialog: dropped ones, requested ones; and the way back to where a database came from.
import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { shell } from 'electron';
import type { FileTokens } from '../files/file-tokens.ts';
import type { SourcePlaces } from '../files/source-places.ts';
import { createSourceWatch } from '../files/source-watch.ts';
import type { NativeEngine } from '../native/native-engine.ts';
import type { OpenRequests } from '../open-requests.ts';
import type { Settings } from '../settings.ts';
import { openExternal } from '../security/external-links.ts';
import { answer, hear, text } from '../security/trusted-ipc.ts';
import { appWindows, push } from '../windows/registry.ts';
import type { AppWindow } from '../windows/registry.ts';

export function serveFiles(
  files: FileTokens,
  places: SourcePlaces,
  requests: OpenRequests,
  native: NativeEngine,
  settings: Settings,
): void {
  // The path comes from the preload, which read it off the dropped file: no page can name one.
  answer('file.dropped', (_window, path) => (isAbsolute(text(path)) ? files.addSource(text(path)) : null));
  answer('file.openInPlace', (window, file) => {
    const { token, sourceId } = (typeof file === 'object' && file !== null ? file : {}) as Record<string, unknown>;
    return native.open(window, { token: text(token), sourceId: text(sourceId) });
  });
  answer('files.getChoice', () => settings.get('openFiles') ?? 'ask');
  hear('files.setChoice', (_window, choice) => {
    if (choice === 'ask' || choice === 'copy' || choice === 'in-place') settings.set('openFiles', choice);
  });
  answer('file.revealSource', (_window, sourceId) => reveal(places.pathOf(text(sourceId))));
  answer('link.openExternal', (_window, address) => openExternal(text(address)));
  hear('window.listensForFiles', (window) => requests.windowListens(window));
  serveSourceWatch(places);
}

function serveSourceWatch(places: SourcePlaces): void {
  const watch = createSourceWatch(places.pathOf, (sourceId) => {
    for (const window of appWindows()) push(window, 'source.touched', sourceId);
  });
  const known = new WeakSet<AppWindow>();
  hear('source.follow', (window, sourceIds) => {
    const { id } = window.browserWindow.webContents;
    if (!known.has(window)) window.browserWindow.on('closed', () => watch.follow(id, []));
    known.add(window);
    watch.follow(id, Array.isArray(sourceIds) ? sourceIds.map(text) : []);
  });
}

/** Not on network shares: merely showing one sends the person's credentials to its server. */
function reveal(path: string | null): boolean {
  if (path === null || !isAbsolute(path) || path.startsWith('\\\\') || path.startsWith('//') || !existsSync(path))
    return false;
  shell.showItemInFolder(path);
  return true;
}

// Copies of databases for comparisons: written by the library's worker, read by the native engine, named by neither page nor worker.
import type { FileTokens } from '../files/file-tokens.ts';
import type { TwinFiles } from '../files/twin-files.ts';
import type { NativeEngine } from '../native/native-engine.ts';
import { answer, text } from '../security/trusted-ipc.ts';
import type { AppWindow } from '../windows/registry.ts';

const UNAVAILABLE = 'This installation has no native engine. Databases of the library work without it.';

export function serveTwins(files: FileTokens, twins: TwinFiles, native: NativeEngine): void {
  const followed = new WeakSet<AppWindow>();
  answer('twin.create', (window) => {
    if (!native.serve(window)) return { why: UNAVAILABLE };
    if (!followed.has(window)) window.browserWindow.on('closed', () => twins.removeAllOf(window));
    followed.add(window);
    const { twin, path } = twins.create(window);
    return { twin, sink: files.addTemporarySink(window.windowId, path).token };
  });
  answer('twin.open', (window, argument) => {
    const { twin, name } = (typeof argument === 'object' && argument !== null ? argument : {}) as Record<
      string,
      unknown
    >;
    const path = twins.pathOf(window, text(twin));
    return path === null ? null : native.openTwin(window, { twin: text(twin), path, name: text(name) });
  });
  answer('twin.source', (window, sourceId) => {
    const path = native.pathOf(window, text(sourceId));
    return path === null ? null : files.addSource(window.windowId, path);
  });
  answer('twin.remove', (window, twin) => {
    native.forgetTwin(window, text(twin));
    twins.remove(window, text(twin));
    return null;
  });
}

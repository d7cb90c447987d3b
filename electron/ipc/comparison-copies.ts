// Copies of databases for comparisons: the library's worker writes them, the native engine reads them, and main names them.
import type { FileTokens } from '../files/file-tokens.ts';
import type { TemporaryDatabases } from '../files/temporary-databases.ts';
import type { NativeEngine } from '../native/native-engine.ts';
import { text } from '../security/trusted-ipc.ts';
import type { TrustedIpc } from '../security/trusted-ipc.ts';

export function serveComparisonCopies(
  { answer }: TrustedIpc,
  files: FileTokens,
  comparisonCopies: TemporaryDatabases,
  native: NativeEngine,
): void {
  answer('comparisonCopy.create', (window) => {
    const why = native.serve(window);
    if (why !== null) return { why };
    const { name: comparisonCopy, path } = comparisonCopies.create(window);
    return { comparisonCopy, sink: files.addTemporarySink(window.windowId, path).token };
  });
  answer('comparisonCopy.open', (window, argument) => {
    const { comparisonCopy, name } = (typeof argument === 'object' && argument !== null ? argument : {}) as Record<
      string,
      unknown
    >;
    const path = comparisonCopies.pathOf(window, text(comparisonCopy));
    return path === null
      ? null
      : native.openTemporary(window, {
          ...{ id: text(comparisonCopy), path, name: text(name) },
          displayPath: 'a temporary copy',
        });
  });
  answer('comparisonCopy.source', (window, locationId) => {
    const path = native.pathOf(window, text(locationId));
    return path === null ? null : files.addSource(window.windowId, path);
  });
  answer('comparisonCopy.remove', (window, comparisonCopy) => {
    native.forgetTemporary(window, text(comparisonCopy));
    comparisonCopies.remove(window, text(comparisonCopy));
  });
}

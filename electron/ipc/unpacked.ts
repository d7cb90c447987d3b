// Databases unpacked from archives: the native engine unpacks them into temporary files, and main names them.
import { basename, dirname } from 'node:path';
import type { FileTokens } from '../files/file-tokens.ts';
import { roomIn } from '../files/free-space.ts';
import { forPeople } from '../files/source-file.ts';
import type { TemporaryDatabases } from '../files/temporary-databases.ts';
import type { NativeEngine } from '../native/native-engine.ts';
import { text } from '../security/trusted-ipc.ts';
import type { TrustedIpc } from '../security/trusted-ipc.ts';

export function serveUnpacked(
  { answer }: TrustedIpc,
  files: FileTokens,
  unpacked: TemporaryDatabases,
  native: NativeEngine,
): void {
  answer('unpacked.create', async (window) => {
    const why = native.serve(window);
    if (why !== null) return { why };
    const { name, path } = unpacked.create(window);
    const sinkFor = (suffix: string): string => files.addTemporarySink(window.windowId, path + suffix).token;
    const into = { main: sinkFor(''), wal: sinkFor('-wal'), journal: sinkFor('-journal') };
    return { unpacked: name, into, roomBytes: await roomIn(dirname(path)) };
  });
  answer('unpacked.open', (window, argument) => {
    const {
      unpacked: id,
      name,
      archive,
    } = (typeof argument === 'object' && argument !== null ? argument : {}) as Record<string, unknown>;
    const path = unpacked.pathOf(window, text(id));
    const from = files.sourcePath(window.windowId, text(archive));
    if (path === null || from === null) return null;
    return native.openTemporary(window, {
      ...{ id: text(id), path, name: `${text(name)} from ${basename(from)}` },
      ...{ displayPath: `unpacked from ${forPeople(from)}`, asksBeforeWriting: true },
    });
  });
  answer('unpacked.discard', (window, id) => {
    native.forgetTemporary(window, text(id));
    unpacked.remove(window, text(id));
  });
}

// A worker that looks for damage in a database the other worker owns: a check of gigabytes takes many seconds in one call of SQLite, and no
// other work should wait for it. It only reads, ends after one file, and can be terminated at any moment.
import { toErrorData } from '#shared/protocol/errors.ts';
import type { FileFindings } from '#shared/protocol/session.ts';
import { checkFile } from '../engines/file-check.ts';
import { openLentFile } from '../engines/wasm/storage/lent-file.ts';
import { BlockCache } from './block-cache.ts';
import { BLOCK_BYTES, ReplyMemory, type FromInspector, type InspectionOrder } from './reply.ts';

const say = (message: FromInspector): void => self.postMessage(message);

/** Asks the owner and waits, inside SQLite's read. */
function fetcher(shared: SharedArrayBuffer): (offset: number, length: number) => Uint8Array | null {
  const reply = new ReplyMemory(shared);
  let request = 0;
  return (offset, length) => {
    request = (request + 1) | 0; // wraps like the 32-bit word in shared memory
    say({ t: 'read', request, offset, length });
    return reply.waitFor(request, length);
  };
}

async function inspect({ kind, sizeBytes, shared }: InspectionOrder): Promise<FileFindings> {
  const cache = new BlockCache(sizeBytes, BLOCK_BYTES, fetcher(shared));
  const connection = await openLentFile({ sizeBytes, read: (offset, into) => cache.read(offset, into) });
  return checkFile(connection, kind);
}

self.onmessage = ({ data }: MessageEvent<InspectionOrder>) => {
  inspect(data).then(
    (findings) => say({ t: 'done', findings }),
    (error: unknown) => say({ t: 'failed', error: toErrorData(error) }),
  );
};

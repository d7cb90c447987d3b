// For tests: the server of a process that opens one file with its extensions, and clients of it.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import type { ExtensionToLoad } from '#shared/extensions.ts';
import type { NativeFile } from '#shared/native-link.ts';
import { toAppError } from '#shared/protocol/errors.ts';
import type { DatabaseId, Operations } from '#shared/protocol/index.ts';
import type { Events } from '#shared/protocol/session.ts';
import { createClient } from '#shared/rpc/client.ts';
import type { Client } from '#shared/rpc/client.ts';
import { domPort } from '#shared/rpc/port.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { WorkStatusBuffer } from '../threads/work-status-buffer.ts';
import { NativeServer } from './native-server.ts';

const engine = await createNativeEngine();
let server: NativeServer | null = null;
const ends: (() => void)[] = [];

/** Call after each test, before its files are removed. */
export function endServer(): void {
  for (const end of ends.splice(0)) end();
  server?.settle();
  server = null;
}

type Loaded = Pick<NativeFile, 'extensions' | 'trustsSchema'>;

/** Opens no file yet: a client of its own for each database, and one server for all until the test ends. */
export async function clientOf(
  database: DatabaseId,
  path: string,
  loaded: Loaded = {},
): Promise<Client<Operations, Events>> {
  if (server === null) {
    const parts = { files: null as never, workStatus: new WorkStatusBuffer(), onBusy: () => undefined };
    const ofOwn = { slot: 3, opened: () => undefined };
    server = new NativeServer({ engine, ...parts, historyFolder: join(path, '..', 'history'), ofOwn });
  }
  server.addFile(
    { database, fileName: basename(path), displayPath: path, locationId: database, path, ...loaded },
    database,
  );
  const { port1, port2 } = new MessageChannel();
  server.serve(database, domPort(port1 as never));
  const client = createClient<Operations, Events>(domPort(port2 as never));
  ends.push(() => port2.close());
  await client.call('session.begin', { windowTitle: database });
  return client;
}

export function approvedFile(path: string, why: string | null = null): ExtensionToLoad {
  const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
  return { id: 'x1', fileName: basename(path), displayPath: path, path, sha256, why };
}

export const failure = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing was refused',
    (thrown: unknown) => toAppError(thrown).message,
  );

// One of two editors of a table on a server: edits cells at random, each only if it still has the value that was read before, and reports
// the edits that were accepted.
import { parentPort, workerData } from 'node:worker_threads';
import { createRandom } from '#shared/random.ts';
import { toAppError } from '#shared/protocol/errors.ts';
import { startNetwork } from '../engines/remote/network/network-thread.test-suite.ts';
import { createRemoteEngine } from '../engines/remote/remote-engine.ts';
import { applyChanges } from '../query/apply-edits.ts';

export const TABLE = { rows: 40, columns: ['a', 'b', 'c', 'd', 'e'] } as const;

export interface EditorData {
  readonly url: string;
  readonly name: string;
  readonly seed: number;
  readonly ms: number;
}

export interface Edited {
  /** Accepted edits of each cell, by its row and column: the value before, and the value after. */
  readonly accepted: readonly { readonly cell: string; readonly before: string; readonly after: string }[];
  readonly conflicts: number;
  readonly failures: readonly string[];
  readonly editMs: readonly number[];
}

const data = workerData as EditorData | null;
if (parentPort && data?.name) parentPort.postMessage(await edit(data));

async function edit({ url, name, seed, ms }: EditorData): Promise<Edited> {
  const engine = await createRemoteEngine(() => ({ url, token: null, readOnly: false }), { startNetwork });
  const connection = engine.open('edited', { durability: 'full' });
  const random = createRandom(seed);
  const accepted: { cell: string; before: string; after: string }[] = [];
  const failures: string[] = [];
  const editMs: number[] = [];
  let conflicts = 0;
  const end = performance.now() + ms;
  for (let n = 0; performance.now() < end; n++) {
    const row = 1 + Math.floor(random.next() * TABLE.rows);
    const column = random.pick(TABLE.columns);
    const before = String(connection.one(`SELECT ${column} FROM edited WHERE id = ?`, [row])?.[0]);
    const after = `${name} ${n}`;
    const started = performance.now();
    try {
      applyChanges(connection, 'edited', [
        { kind: 'update', key: [row], set: { [column]: after }, base: { [column]: before } },
      ]);
      accepted.push({ cell: `${row} ${column}`, before, after });
      editMs.push(performance.now() - started);
    } catch (thrown) {
      const { code, message } = toAppError(thrown);
      if (code === 'conflict') conflicts++;
      else failures.push(message);
    }
  }
  connection.close();
  return { accepted, conflicts, failures, editMs };
}

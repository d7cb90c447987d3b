// Two editors of one table, each in its own engine, one through the primary and one through a replica: every cell holds the last edit that was
// accepted, and none was lost or applied twice. Not part of the ordinary run: `SIDELITE_TWO_EDITORS=10 npm run unit -- two-editors` (minutes).
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { startReplicated } from '../../build/sqld/with-replica.ts';
import { startNetwork } from '../engines/remote/network/network-thread.test-suite.ts';
import { createRemoteEngine } from '../engines/remote/remote-engine.ts';
import { TABLE } from './two-editors.test-suite.ts';
import type { Edited, EditorData } from './two-editors.test-suite.ts';

const minutes = Number(process.env['SIDELITE_TWO_EDITORS'] ?? 0);

test.skipIf(minutes === 0)('two editors of one table', { timeout: minutes * 60_000 + 60_000 }, async ({ skip }) => {
  const servers = await startReplicated();
  if ('why' in servers) return skip(servers.why);
  const engine = await createRemoteEngine(() => ({ url: servers.primary, token: null, readOnly: false }), {
    startNetwork,
  });
  const connection = engine.open('edited', { durability: 'full' });
  connection.run(
    `CREATE TABLE edited(id INTEGER PRIMARY KEY, ${TABLE.columns.map((name) => `${name} TEXT`).join(', ')})`,
  );
  for (let row = 1; row <= TABLE.rows; row++)
    connection.run(`INSERT INTO edited VALUES (${row}, ${TABLE.columns.map(() => "'first'").join(', ')})`);
  const editor = async (data: EditorData): Promise<Edited> => {
    const thread = new Worker(new URL('two-editors.test-suite.ts', import.meta.url), { workerData: data });
    const [edited] = (await once(thread, 'message')) as [Edited];
    await thread.terminate();
    return edited;
  };
  const ms = minutes * 60_000;
  const [first, second] = await Promise.all([
    editor({ url: servers.primary, name: 'primary', seed: 1, ms }),
    editor({ url: servers.replica, name: 'replica', seed: 2, ms }),
  ]);
  const next = new Map<string, string>();
  for (const { cell, before, after } of [...first.accepted, ...second.accepted]) {
    const edge = `${cell} ${before}`;
    // Two accepted edits of the same value: one of them would have overwritten the other.
    expect({ edge, isTaken: next.has(edge) }).toEqual({ edge, isTaken: false });
    next.set(edge, after);
  }
  let walked = 0;
  for (const [row, ...values] of connection.all('SELECT * FROM edited'))
    for (const [at, value] of values.entries()) {
      const cell = `${String(row)} ${TABLE.columns[at]}`;
      let last = 'first';
      for (let after = next.get(`${cell} ${last}`); after !== undefined; after = next.get(`${cell} ${last}`)) {
        last = after;
        walked++;
      }
      expect({ cell, value }).toEqual({ cell, value: last });
    }
  expect(walked).toBe(first.accepted.length + second.accepted.length);
  for (const [name, { accepted, conflicts, failures, editMs }] of [
    ['primary', first],
    ['replica', second],
  ] as const) {
    const sorted = [...editMs].sort((a, b) => a - b);
    const share = (part: number): number => Math.round(sorted[Math.floor((sorted.length - 1) * part)]! * 10) / 10;
    console.log(
      name,
      {
        accepted: accepted.length,
        conflicts,
        failures: failures.length,
        p50: share(0.5),
        p95: share(0.95),
        most: share(1),
      },
      [...new Set(failures)],
    );
  }
  expect([...first.failures, ...second.failures]).toEqual([]);
  connection.close();
  await servers.end();
});

// Measures how long a user waits at different distances from a server, taking turns with another client. Not part of the ordinary run:
// `SIDELITE_ROUND_TRIPS=path/to/@libsql/client/lib-esm/web.js npm run unit -- round-trips`.
import { test } from 'vitest';
import { startTestServer } from '../../build/sqld/test-server.ts';
import type { RemoteConnection } from '../engines/remote/remote-connection.ts';
import { serverEngine } from '../engines/remote/server-engine.test-suite.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { applyChanges } from '../query/apply-edits.ts';
import { hostOf } from './reader-host.test-suite.ts';
import { planReader } from './open-reader.ts';

const ROWS = 200_000;
const ROUNDS = 7;
const DELAYS = [0, 20, 100, 200];
const other = process.env['SIDELITE_ROUND_TRIPS'];

interface OtherClient {
  execute(statement: {
    readonly sql: string;
    readonly args: readonly unknown[];
  }): Promise<{ readonly rows: unknown[] }>;
  transaction(mode: 'write'): Promise<OtherClient & { commit(): Promise<void> }>;
}

test.skipIf(other === undefined)('round trips', { timeout: 600_000 }, async ({ skip }) => {
  const server = await startTestServer();
  if ('why' in server) return skip(server.why);
  const { createClient } = (await import(other!)) as {
    createClient: (options: { readonly url: string; readonly intMode: 'bigint' }) => OtherClient;
  };
  const engine = await serverEngine((location) => server.url(location));
  const connection = engine.open('trips', { durability: 'full' }) as RemoteConnection;
  const client = createClient({ url: server.url('trips'), intMode: 'bigint' });
  connection.run('CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, n INTEGER, r REAL)');
  connection.run(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS}) INSERT INTO t SELECT i, 'row ' || i, i % 1000, i / 7.0 FROM n`,
  );
  let edits = 0;
  const reader = () => planReader(connection, { table: 't', sort: [], filter: [] })(hostOf(connection));
  const works: Readonly<Record<string, readonly [ours: () => Promise<unknown>, theirs: () => Promise<unknown>]>> = {
    'first 200 rows': [
      () => reader().read(0, 200),
      () => client.execute({ sql: 'SELECT * FROM t LIMIT 200', args: [] }),
    ],
    'jump to row 150,000': [
      async () => known.read(150_000 - (edits++ % 3), 200),
      () => client.execute({ sql: 'SELECT * FROM t LIMIT 200 OFFSET 150000', args: [] }),
    ],
    'edit that checks the old value': [
      async () => {
        const n = edits++;
        applyChanges(connection, 't', [{ kind: 'update', key: [5], set: { n }, base: { r: 5 / 7 } }]);
      },
      async () => {
        const transaction = await client.transaction('write');
        const { rows } = await transaction.execute({ sql: 'SELECT r FROM t WHERE id = ?', args: [6] });
        if (rows.length !== 1) throw new Error('gone');
        await transaction.execute({ sql: 'UPDATE t SET n = ? WHERE id = ?', args: [edits++, 6] });
        await transaction.commit();
      },
    ],
    '50,000 rows': [
      async () => {
        const statement = connection.prepare('SELECT * FROM t WHERE id <= 50000');
        const writer = new PackedRowsWriter(statement.columnCount);
        statement.pack(writer, { maxRows: Infinity });
        statement.finalize();
      },
      () => client.execute({ sql: 'SELECT * FROM t WHERE id <= 50000', args: [] }),
    ],
  };
  const known = reader();
  await known.read(0, 200);
  const lines = [`| ms of a round trip | ${Object.keys(works).join(' | ')} |`];
  for (const delayMs of DELAYS) {
    server.controls.delayMs = delayMs;
    const cells: string[] = [];
    for (const [ours, theirs] of Object.values(works)) {
      const times: [number[], number[]] = [[], []];
      const read = connection.rowsTouched.read;
      for (let round = 0; round <= ROUNDS; round++) {
        for (const [side, work] of [ours, theirs].entries()) {
          const beganMs = performance.now();
          await work();
          if (round > 0) times[side]!.push(performance.now() - beganMs);
        }
      }
      const perRound = Math.round((connection.rowsTouched.read - read) / (ROUNDS + 1));
      cells.push(`${asText(times[0])} / ${asText(times[1])}, ${perRound} rows read`);
    }
    lines.push(`| ${delayMs} | ${cells.join(' | ')} |`);
  }
  console.log(lines.join('\n'));
  connection.close();
  await server.end();
});

function asText(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const [low, middle, high] = [sorted[0]!, sorted[sorted.length >> 1]!, sorted.at(-1)!].map(Math.round);
  return `${middle} (${low} to ${high})`;
}

// Statistics of a table that is made anew on a real server, which accepts no ANALYZE: they came with a file that was uploaded.
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ensureSqld } from '../../build/sqld/ensure-sqld.ts';
import { startSqld } from '../../build/sqld/start-sqld.ts';
import type { RunningSqld } from '../../build/sqld/start-sqld.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { make, opener } from './rebuild.test-suite.ts';

const sqld = await ensureSqld();
let server: RunningSqld | null = null;
afterAll(() => server?.remove());

it.skipIf('why' in sqld)('outlive the old table', { timeout: 60_000 }, async () => {
  const { program } = sqld as Extract<typeof sqld, { readonly program: string }>;
  server = await startSqld({ program });
  const { folder } = server;
  const connect = async () => (await opener({ url: () => server!.url })).there('statistics');
  const before = await connect();
  for (const sql of [
    'CREATE TABLE t(id INTEGER PRIMARY KEY, a, b)',
    "INSERT INTO t(a, b) VALUES ('x', 1), ('x', 2), ('y', 3)",
    'CREATE INDEX by_a ON t(a)',
    'CREATE TABLE other(a)',
    'INSERT INTO other VALUES (1)',
  ])
    before.run(sql);
  before.close();
  await server.kill();
  const file = (await createNativeEngine()).open(join(folder, 'dbs/default/data'), { durability: 'full' });
  file.run('ANALYZE');
  file.checkpoint();
  file.close();
  server = await startSqld({ program, folder });
  const connection = await connect();
  const statistics = () => connection.all('SELECT tbl, idx, stat FROM sqlite_stat1 ORDER BY tbl');
  const expected = statistics();
  expect(expected).toHaveLength(2);
  make(connection, [
    {
      kind: 'change-table',
      table: 't',
      sql: 'CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b)',
      columns: ['id', 'a', 'b'],
    },
  ]);
  expect(statistics()).toEqual(expected);
  expect(connection.one("SELECT sql FROM sqlite_schema WHERE name = 't'")).toEqual([
    'CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b)',
  ]);
  connection.close();
});

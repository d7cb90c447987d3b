// Measures what the proof of a rebuilt table costs: `node worker/schema-change/measure-rebuild.test-suite.ts [ROWS] [ROUNDS] [wasm|native]`. The change as the
// designer runs it takes turns with what a person would write: the new table, INSERT … SELECT, DROP, RENAME, the indexes again. Both end with
// a commit on the same connection: in memory on wasm, which has no disk in Node, and in a file in WAL mode natively. Times are processor time.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '#shared/bench/statistics.ts';
import type { Connection } from '../engines/engine.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { createWasmEngine, IN_MEMORY } from '../engines/wasm/wasm-engine.ts';
import { changeSchema, isClean } from './change.ts';
import { Work } from './work.ts';
import type { WorkTurn } from './work.ts';

const ROWS = Number(process.argv[2] ?? 3_000_000);
const ROUNDS = Number(process.argv[3] ?? 5);
const SLICE_MS = 40;
const WAYS = ['designer', 'by hand'] as const;
const COLUMNS =
  'id INTEGER PRIMARY KEY, name TEXT NOT NULL, amount REAL, at TEXT, n INTEGER DEFAULT #, kind INTEGER, note TEXT';
const INDEXES = ['CREATE INDEX item_name ON item (name)', 'CREATE INDEX item_at ON item (kind, at)'];

const tableSql = (round: number): string => `CREATE TABLE item (${COLUMNS.replace('#', String(round))})`;

function fill(connection: Connection): void {
  connection.run(tableSql(0));
  connection.run(
    `WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i WHERE i < ${ROWS}) INSERT INTO item SELECT i, 'name ' || (i * 7919 % ${ROWS}),
     i * 1.25, datetime(1700000000 + i * 61, 'unixepoch'), i, i % 100, 'a note that is somewhat longer than a name' FROM i`,
  );
  for (const sql of INDEXES) connection.run(sql);
}

function asDesigned(connection: Connection, round: number): void {
  const turn: WorkTurn = {
    connection,
    get deadlineMs() {
      return performance.now() + SLICE_MS;
    },
    stopRequested: false,
    measureBy: () => undefined,
  };
  const columns = connection.all("SELECT name FROM pragma_table_info('item')").map(([name]) => name as string);
  const change = { kind: 'change-table', table: 'item', sql: tableSql(round), columns } as const;
  const steps = changeSchema(new Work(turn, () => undefined), [change]);
  let step = steps.next();
  while (!step.done) step = steps.next();
  if (!isClean(step.value) || step.value.tables[0]?.rowsAfter !== ROWS)
    throw new Error('The table is not what it was.');
  connection.run('COMMIT');
}

function byHand(connection: Connection, round: number): void {
  connection.run('BEGIN IMMEDIATE');
  connection.run(tableSql(round).replace('item', 'fresh'));
  connection.run('INSERT INTO fresh SELECT * FROM item');
  connection.run('DROP TABLE item');
  connection.run('ALTER TABLE fresh RENAME TO item');
  for (const sql of INDEXES) connection.run(sql);
  connection.run('COMMIT');
}

function measure(name: string, connection: Connection): void {
  fill(connection);
  const times = { designer: [] as number[], 'by hand': [] as number[] };
  // The first round warms up; the order changes with each.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const way of round % 2 === 0 ? WAYS : [...WAYS].reverse()) {
      const before = process.cpuUsage();
      (way === 'designer' ? asDesigned : byHand)(connection, round * 2 + WAYS.indexOf(way) + 1);
      const { user, system } = process.cpuUsage();
      if (round > 0) times[way].push((user + system - before.user - before.system) / 1e6);
    }
  }
  const ratios = times.designer.map((time, round) => time / times['by hand'][round]!);
  const spread = (values: readonly number[]): string =>
    `${median(values).toFixed(2)} (${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)})`;
  console.log(
    `${name}, ${ROWS.toLocaleString('en-US')} rows: ${spread(ratios)} times; designer ${spread(times.designer)} s, by hand ${spread(times['by hand'])} s`,
  );
}

const wanted = process.argv[4];
if (wanted !== 'native') {
  const { engine } = await createWasmEngine();
  const connection = engine.open(IN_MEMORY, { durability: 'balanced', create: true });
  measure('wasm', connection);
  connection.close();
}
if (wanted !== 'wasm') {
  const folder = mkdtempSync(join(tmpdir(), 'sidelite-rebuild-'));
  try {
    const connection = (await createNativeEngine()).open(join(folder, 'item.db'), {
      durability: 'balanced',
      create: true,
    });
    connection.run('PRAGMA journal_mode = WAL');
    measure('native', connection);
    connection.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// Measures the cost of tracking and recording every change: `node worker/engines/wasm/changes/measure-recording.ts [ROUNDS] [NAME]`. It
// runs in memory, where nothing else takes time, so these are the worst ratios. The three ways take turns within a round; times are
// processor time, not elapsed time.
import { median } from '#shared/bench/statistics.ts';
import type { ChangeGuard } from '../../row-log/row-log.ts';
import type { WasmConnection } from '../connection.ts';
import { createWasmEngine, IN_MEMORY } from '../wasm-engine.ts';

/** No hook at all, what is published after a commit, and the row log as well. */
const WAYS = ['off', 'changes', 'changes and log'] as const;
type Way = (typeof WAYS)[number];

const GUARD: ChangeGuard = {
  beforeSchemaChange: () => {},
  overBudget: () => {
    throw new Error('The log passed its budget.');
  },
  covers: () => false,
};

/** Exists in Node, which runs this script and nothing else in this folder. */
declare const process: {
  readonly argv: readonly string[];
  cpuUsage(): { readonly user: number; readonly system: number };
};

const TABLE = 'CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, amount REAL, n INTEGER, note TEXT)';
const numbers = (count: number): string =>
  `WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i WHERE i < ${count})`;
const fill = (count: number): string =>
  `${numbers(count)} INSERT INTO t SELECT i, 'name ' || i, i * 1.5, i, 'a note that is somewhat longer' FROM i`;

interface Work {
  readonly name: string;
  readonly rows: number;
  run(connection: WasmConnection): void;
}

const WORKS: readonly Work[] = [
  { name: 'insert 100,000, bound one by one', rows: 0, run: insertBound },
  { name: 'insert 100,000, INSERT … SELECT', rows: 0, run: (connection) => void connection.run(fill(100_000)) },
  { name: 'insert 1,000, bound one by one', rows: 0, run: (connection) => insertBound(connection, 1_000) },
  {
    name: 'update 200,000, one column',
    rows: 200_000,
    run: (connection) => void connection.run('UPDATE t SET n = n + 1'),
  },
  {
    name: 'update 200,000, three columns',
    rows: 200_000,
    run: (connection) => void connection.run("UPDATE t SET n = n + 1, name = 'x', amount = 0.5"),
  },
  // The condition keeps SQLite from truncating the table when there is no hook.
  { name: 'delete 200,000', rows: 200_000, run: (connection) => void connection.run('DELETE FROM t WHERE id > 0') },
];

const { engine } = await createWasmEngine();
const rounds = Number(process.argv[2] ?? 7);
for (const work of WORKS.filter(({ name }) => name.includes(process.argv[3] ?? ''))) {
  const times = new Map<Way, number[]>(WAYS.map((way) => [way, []]));
  let logBytes = 0;
  // The first round is a warm-up for the compiler.
  for (let round = 0; round <= rounds; round++) {
    for (const way of WAYS) {
      const { milliseconds, bytes } = measure(work, way);
      if (round > 0) times.get(way)!.push(milliseconds);
      logBytes = Math.max(logBytes, bytes);
    }
  }
  console.log(`${work.name}; the log has ${logBytes.toLocaleString('en')} bytes`);
  const off = times.get('off')!;
  for (const way of WAYS) {
    const ratios = times.get(way)!.map((time, round) => time / off[round]!);
    console.log(
      `  ${way.padEnd(16)} ${median(times.get(way)!).toFixed(0).padStart(5)} ms  ${median(ratios).toFixed(2)} of off (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
    );
  }
}

function measure(work: Work, way: Way): { readonly milliseconds: number; readonly bytes: number } {
  const connection = engine.open(IN_MEMORY, { durability: 'full', create: true }) as WasmConnection;
  connection.run(TABLE);
  if (work.rows > 0) connection.run(fill(work.rows));
  if (way === 'off') connection.sqlite.raw.sqlite3_preupdate_hook(connection.db, 0, 0);
  if (way === 'changes and log') connection.record({ budgetBytes: 1 << 30, guard: GUARD });
  let bytes = 0;
  connection.onCommit(({ log }) => {
    if (log !== null && log !== 'dropped') bytes = log.bytes.length;
  });
  const before = process.cpuUsage();
  work.run(connection);
  const after = process.cpuUsage();
  connection.close();
  return { milliseconds: (after.user + after.system - before.user - before.system) / 1_000, bytes };
}

function insertBound(connection: WasmConnection, count = 100_000): void {
  connection.run('BEGIN');
  const statement = connection.prepare('INSERT INTO t VALUES (?, ?, ?, ?, ?)');
  for (let row = 1; row <= count; row++) {
    statement.bind([row, `name ${row}`, row * 1.5, row, 'a note that is somewhat longer']);
    statement.step();
  }
  statement.finalize();
  connection.run('COMMIT');
}

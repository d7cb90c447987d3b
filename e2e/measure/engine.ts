// The engine by itself, in Node and in memory, beside the package's own wrapper and a native SQLite of the same version: interleaved in
// one run, with equal pragmas, everything consumed, and all answers the same. Times are of the processor, which others do not stretch.
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import Sqlite from 'better-sqlite3';
import { quietMoment } from './machine.ts';
import type { Report } from './report.ts';

const ROUNDS = 9;
const ROWS = 100_000;
const READ_ROWS = 50_000;
const POINTS = 20_000;
const DETAILS = 1_000;
const TARGETS = resolve(import.meta.dirname, '../../worker/engines/wasm/bench/targets.ts');
const OURS = 'sidelite';
/** Pairs whose times are reported as ratios. */
const RATIOS = [
  [OURS, 'oo1'],
  [OURS, 'better-sqlite3'],
  [OURS, 'sidelite, no tracking'],
  ['sidelite, history too', 'sidelite, no tracking'],
] as const;

type Value = string | number | bigint | Uint8Array | null;
type Row = readonly Value[];

/** Matches worker/engines/wasm/bench/targets.ts, which is loaded as it is. */
interface Bench {
  run(sql: string): void;
  insert(sql: string, rows: readonly Row[]): void;
  read(sql: string, take: (row: Row) => void): void;
  fetch(sql: string): number;
  points(sql: string, keys: readonly number[], take: (row: Row) => void): void;
  one(sql: string): Row;
  close(): void;
}

interface Target {
  readonly name: string;
  open(): Bench;
}

const PRAGMAS = ['page_size = 8192', 'journal_mode = MEMORY', 'cache_size = -65536', 'foreign_keys = ON'];
const SETTINGS = ['page_size', 'journal_mode', 'cache_size', 'foreign_keys'];
const SCHEMA = [
  'CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, price REAL, note TEXT, kind INTEGER)',
  'CREATE TABLE kind (id INTEGER PRIMARY KEY, label TEXT)',
];

/** Milliseconds and what came out, of one task on one benchmark target. */
interface Task {
  readonly what: string;
  run(bench: Bench): unknown;
}

const random = (): (() => number) => {
  let state = 7;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0);
};
const next = random();
const ITEMS: readonly Row[] = Array.from({ length: ROWS }, (_, index) => [
  index + 1,
  `item number ${index}`,
  (next() % 100_000) / 100 + 0.005, // never whole: one of them tells 2.0 from 2
  `a note of some length about item ${next() % 1000}`,
  (next() % DETAILS) + 1,
]);
const KINDS: readonly Row[] = Array.from({ length: DETAILS }, (_, index) => [index + 1, `kind ${index}`]);
const KEYS = Array.from({ length: POINTS }, () => (next() % ROWS) + 1);

/** They run in this order on one database each: later ones build on earlier ones. */
const TASKS: readonly Task[] = [
  {
    what: `insert ${ROWS.toLocaleString('en')} bound rows of 5`,
    run(bench) {
      bench.insert('INSERT INTO item VALUES (?, ?, ?, ?, ?)', ITEMS);
      return bench.one('SELECT count(*), sum(length(note)) FROM item');
    },
  },
  {
    what: `fetch ${READ_ROWS.toLocaleString('en')} x 5 to be sent on`,
    run: (bench) => bench.fetch(`SELECT * FROM item LIMIT ${READ_ROWS}`),
  },
  {
    what: `read ${READ_ROWS.toLocaleString('en')} x 5, each value`,
    run: (bench) => sumOf((take) => bench.read(`SELECT * FROM item LIMIT ${READ_ROWS}`, take)),
  },
  {
    what: `${POINTS.toLocaleString('en')} rows by key`,
    run: (bench) => sumOf((take) => bench.points('SELECT name, price, note FROM item WHERE id = ?', KEYS, take)),
  },
  {
    what: 'scan and group',
    run: (bench) =>
      bench.one(
        'SELECT count(*), sum(n), max(m) FROM (SELECT kind, count(*) AS n, max(price) AS m FROM item GROUP BY kind)',
      ),
  },
  {
    what: 'join',
    run: (bench) => bench.one('SELECT count(*), sum(length(label)) FROM item JOIN kind ON kind.id = item.kind'),
  },
  {
    what: 'update half the rows',
    run(bench) {
      bench.run("UPDATE item SET note = note || '!' WHERE id % 2");
      return bench.one('SELECT sum(length(note)) FROM item');
    },
  },
  {
    what: 'delete half the rows',
    run(bench) {
      bench.run('DELETE FROM item WHERE id % 2 = 0');
      return bench.one('SELECT count(*) FROM item');
    },
  },
];

export async function measureEngine(report: Report): Promise<void> {
  const { wasmTargets } = (await import(pathToFileURL(TARGETS).href)) as {
    wasmTargets(): Promise<readonly Target[]>;
  };
  const targets = [...(await wasmTargets()), { name: 'better-sqlite3', open: () => new NativeBench() }];
  for (const { name, settings } of targets.map(aboutOf)) report.note(`engine: ${name}: ${settings}`);
  const times = TASKS.map(() => targets.map((): number[] => []));
  for (let round = -1; round < ROUNDS; round++) {
    if (round >= 0) await quietMoment();
    const order = targets.map((_, index) => (index + round + 1) % targets.length);
    const benches = targets.map(({ open }) => prepared(open()));
    for (const [task, { what, run }] of TASKS.entries()) {
      const answers = new Set<string>();
      for (const index of order) {
        const before = process.cpuUsage();
        const answer = run(benches[index]!);
        const { user, system } = process.cpuUsage(before);
        const ms = (user + system) / 1000;
        answers.add(
          JSON.stringify(answer, (_key, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)),
        );
        // The first round is for the compilers.
        if (round >= 0) times[task]![index]!.push(ms);
      }
      if (answers.size !== 1) throw new Error(`${what}: not the same for all: ${[...answers].join(' ')}`);
    }
    for (const bench of benches) bench.close();
  }
  for (const [task, { what }] of TASKS.entries()) addTask(report, what, targets, times[task]!);
}

function addTask(report: Report, what: string, targets: readonly Target[], times: readonly number[][]): void {
  for (const [index, { name }] of targets.entries()) report.add(`${what}: ${name}`, 'ms', times[index]!);
  const timesOf = (wanted: string): readonly number[] => times[targets.findIndex(({ name }) => name === wanted)]!;
  for (const [one, other] of RATIOS) {
    // Compare within a round: what slows one down slows the other.
    const shares = timesOf(one).map((ms, round) => ms / timesOf(other)[round]!);
    report.add(`${what}: ${one} / ${other}`, 'x', shares);
  }
}

function prepared(bench: Bench): Bench {
  for (const pragma of PRAGMAS) bench.one(`PRAGMA ${pragma}`);
  for (const sql of SCHEMA) bench.run(sql);
  bench.insert('INSERT INTO kind VALUES (?, ?)', KINDS);
  return bench;
}

function aboutOf({ name, open }: Target): { name: string; settings: string } {
  const bench = prepared(open());
  const settings = SETTINGS.map((setting) => `${setting} ${String(bench.one(`PRAGMA ${setting}`)[0])}`);
  const [version] = bench.one('SELECT sqlite_source_id()');
  bench.close();
  return { name, settings: `${settings.join(', ')}, ${String(version).slice(0, 44)}` };
}

/** Looks at every value, so that nothing can be left out. */
function sumOf(read: (take: (row: Row) => void) => void): number {
  let sum = 0;
  read((row) => {
    for (const value of row) sum += typeof value === 'string' ? value.length : Number(value);
  });
  return Math.round(sum);
}

class NativeBench implements Bench {
  readonly #db = new Sqlite(':memory:');

  run(sql: string): void {
    this.#db.exec(sql);
  }

  insert(sql: string, rows: readonly Row[]): void {
    const statement = this.#db.prepare(sql);
    this.run('BEGIN');
    for (const row of rows) statement.run(row);
    this.run('COMMIT');
  }

  read(sql: string, take: (row: Row) => void): void {
    for (const row of this.#db.prepare(sql).raw().iterate()) take(row as Row);
  }

  fetch(sql: string): number {
    return this.#db.prepare(sql).raw().all().length;
  }

  points(sql: string, keys: readonly number[], take: (row: Row) => void): void {
    const statement = this.#db.prepare(sql).raw();
    for (const key of keys) take(statement.get(key) as Row);
  }

  one(sql: string): Row {
    const statement = this.#db.prepare(sql);
    if (statement.reader) return (statement.raw().get() as Row | undefined) ?? [];
    statement.run();
    return [];
  }

  close(): void {
    this.#db.close();
  }
}

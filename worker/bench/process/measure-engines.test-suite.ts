// The engine as it is, without its change tracking, and with its history, the package's own wrapper around the same SQLite, and
// better-sqlite3: in Node and in memory, interleaved, with equal settings and equal answers. For `npm run measure engine`, no part of the
// product. Times are of the processor, which other programs do not stretch.
import { PROFILES } from '#shared/bench/profile.ts';
import { Sink } from '#shared/bench/sink.ts';
import { createRandom } from '#shared/random.ts';
import { loadBetterSqlite } from '../../engines/native/runtime/load.ts';
import type { WasmConnection } from '../../engines/wasm/connection.ts';
import { loadSqlite } from '../../engines/wasm/runtime/load.ts';
import { createWasmEngine, IN_MEMORY } from '../../engines/wasm/wasm-engine.ts';
import { deliverRows } from '../deliver.ts';
import type { BenchDatabase } from '../driver.ts';
import { oo1Database } from '../drivers/oo1.ts';
import type { Oo1Module } from '../drivers/oo1.ts';
import { productDatabase } from '../drivers/product.ts';
import { exec, inTransaction, read, run } from '../program.ts';
import type { ParamRow, ReadStep, Step } from '../program.ts';
import { betterSqliteDatabase } from './better-sqlite.ts';

const ROWS = 100_000;
const READ_ROWS = 50_000;
const POINTS = 20_000;
const KINDS = 1_000;
const BUDGET_BYTES = 256 << 20;

interface MeasuredEngine {
  readonly name: string;
  open(): BenchDatabase;
}

interface Task {
  readonly what: string;
  readonly steps: readonly Step[];
  /** Its rows are packed as they travel; the other tasks look at every value. */
  readonly packs?: ReadStep;
}

export interface EngineTimes {
  /** Versions and settings, a line for each engine. */
  readonly about: readonly string[];
  /** Milliseconds of each round, by engine. */
  readonly tasks: readonly { readonly what: string; readonly times: ReadonlyMap<string, readonly number[]> }[];
}

const random = createRandom(7);
const count = (rows: number): string => rows.toLocaleString('en');
const items: readonly ParamRow[] = Array.from({ length: ROWS }, (_, index) => [
  index + 1,
  `item number ${index}`,
  random.between(0, 99_999) / 100 + 0.005, // never whole: one of them tells 2.0 from 2
  `a note of some length about item ${random.between(0, 999)}`,
  random.between(1, KINDS),
]);
const kinds: readonly ParamRow[] = Array.from({ length: KINDS }, (_, index) => [index + 1, `kind ${index}`]);
const keys: readonly ParamRow[] = Array.from({ length: POINTS }, () => [random.between(1, ROWS)]);

const SCHEMA = [
  exec('CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, price REAL, note TEXT, kind INTEGER)'),
  exec('CREATE TABLE copy (id INTEGER PRIMARY KEY, name TEXT, price REAL, note TEXT, kind INTEGER)'),
  exec('CREATE TABLE kind (id INTEGER PRIMARY KEY, label TEXT)'),
  ...inTransaction(run('INSERT INTO kind VALUES (?, ?)', kinds)),
];
const CHECK = read('SELECT count(*), sum(length(name)), sum(length(note)) FROM item');
const some = read(`SELECT * FROM item LIMIT ${READ_ROWS}`);

/** They run in this order on one database each: later ones build on earlier ones. */
const TASKS: readonly Task[] = [
  {
    what: `insert ${count(ROWS)} bound rows of 5`,
    steps: [...inTransaction(run('INSERT INTO item VALUES (?, ?, ?, ?, ?)', items)), CHECK],
  },
  { what: 'INSERT … SELECT of all rows', steps: [exec('INSERT INTO copy SELECT * FROM item')] },
  { what: `pack ${count(READ_ROWS)} x 5 to be sent on`, steps: [], packs: some },
  { what: `read ${count(READ_ROWS)} x 5, each value`, steps: [some] },
  { what: `${count(POINTS)} rows by key`, steps: [read('SELECT name, price, note FROM item WHERE id = ?', keys)] },
  {
    what: 'scan and group',
    steps: [
      read(
        'SELECT count(*), sum(n), max(m) FROM (SELECT kind, count(*) AS n, max(price) AS m FROM item GROUP BY kind)',
      ),
    ],
  },
  { what: 'join', steps: [read('SELECT count(*), sum(length(label)) FROM item JOIN kind ON kind.id = item.kind')] },
  { what: 'update half the rows', steps: [exec("UPDATE item SET note = note || '!' WHERE id % 2"), CHECK] },
  { what: 'update three columns', steps: [exec("UPDATE item SET kind = kind + 1, name = 'x', price = 0.5"), CHECK] },
  { what: 'delete half the rows', steps: [exec('DELETE FROM item WHERE id % 2 = 0'), CHECK] },
];

/** @param rest called before each round */
export async function measureEngines(rounds: number, rest: () => Promise<void>): Promise<EngineTimes> {
  const engines = await measuredEngines();
  const tasks = TASKS.map(({ what }) => ({ what, times: new Map(engines.map(({ name }) => [name, [] as number[]])) }));
  const about: string[] = [];
  // The first round is for the compilers.
  for (let round = -1; round < rounds; round++) {
    if (round >= 0) await rest();
    const open = new Map(engines.map((engine) => [engine.name, engine.open()]));
    for (const database of open.values()) await checksumOf(database, SCHEMA);
    if (round < 0) for (const [name, database] of open) about.push(`${name}: ${await settingsOf(database)}`);
    const order = engines.map((_, index) => engines[(index + round + 1) % engines.length]!.name);
    for (const [at, { what, steps, packs }] of TASKS.entries()) {
      const answers = new Set<string>();
      for (const name of order) {
        const database = open.get(name)!;
        const before = process.cpuUsage();
        answers.add(await (packs ? countPacked(database, packs) : checksumOf(database, steps)));
        const { user, system } = process.cpuUsage(before);
        if (round >= 0) tasks[at]!.times.get(name)!.push((user + system) / 1_000);
      }
      if (answers.size !== 1) throw new Error(`${what}: not the same for all: ${[...answers].join(' ')}`);
    }
    for (const database of open.values()) await database.close();
  }
  return { about, tasks };
}

async function measuredEngines(): Promise<readonly MeasuredEngine[]> {
  const pragmas = PROFILES.memory;
  const { engine } = await createWasmEngine();
  const wrapper = (await loadSqlite()).package as unknown as Oo1Module;
  const native = await loadBetterSqlite();
  const product = (arrange: (connection: WasmConnection) => void) => (): BenchDatabase => {
    const connection = engine.open(IN_MEMORY, { durability: 'balanced', create: true, untrusted: false });
    arrange(connection as WasmConnection);
    return productDatabase(connection as WasmConnection, pragmas);
  };
  return [
    { name: 'sidelite', open: product(() => undefined) },
    { name: 'sidelite, history too', open: product(recordChanges) },
    { name: 'sidelite, no tracking', open: product(({ sqlite, db }) => sqlite.raw.sqlite3_preupdate_hook(db, 0, 0)) },
    { name: 'oo1', open: () => oo1Database(wrapper, new wrapper.oo1.DB(':memory:', 'c'), pragmas) },
    { name: 'better-sqlite3', open: () => betterSqliteDatabase(new native(':memory:', {}), pragmas, () => null) },
  ];
}

function recordChanges(connection: WasmConnection): void {
  const guard = { beforeSchemaChange: () => undefined, overBudget: () => 'drop' as const, covers: () => false };
  connection.record({ budgetBytes: BUDGET_BYTES, guard });
  connection.onCommit(() => undefined);
}

/** Looks at every value, so that nothing can be left out. */
async function checksumOf(database: BenchDatabase, steps: readonly Step[]): Promise<string> {
  const sink = new Sink(false);
  for (const step of steps) if (step.do !== 'reopen') await database.perform(step, { sink, laps: null });
  return sink.checksum;
}

async function countPacked(database: BenchDatabase, packs: ReadStep): Promise<string> {
  let rows = 0;
  await deliverRows(database, { read: packs, form: 'packed' }, async (chunk) => {
    if (chunk.form === 'packed') rows += chunk.rows.rowCount;
  });
  return String(rows);
}

async function settingsOf(database: BenchDatabase): Promise<string> {
  const found: unknown[] = [];
  const sink = { value: (value: unknown) => void found.push(value), endRow: () => undefined, changed: () => undefined };
  await database.perform(read('SELECT sqlite_source_id()'), { sink, laps: null });
  const settings = Object.entries(await database.pragmas()).map(([name, value]) => `${name} ${String(value)}`);
  return `${settings.join(', ')}, ${String(found[0]).slice(0, 44)}`;
}

// Round trips of one small statement: the twelve of PGlite's benchmark, with ids that exist and values that change, so that each does work.
import type { EngineDefinition } from '#shared/bench/engines.ts';
import type { Random } from '#shared/random.ts';
import { distinctIds, exec, inTransaction, randomIds, read, run, type ParamRow, type Step } from '../program.ts';
import type { BenchSuite, BenchTest, ProgramInput } from '../suite.ts';

const SHORT = 1_000;
const LONG = 10_000;
/** Rows in the table for each statement that is run. */
const SPARE = 2;

const latency = {
  kind: 'latency',
  unit: 'us',
  transaction: 'Implicit: one for each statement, which is prepared from its text.',
} as const;

export const rtt: BenchSuite = {
  id: 'rtt',
  tests: [
    ...roundTrips('number', 'a number', 't1', (random) => random.between(0, 1_000_000)),
    ...roundTrips('text-1k', '1,000 characters', 't2', (random) => text(random, SHORT)),
    ...roundTrips('text-10k', '10,000 characters', 't2', (random) => text(random, LONG)),
  ],
};

/** Insert, select, update, delete of one row with one value. */
function roundTrips(id: string, what: string, table: string, value: (random: Random) => number | string): BenchTest[] {
  const check = [read(`SELECT count(*), sum(id), sum(${table === 't1' ? 'a' : 'length(a)'}) FROM ${table}`)];
  const test = (
    verb: string,
    title: string,
    database: BenchTest['database'],
    step: (input: ProgramInput, rows: number) => Step,
  ): BenchTest => ({
    ...latency,
    id: `${verb}-${id}`,
    title,
    database,
    program: (input) => {
      const rows = input.size * SPARE;
      return {
        prepare: filled(input, table, rows, value),
        timed: [step(input, rows)],
        check: database === 'fresh' ? check : [],
        rows: input.size,
      };
    },
  });
  return [
    test('insert', `Insert ${what}`, 'fresh', ({ size, random }) =>
      run(
        `INSERT INTO ${table}(a) VALUES (?)`,
        Array.from({ length: size }, () => [value(random)]),
        'each',
      ),
    ),
    test('select', `Select ${what} by key`, 'kept', ({ size, random }, rows) =>
      read(`SELECT id, a FROM ${table} WHERE id = ?`, randomIds(random, size, rows), 'each'),
    ),
    test('update', `Update ${what} by key`, 'fresh', ({ size, random }, rows) =>
      run(
        `UPDATE ${table} SET a = ? WHERE id = ?`,
        distinctIds(random, size, rows).map(([key]): ParamRow => [value(random), key!]),
        'each',
      ),
    ),
    test('delete', `Delete ${what} by key`, 'fresh', ({ size, random }, rows) =>
      run(`DELETE FROM ${table} WHERE id = ?`, distinctIds(random, size, rows), 'each'),
    ),
  ];
}

function filled(
  { random, engine }: ProgramInput,
  table: string,
  rows: number,
  value: (random: Random) => number | string,
): readonly Step[] {
  const type = table === 't1' ? 'INTEGER' : 'TEXT';
  return [
    exec(`CREATE TABLE ${table}(id ${serial(engine)}, a ${type})`),
    ...inTransaction(
      run(
        `INSERT INTO ${table}(a) VALUES (?)`,
        Array.from({ length: rows }, () => [value(random)]),
      ),
    ),
  ];
}

function serial({ dialect }: EngineDefinition): string {
  return dialect === 'postgres' ? 'SERIAL PRIMARY KEY' : 'INTEGER PRIMARY KEY AUTOINCREMENT';
}

function text(random: Random, length: number): string {
  const word = random.between(0, 0xffff_ffff).toString(36);
  return word.repeat(Math.ceil(length / word.length)).slice(0, length);
}

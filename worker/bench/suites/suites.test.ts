// Every suite on two bindings of SQLite in this process: it runs, does the work it says, and reads the same on both.
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { engineOf } from '#shared/bench/engines.ts';
import { Sink } from '#shared/bench/sink.ts';
import type { RowSink } from '#shared/bench/sink.ts';
import { SUITES, suiteOf } from '#shared/bench/suites.ts';
import { createRandom } from '#shared/random.ts';
import type { NativeValue } from '../../engines/native/binding.ts';
import { loadBetterSqlite, type Database } from '../../engines/native/load.ts';
import { performSync, type SyncCalls } from '../drivers/sync-database.ts';
import type { ParamRow, Step } from '../program.ts';
import type { BenchTest, Program, ScalarFunction } from '../suite.ts';
import { SUITE_FILES } from './all.ts';

interface Binding extends SyncCalls {
  define(functions: readonly ScalarFunction[]): void;
  close(): void;
}

const BetterSqlite = await loadBetterSqlite();
const engine = engineOf('native-balanced')!;

for (const id of ['million', 'crud', 'speedtest1', 'rtt', 'sqlite16'] as const)
  test(`${id} does on both bindings what it says`, async () => {
    const suite = await SUITE_FILES[id]!();
    const size = suiteOf(id)!.quickSize;
    const outcomes = [nodeBinding, betterBinding].map((open) => outcomeOf(suite.tests, size, open));
    expect(outcomes[0]).toEqual(outcomes[1]);
    // The rows of results and tables are the suite's assertions; some tests must have some.
    expect(outcomes[0]!.filter(({ asserted }) => asserted).length).toBeGreaterThan(0);
  });

test('suites are where they are said to be, and no test has the name of another', async () => {
  for (const { id } of SUITES) {
    const tests = (await SUITE_FILES[id]?.())?.tests ?? [];
    expect(new Set(tests.map((each) => each.id)).size).toBe(tests.length);
  }
});

function outcomeOf(tests: readonly BenchTest[], size: number, open: () => Binding) {
  const sequences = new Map<string, Binding>();
  return tests
    .filter(({ sizes }) => !sizes || sizes.includes(size))
    .map((each) => {
      const program = each.program({ size, random: createRandom(7), engine });
      const binding = (each.sequence ? sequences.get(each.sequence) : undefined) ?? open();
      if (each.sequence) sequences.set(each.sequence, binding);
      binding.define(program.functions ?? []);
      const outcome = { id: each.id, ...runProgram(binding, program) };
      if (!each.sequence) binding.close();
      return outcome;
    });
}

function runProgram(binding: Binding, program: Program) {
  perform(binding, program.prepare);
  const timed = perform(binding, program.timed);
  if (program.rows !== undefined) expect(timed.rows).toBe(program.rows);
  for (const [table, rows] of Object.entries(program.counted ?? {})) {
    const sink = { rows: [] as unknown[] };
    const statement = binding.prepare(`SELECT count(*) FROM ${table}`);
    statement.read([], { value: (value: unknown) => sink.rows.push(value), endRow: () => {} } as unknown as Sink);
    statement.finalize();
    expect(sink.rows).toEqual([rows]);
  }
  const asserted = program.rows !== undefined || Object.keys(program.counted ?? {}).length > 0;
  return { timed: timed.checksum, checked: perform(binding, program.check).checksum, asserted };
}

function perform(binding: Binding, steps: readonly Step[]): Sink {
  const sink = new Sink(true);
  // A database in memory cannot be opened again; that step is measured in the app only.
  for (const step of steps) if (step.do !== 'reopen') performSync(binding, step, { sink, laps: null });
  return sink;
}

function nodeBinding(): Binding {
  const database = new DatabaseSync(':memory:');
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => {
      const statement = database.prepare(sql);
      statement.setReturnArrays(true);
      return {
        run: (params) => Number(statement.run(...params).changes),
        read: (params, sink) => sinkRows(statement.all(...params) as unknown as unknown[][], sink),
        finalize: () => {},
      };
    },
    define: (functions) => {
      for (const { name, call } of functions)
        database.function(name, { varargs: true }, (...args) => call(...(args as ParamRow)));
    },
    close: () => database.close(),
  };
}

function betterBinding(): Binding {
  const database = new BetterSqlite(':memory:', {}) as Database & { exec(sql: string): void };
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => {
      const statement = database.prepare(sql);
      if (statement.reader) statement.raw(true);
      return {
        run: (params) => statement.run(...params).changes,
        read: (params, sink) => {
          const rows = statement.iterate(...params);
          for (let next = rows.next(); !next.done; next = rows.next()) sinkRows([next.value], sink);
        },
        finalize: () => {},
      };
    },
    define: (functions) => {
      for (const { name, call } of functions)
        database.function(name, { varargs: true }, (...args: ParamRow) => call(...args) as NativeValue);
    },
    close: () => database.close(),
  };
}

function sinkRows(rows: readonly (readonly unknown[])[], sink: RowSink): void {
  for (const row of rows) {
    for (const value of row) sink.value(value);
    sink.endRow();
  }
}

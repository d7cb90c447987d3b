// Regardless of what is written, a query whose result changed is notified. Extra notices are counted, and few.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { Connection } from '../engines/engine.ts';
import type { TransactionChanges } from '../engines/transaction-changes.ts';
import { createWasmEngine, IN_MEMORY } from '../engines/wasm/wasm-engine.ts';
import { QUERIES, SCHEMA, transaction } from './random-writes.test-suite.ts';
import { ReadSet } from './read-set.ts';
import { effectOnTable } from './reader.ts';

const { engine } = await createWasmEngine();

interface Watched {
  readonly sql: string;
  readonly tells: (changes: TransactionChanges) => boolean;
  result: string;
}

describe('what a query is told', () => {
  it('is never less than what changed, and seldom more', () => {
    const counts = { asked: 0, changed: 0, extra: 0 };
    fc.assert(
      fc.property(fc.array(transaction, { minLength: 4, maxLength: 12 }), (transactions) => {
        const connection = engine.open(IN_MEMORY, { durability: 'balanced', create: true });
        try {
          runAll(connection, SCHEMA.split('\n'));
          const watched = [...QUERIES.map((query) => watch(connection, query)), ...readersOf(connection)];
          for (const { statements, shape } of transactions) {
            for (const steps of shape === 'each' ? statements.map((one) => [one]) : [grouped(statements, shape)]) {
              const published = listen(connection, () => runSteps(connection, steps));
              check(connection, watched, published, counts, steps);
            }
          }
        } finally {
          connection.close();
        }
      }),
      { seed: 20_263, numRuns: seedCount(120) },
    );
    // This includes queries of virtual tables that do not reveal where their rows come from.
    expect(counts.extra / (counts.asked - counts.changed)).toBeLessThan(0.2);
  });
});

function check(
  connection: Connection,
  watched: readonly Watched[],
  published: readonly TransactionChanges[],
  counts: { asked: number; changed: number; extra: number },
  steps: readonly string[],
): void {
  for (const query of watched) {
    const told = published.some((changes) => query.tells(changes));
    const result = resultOf(connection, query.sql);
    const changed = result !== query.result;
    if (changed && !told)
      throw new Error(`Not told: ${query.sql}\nafter ${steps.join('; ')}\n${query.result}\n${result}`);
    query.result = result;
    // A change of the schema is rare, and notifies every query.
    if (published.length === 0 || published.some(({ schema }) => schema)) continue;
    counts.asked++;
    if (changed) counts.changed++;
    if (told && !changed) counts.extra++;
  }
}

function watch(connection: Connection, query: string, reads = query): Watched {
  const readSet = new ReadSet(connection, reads, []);
  return { sql: query, tells: (changes) => readSet.touchedBy(changes), result: resultOf(connection, query) };
}

/** Readers of tables keep the keys in order, which an update of other columns must not disturb. */
function readersOf(connection: Connection): Watched[] {
  const keys = (sql: string, table: string): Watched => ({
    sql,
    tells: (changes) => effectOnTable(changes, table)?.kind === 'rows',
    result: resultOf(connection, sql),
  });
  const rows = (table: string): Watched => ({
    sql: `SELECT * FROM ${table}`,
    tells: (changes) => effectOnTable(changes, table) !== null,
    result: resultOf(connection, `SELECT * FROM ${table}`),
  });
  return [
    keys('SELECT id FROM a ORDER BY id', 'a'),
    keys('SELECT rowid FROM b ORDER BY rowid', 'b'),
    keys('SELECT part, k FROM w ORDER BY part, k', 'w'),
    rows('a'),
    rows('w'),
    rows('made'),
    watch(connection, 'SELECT id FROM a ORDER BY t DESC, id', 'SELECT 1 FROM a ORDER BY t DESC, id'),
    watch(connection, 'SELECT id FROM made WHERE twice > 4', 'SELECT 1 FROM made WHERE twice > 4'),
  ];
}

function grouped(statements: readonly string[], shape: string): readonly string[] {
  return ['BEGIN', ...statements, shape === 'together' ? 'COMMIT' : 'ROLLBACK'];
}

function listen(connection: Connection, work: () => void): TransactionChanges[] {
  const published: TransactionChanges[] = [];
  connection.onCommit((changes) => published.push(changes));
  work();
  connection.onCommit(null);
  return published;
}

/** Runs a script as a user might: statements fail, the rest continues; nothing is left open. */
function runSteps(connection: Connection, steps: readonly string[]): void {
  for (const step of steps) runSafely(connection, step);
  if (!connection.autocommit) runSafely(connection, 'COMMIT');
  if (!connection.autocommit) runSafely(connection, 'ROLLBACK');
}

function runSafely(connection: Connection, step: string): void {
  try {
    connection.run(step);
  } catch {
    // Constraints, missing tables, no such savepoint: part of the game.
  }
}

function runAll(connection: Connection, statements: readonly string[]): void {
  for (const one of statements) if (one.trim() !== '') connection.run(one);
}

function resultOf(connection: Connection, query: string): string {
  try {
    return JSON.stringify(connection.all(query));
  } catch {
    return 'cannot be read';
  }
}

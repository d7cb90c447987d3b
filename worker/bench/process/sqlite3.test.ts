// node-sqlite3's driver over calls of the same shape: its preparing, binding, reading and closing, without the package.
import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { SQLInputValue } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { engineOf } from '#shared/bench/engines.ts';
import { pragmaDifferences, PROFILES } from '#shared/bench/profile.ts';
import { Sink } from '#shared/bench/sink.ts';
import { exec, inTransaction, read, run } from '../program.ts';
import type { Step } from '../program.ts';
import { sqlite3Driver } from './sqlite3.ts';
import type { Sqlite3 } from './sqlite3.ts';

const directory = mkdtempSync(join(tmpdir(), 'sidelite-sqlite3-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Follows the documentation of these calls: callbacks, later, with `changes` in `this`; rows are objects. */
function likeSqlite3(): Sqlite3 {
  const later = <Answer>(work: () => Answer, done: (error: Error | null, answer: Answer) => void): void => {
    setImmediate(() => {
      let answer: Answer;
      try {
        answer = work();
      } catch (error) {
        return done(error as Error, undefined as Answer);
      }
      done(null, answer);
    });
  };
  class Database {
    readonly #database: DatabaseSync;
    constructor(path: string, done: (error: Error | null) => void) {
      this.#database = new DatabaseSync(path);
      later(() => undefined, done);
    }
    exec = (sql: string, done: (error: Error | null) => void) => later(() => this.#database.exec(sql), done);
    all = (sql: string, done: (error: Error | null, rows: readonly Record<string, unknown>[]) => void) =>
      later(() => this.#database.prepare(sql).all(), done);
    close = (done: (error: Error | null) => void) => later(() => this.#database.close(), done);
    prepare(sql: string, done: (error: Error | null) => void) {
      const statement = this.#database.prepare(sql);
      later(() => undefined, done);
      return {
        run: (params: readonly unknown[], after: (this: { changes: number }, error: Error | null) => void) =>
          later(
            () => Number(statement.run(...(params as SQLInputValue[])).changes),
            (error, changes) => after.call({ changes }, error),
          ),
        all: (
          params: readonly unknown[],
          after: (error: Error | null, rows: readonly Record<string, unknown>[]) => void,
        ) => later(() => statement.all(...(params as SQLInputValue[])), after),
        finalize: (after: (error: Error | null) => void) => later(() => undefined, after),
      };
    }
  }
  return { Database };
}

test('it sets and reads back the profile, counts changes, and hands over every value of every row', async () => {
  const driver = await sqlite3Driver(likeSqlite3(), engineOf('sqlite3')!, { directory: join(directory, 'files') });
  expect(driver.facts.version).toMatch(/^3\.\d+/);
  const database = await driver.create('a.db', PROFILES.full);
  expect(pragmaDifferences(PROFILES.full, await database.pragmas())).toEqual([]);
  const sink = new Sink(true);
  const perform = async (steps: readonly Step[]): Promise<void> => {
    for (const step of steps) if (step.do !== 'reopen') await database.perform(step, { sink, laps: null });
  };
  await perform([
    exec('CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)'),
    ...inTransaction(
      run('INSERT INTO t VALUES (?, ?)', [
        [1, 'one'],
        [2, 'two'],
        [3, null],
      ]),
    ),
  ]);
  expect(sink.rows).toBe(3);
  const values: unknown[] = [];
  const collect = {
    value: (value: unknown) => void values.push(value),
    endRow: () => void values.push('end'),
    changed: () => undefined,
  };
  await database.perform(read('SELECT a, b FROM t WHERE a >= ? ORDER BY a', [[2]]), { sink: collect, laps: null });
  expect(values).toEqual([2, 'two', 'end', 3, null, 'end']);
  await expect(perform([run('INSERT INTO t VALUES (?, ?)', [[1, 'again']])])).rejects.toThrow('UNIQUE');
  expect(await database.sizeBytes()).toBeGreaterThan(0);
  await database.close();
  await driver.end();
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { Connection } from '../engines/engine.ts';
import type { TransactionChanges } from '../engines/transaction-changes.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { holdOpen, runIn } from '../engines/native/storage/other-program.test-suite.ts';
import { FaultLab } from '../engines/wasm/faults/lab.test-suite.ts';
import { RestingConnection } from './resting-connection.ts';

const folder = mkdtempSync(join(tmpdir(), 'sidelite-resting-'));
afterAll(() => rmSync(folder, { recursive: true }));

const lab = await FaultLab.open();
lab.disk.start(null, 0);
const native = await createNativeEngine();
let made = 0;
const newFile = (): string => join(folder, `${++made}.db`);

/** A function that opens a new database each time. */
const engines: Readonly<Record<string, () => () => Connection>> = {
  'in the library': () => {
    const file = `/db-${++made}.sqlite3`;
    return () => lab.connect('full', file);
  },
  'in place': () => {
    const file = newFile();
    return () => native.open(file, { durability: 'full', create: true });
  },
};

const SCHEMA = 'CREATE TABLE t (id INTEGER PRIMARY KEY, v)';
const LET_PASS = { beforeSchemaChange: () => undefined, overBudget: () => 'drop' as const, covers: () => false };

/** The state visible to its holder. */
function look(connection: Connection): unknown {
  const { autocommit, totalChanges, rollbacks, dataVersion, fileSizeBytes } = connection;
  return [autocommit, totalChanges, rollbacks, dataVersion, fileSizeBytes, connection.all('SELECT * FROM t')];
}

const STEPS = ["INSERT INTO t (v) VALUES ('more')", 'UPDATE t SET v = v || 1', 'DELETE FROM t WHERE id % 3 = 0', 'BEGIN', 'COMMIT', 'ROLLBACK']; // prettier-ignore

describe.each(Object.entries(engines))('a connection that rests now and then, %s', (_name, newDatabase) => {
  test('does what one does that stays open, whatever is done', () => {
    const moment = fc.oneof(fc.constantFrom(...STEPS), fc.constant('rest'));
    fc.assert(
      fc.property(fc.array(moment, { maxLength: 25 }), (moments) => {
        const resting = new RestingConnection(newDatabase());
        const open = newDatabase()();
        const published: [unknown[], unknown[]] = [[], []];
        for (const [at, connection] of [resting, open].entries()) {
          connection.run(SCHEMA);
          connection.record({ budgetBytes: 1e6, guard: LET_PASS });
          connection.onCommit(({ tables, schema, log }: TransactionChanges) =>
            published[at]!.push([[...(tables ?? [])], schema, log === 'dropped' ? log : log?.bytes]),
          );
        }
        const attempt = (connection: Connection, sql: string): string => {
          try {
            return String(connection.run(sql));
          } catch (error) {
            return (error as Error).message;
          }
        };
        for (const step of moments) {
          if (step === 'rest') {
            const marks = [resting.commitMark];
            expect(resting.rest()).toBe(open.autocommit);
            if (resting.isResting) expect(resting.autocommit).toBe(true);
            resting.one('SELECT 1');
            marks.push(resting.commitMark);
            // For a file in place, a checkpoint changes the mark.
            if (resting.autocommit && _name === 'in the library') expect(marks[1]).toBe(marks[0]);
          } else expect(attempt(resting, step)).toBe(attempt(open, step));
          const [seen, expected] = [look(resting), look(open)] as [unknown[], unknown[]];
          expect(seen.filter((_value, at) => at !== 4)).toEqual(expected.filter((_value, at) => at !== 4));
        }
        expect(published[0]).toEqual(published[1]);
        resting.close();
        open.close();
      }),
      { seed: 5, numRuns: seedCount(25) },
    );
  });

  test('keeps what its holder has set, and says what it knows without being opened', () => {
    let opened = 0;
    const connect = newDatabase();
    const connection = new RestingConnection(() => (opened++, connect()));
    connection.run(SCHEMA);
    connection.run("INSERT INTO t (v) VALUES ('one')");
    connection.setDurability('balanced');
    let asked = 0;
    connection.onProgress(() => (asked++, false));
    const before = [connection.totalChanges, connection.fileSizeBytes];
    expect(connection.rest()).toBe(true);
    expect([connection.totalChanges, connection.autocommit, connection.openLog]).toEqual([before[0], true, null]);
    expect(connection.fileSizeBytes).toBeGreaterThan(0);
    expect(connection.commitMark).not.toBe('');
    connection.checkpoint();
    expect(opened).toBe(1);
    expect(connection.one('PRAGMA synchronous')).toEqual([1]);
    connection.all('WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 9999) SELECT max(i) FROM n');
    if (_name === 'in the library') expect(asked).toBeGreaterThan(0);
    expect(opened).toBe(2);
    connection.close();
    expect(() => connection.one('SELECT 1')).toThrow('The database was closed.');
  });

  test.each([
    ['an open transaction', 'BEGIN; INSERT INTO t (v) VALUES (1)', 'ROLLBACK'],
    ['a TEMP table', 'CREATE TEMP TABLE own (a)', 'DROP TABLE own'],
    ['a TEMP view', 'CREATE TEMPORARY VIEW own AS SELECT 1', 'DROP VIEW own'],
    ['a setting', 'PRAGMA foreign_keys = OFF', 'PRAGMA foreign_keys = ON'],
    ['a setting nobody can ask for', 'PRAGMA case_sensitive_like = ON', 'PRAGMA case_sensitive_like = OFF'],
  ])('stays open for %s', (_what, make, undo) => {
    const connection = new RestingConnection(newDatabase());
    const runAll = (sql: string): void => {
      const script = connection.script(sql);
      for (let statement = script.next(); statement; statement = script.next()) while (statement.step());
      script.dispose();
    };
    connection.run(SCHEMA);
    connection.onCommit(() => undefined);
    runAll("INSERT INTO t (v) VALUES (0); PRAGMA table_info('t'); SELECT 'temp'");
    expect(connection.rest()).toBe(true);
    runAll(make);
    expect([connection.rest(), connection.isResting]).toEqual([false, false]);
    runAll(undo);
    expect(connection.rest()).toBe(true);
    connection.close();
  });
});

test('what another program has committed meanwhile is noticed, and only that', async () => {
  const file = newFile();
  const noticed: boolean[] = [];
  const connection = new RestingConnection(
    () => native.open(file, { durability: 'full', create: true }),
    (changed) => noticed.push(changed),
  );
  connection.run('PRAGMA journal_mode = WAL');
  connection.run(SCHEMA);
  expect(connection.rest()).toBe(true);
  const version = connection.dataVersion;
  connection.one('SELECT 1');
  expect([noticed, connection.dataVersion]).toEqual([[false], version]);
  connection.rest();
  const other = await holdOpen(file, "INSERT INTO t (v) VALUES ('theirs')");
  other.kill();
  expect(connection.one('SELECT v FROM t')).toEqual(['theirs']);
  expect(noticed).toEqual([false, true]);
  expect(connection.dataVersion).not.toBe(version);
  connection.close();
});

test('a file that is locked is waited for where work waits, and opened when it is free', async () => {
  const file = newFile();
  const connection = new RestingConnection(() => native.open(file, { durability: 'full', create: true }));
  connection.run(SCHEMA);
  expect(connection.rest()).toBe(true);
  const other = await holdOpen(file, 'BEGIN EXCLUSIVE');
  expect(connection.lockedBy('read')).not.toBeNull();
  expect(connection.isResting).toBe(true);
  await runIn(other, 'COMMIT');
  other.kill();
  expect(connection.lockedBy('read')).toBeNull();
  expect(connection.isResting).toBe(false);
  connection.close();
});

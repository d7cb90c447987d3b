// A rebuild that does not come to its end, wherever that is: the old table is there or the new one, whole, never something in between.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import { dumpDatabase } from '../engines/contract/dump.test-suite.ts';
import type { Connection } from '../engines/engine.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { canHappenTo, EFFECTS } from '../engines/wasm/faults/fault.ts';
import type { Effect, Kept, Operation } from '../engines/wasm/faults/fault.ts';
import { FaultLab } from '../engines/wasm/faults/lab.ts';
import { changeSchema } from './change.ts';
import { endlessTurn, finish } from './engines.test-suite.ts';
import { Work } from './work.ts';

const ROWS = 400;
const TABLE = 'CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT, boss REFERENCES t (id) ON DELETE CASCADE)';
const SETUP = [
  TABLE,
  'CREATE TABLE child (t REFERENCES t (id) ON DELETE CASCADE)',
  'CREATE INDEX by_a ON t (a)',
  'CREATE TRIGGER noted AFTER DELETE ON t BEGIN INSERT INTO child VALUES (old.id); END',
  'CREATE VIEW v AS SELECT a FROM t',
  `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${ROWS})
   INSERT INTO t SELECT i, printf('%0200d', i), nullif(i - 1, 0) FROM n`,
  'INSERT INTO child SELECT id FROM t WHERE id % 7 = 0',
];
const SQL = TABLE.replace('a TEXT', 'a TEXT CHECK (length(a) > 0)');

function setUp(connection: Connection): void {
  connection.run('PRAGMA cache_size = 10'); // Much of it is written before the end.
  for (const sql of SETUP) connection.run(sql);
}

function rebuild(connection: Connection): void {
  const change = { kind: 'change-table', table: 't', sql: SQL, columns: ['id', 'a', 'boss'] } as const;
  finish(changeSchema(new Work(endlessTurn(connection), () => undefined), [change]));
  connection.run('COMMIT');
}

const lab = await FaultLab.open();

function rehearse(): {
  readonly before: string;
  readonly after: string;
  readonly from: number;
  readonly operations: readonly Operation[];
} {
  lab.disk.start(null, 0);
  const connection = lab.connect('full');
  setUp(connection);
  const before = dumpDatabase(connection);
  const from = lab.disk.history.length;
  rebuild(connection);
  const after = dumpDatabase(connection);
  const operations = [...lab.disk.history];
  connection.close();
  return { before, after, from, operations };
}

/** Returns what is there afterwards. */
function strike(at: number, effect: Effect, kept: Kept, { before }: { readonly before: string }): string {
  lab.disk.start({ at, effect }, at);
  const connection = lab.connect('full');
  setUp(connection);
  let error: unknown = null;
  try {
    rebuild(connection);
  } catch (thrown) {
    error = thrown;
  }
  if (lab.disk.off) {
    try {
      connection.close();
    } catch {
      // There is no disk to be closed on.
    }
    lab.disk.restart(kept);
    const again = lab.connect('full');
    const found = dumpDatabase(again);
    expect(again.all('PRAGMA integrity_check')).toEqual([['ok']]);
    again.close();
    return found;
  }
  lab.disk.repair();
  if (error !== null) {
    expect(error).toBeInstanceOf(AppError);
    if (!connection.autocommit) connection.run('ROLLBACK');
    expect([connection.one('PRAGMA foreign_keys'), connection.one('PRAGMA legacy_alter_table')]).toEqual([[1], [0]]);
    expect(dumpDatabase(connection)).toBe(before);
  }
  const found = dumpDatabase(connection);
  connection.close();
  return found;
}

test('a disk that fails, fills up, tears writes or loses power at any moment leaves the old table or the new one', () => {
  const rehearsal = rehearse();
  const { before, after, from, operations } = rehearsal;
  expect(before).not.toBe(after);
  expect(operations.length - from).toBeGreaterThan(30);
  const kept: readonly Kept[] = ['all', 'some', 'none'];
  let struck = 0;
  let news = 0;
  for (let at = from; at < operations.length; at++) {
    const effects = EFFECTS.filter((effect) => canHappenTo(effect, operations[at]!));
    for (const [number, effect] of effects.entries()) {
      const found = strike(at, effect, kept[(at + number) % kept.length]!, rehearsal);
      expect([before, after], `${effect} at ${at}`).toContain(found);
      struck++;
      if (found === after) news++;
    }
  }
  expect(struck).toBeGreaterThan(150);
  expect(news).toBeLessThan(struck / 2);
});

const native = await createNativeEngine();
const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'sidelite-rebuild-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(['wal', 'delete'])(
  'a process that ends after any step leaves the file in place as it was, journal mode %s',
  (mode) => {
    const file = join(folder, `${mode}.db`);
    const connection = native.open(file, { durability: 'full', create: true });
    connection.run(`PRAGMA journal_mode = ${mode}`);
    setUp(connection);
    const before = dumpDatabase(connection);
    let steps = 0;
    /** What would be found after it: everything that is written. */
    const look = (): string => {
      const copy = join(folder, `${mode}-${++steps}`);
      mkdirSync(copy);
      for (const part of ['', '-wal', '-journal'])
        if (existsSync(file + part)) copyFileSync(file + part, join(copy, `file.db${part}`));
      const found = native.open(join(copy, 'file.db'), { durability: 'full' });
      try {
        return dumpDatabase(found);
      } finally {
        found.close();
      }
    };
    const watched = new Proxy(connection, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]): unknown => {
          const result: unknown = Reflect.apply(member, target, args);
          if (name === 'run' && args[0] !== 'COMMIT')
            expect({ after: args[0], found: look() }).toEqual({ after: args[0], found: before });
          return result;
        };
      },
    });
    rebuild(watched);
    expect(steps).toBeGreaterThan(8);
    const after = dumpDatabase(connection);
    expect(after).not.toBe(before);
    expect(look()).toBe(after);
    connection.close();
  },
);

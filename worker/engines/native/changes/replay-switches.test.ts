// A replay whose switches do not come back: nothing runs with them off, on either engine.
import Database from 'better-sqlite3';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Connection } from '../../engine.ts';
import { GuardedSwitches } from '../../guarded-switches.ts';
import { createNativeEngine } from '../native-engine.ts';
import { createWasmEngine, IN_MEMORY } from '../../wasm/wasm-engine.ts';

const [native, wasm] = [await createNativeEngine(), (await createWasmEngine()).engine];
const folder = mkdtempSync(join(tmpdir(), 'sidelite-switches-'));
afterAll(() => rmSync(folder, { recursive: true }));
const DURABLE = { durability: 'full', create: true } as const;

/** Makes `PRAGMA ignore_check_constraints = OFF` fail as often as `fails` says. */
type Break = (connection: Connection, fails: () => boolean) => void;
const refuseIt = (sql: string, fails: () => boolean): void => {
  if (sql.startsWith('PRAGMA ignore_check_constraints =') && fails()) throw new Error('out of memory');
};

const breakWasm: Break = (connection, fails) => {
  const run = connection.run.bind(connection);
  vi.spyOn(connection, 'run').mockImplementation((sql, params) => (refuseIt(sql, fails), run(sql, params)));
};
const breakNative: Break = (_, fails) => {
  const { prepare } = Database.prototype;
  vi.spyOn(Database.prototype, 'prepare').mockImplementation(function (this: Database.Database, sql: string) {
    refuseIt(sql, fails);
    return prepare.call(this, sql);
  });
};

describe.each([
  ['wasm', () => wasm.open(IN_MEMORY, DURABLE), breakWasm],
  ['native', () => native.open(join(folder, 'switches.sqlite3'), DURABLE), breakNative],
] as const)('%s', (_, open, breakIt) => {
  let connection: Connection;
  let failing = false;

  beforeEach(() => {
    connection = open();
    connection.run('CREATE TABLE parent(id INTEGER PRIMARY KEY)');
    connection.run('CREATE TABLE t(a CHECK (a > 0), p REFERENCES parent)');
    connection.run("CREATE TRIGGER no_nine BEFORE INSERT ON t WHEN new.a = 9 BEGIN SELECT RAISE(ABORT, 'nine'); END");
    failing = false;
    breakIt(connection, () => failing);
  });
  afterEach(() => {
    failing = false;
    connection.close();
    rmSync(join(folder, 'switches.sqlite3'), { force: true });
  });

  const expectProtected = (): void => {
    for (const values of ['(-1, NULL)', '(1, 77)', '(9, NULL)'])
      expect(() => connection.run(`INSERT INTO t VALUES ${values}`)).toThrow(
        expect.objectContaining({ code: 'constraint' }),
      );
    connection.run('PRAGMA writable_schema = ON');
    expect(() => connection.run("UPDATE sqlite_schema SET sql = 'x'")).toThrow();
  };

  it('runs nothing until they are back, and goes on when they are', () => {
    const statement = connection.prepare('INSERT INTO t VALUES (?, NULL)');
    const result = connection.replay(() => {
      connection.run('INSERT INTO t VALUES (-5, 99)');
      failing = true;
      return 'committed';
    });
    expect(result).toBe('committed');
    for (const work of [
      () => connection.run('INSERT INTO t VALUES (-1, NULL)'),
      () => connection.all('SELECT * FROM t'),
      () => connection.script('SELECT 1').next(),
      () => connection.check('SELECT 1'),
      () => connection.replay(() => 0),
      () => (statement.bind([-1]), statement.step()),
    ])
      expect(work).toThrow(expect.objectContaining({ code: 'unavailable' }));
    failing = false;
    expect(connection.all('SELECT * FROM t')).toEqual([[-5, 99]]);
    expectProtected();
  });

  it('leaves them on when they cannot be switched off, and when the work fails', () => {
    failing = true;
    expect(() => connection.replay(() => 0)).toThrow();
    failing = false;
    expectProtected();
    expect(() =>
      connection.replay(() => {
        failing = true;
        throw new Error('the work itself');
      }),
    ).toThrow('the work itself');
    expect(() => connection.run('INSERT INTO t VALUES (-1, NULL)')).toThrow(
      expect.objectContaining({ code: 'unavailable' }),
    );
    failing = false;
    expectProtected();
    expect(connection.one('SELECT count(*) FROM t')).toEqual([0]);
  });
});

it('tries again each time something is to run', () => {
  const switches = new GuardedSwitches();
  let left = 3;
  const restore = (): void => {
    if (--left > 0) throw new Error('not yet');
  };
  switches.whileOff({ set: () => undefined, restore }, () => undefined);
  expect(() => switches.assertOn()).toThrow('turned on again');
  switches.assertOn();
  expect(left).toBe(0);
});

import { describe, expect, test } from 'vitest';
import type { TransferPlan } from '#shared/protocol/transfer.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { scratchFiles } from '../native/transfer-files.ts';
import { DatabaseSync } from 'node:sqlite';
import { disks } from './history-disks.test-suite.ts';
import type { FileDisk } from './history-disks.test-suite.ts';
import { HistoryFixture } from './history-fixture.test-suite.ts';

// The scratch database has no history; its engine need not be that of the database.
const place = scratchFiles(await createNativeEngine());
const DUMP = `CREATE TABLE added (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT);
INSERT INTO added VALUES (1, 'one'), (7, 'seven');
CREATE INDEX added_name ON added (name);
CREATE TABLE t (id INTEGER PRIMARY KEY, a);
INSERT INTO t VALUES (1, 'taken'), (9, 'nine');
`;
const PLAN: TransferPlan = {
  tables: [
    { name: 'added', into: 'added', how: 'new' },
    { name: 't', into: 't', how: 'append' },
  ],
  indexes: true,
  triggers: true,
};

describe.each(disks)('tables of a dump into a database $name', (disk) => {
  const begin = async (): Promise<{ readonly fixture: HistoryFixture; readonly id: string }> => {
    const fixture = new HistoryFixture(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 'one')",
      disk,
    );
    fixture.scratchStore = place;
    fixture.files.set('dump.sql', new TextEncoder().encode(DUMP));
    const { id } = await fixture.call('transfer.open', {
      source: { kind: 'file', token: 'dump.sql' },
      dialect: null,
      encoding: null,
    });
    return { fixture, id };
  };

  test('are one step, undone and redone as one', async () => {
    const { fixture, id } = await begin();
    const before = fixture.dump;
    const reply = await fixture.call('transfer.move', { id, plan: PLAN });
    expect(reply).toMatchObject({
      tables: [
        { name: 'added', rows: 2 },
        { name: 't', rows: 1 },
      ],
      problems: 1,
      kept: [{ table: 't', row: 1 }],
    });
    const after = fixture.dump;
    expect(after).toContain('nine');
    expect(fixture.connection.all('SELECT * FROM sqlite_sequence')).toEqual([['added', 7]]);
    expect(await fixture.steps()).toHaveLength(1);
    await fixture.undo();
    expect(fixture.dump).toBe(before);
    await fixture.redo();
    expect(fixture.dump).toBe(after);
    await fixture.call('transfer.close', { id });
    await expect(fixture.call('transfer.move', { id, plan: PLAN })).rejects.toMatchObject({ code: 'not-found' });
    fixture.close();
  });

  test('are as they were before when it is stopped', async () => {
    const { fixture, id } = await begin();
    const before = fixture.dump;
    const moving = fixture.call('transfer.move', { id, plan: PLAN });
    fixture.cancelAll();
    await expect(moving).rejects.toMatchObject({ code: 'stopped' });
    expect(fixture.dump).toBe(before);
    expect(await fixture.steps()).toHaveLength(0);
    await fixture.call('transfer.close', { id });
    fixture.close();
  });

  test('without definitions are rows for the tables of the database', async () => {
    const { fixture, id: other } = await begin();
    await fixture.call('transfer.close', { id: other });
    fixture.files.set('rows.sql', new TextEncoder().encode("INSERT INTO `t` VALUES (5, 'it\\'s');"));
    const { id, objects } = await fixture.call('transfer.open', {
      source: { kind: 'file', token: 'rows.sql' },
      dialect: null,
      encoding: null,
      into: fixture.on.id,
    });
    expect(objects).toMatchObject([{ name: 't', rows: 1, isUndefined: true }]);
    const tables = [{ name: 't', into: 't', how: 'append' }] as const;
    expect(await fixture.call('transfer.move', { id, plan: { tables, indexes: true, triggers: true } })).toMatchObject({
      tables: [{ name: 't', rows: 1 }],
    });
    expect(fixture.connection.all('SELECT * FROM t')).toEqual([
      [1, 'one'],
      [5, "it's"],
    ]);
    await fixture.call('transfer.close', { id });
    fixture.close();
  });
});

const WHOLE = `PRAGMA user_version = 7;
CREATE TABLE parent (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT);
INSERT INTO parent VALUES (1, 'one'), (7, 'seven');
CREATE TABLE child (p REFERENCES parent, q REFERENCES nowhere);
INSERT INTO child VALUES (7, NULL), (8, 3);
CREATE INDEX child_p ON child (p);
CREATE VIEW named AS SELECT name FROM parent;
CREATE TRIGGER noted AFTER INSERT ON child BEGIN DELETE FROM parent WHERE id = new.p; END;
`;

describe.each(disks.slice(1))('a file of SQL into an empty database $name', (disk) => {
  const tables = ['parent', 'child', 'named'].map((name) => ({ name, into: name, how: 'new' }) as const);
  const rowByRow: typeof place = {
    async make() {
      const { copyInto: _copyInto, ...scratch } = await place.make();
      return scratch;
    },
  };
  const fixtureWith = (scratchStore: typeof place): HistoryFixture => {
    const fixture = new HistoryFixture('CREATE TABLE gone (a); DROP TABLE gone', disk);
    fixture.scratchStore = scratchStore;
    return fixture;
  };
  const move = async (plan: Partial<TransferPlan> = {}, fixture = fixtureWith(place)) => {
    fixture.files.set('dump.sql', new TextEncoder().encode(WHOLE));
    const { id } = await fixture.call('transfer.open', {
      source: { kind: 'file', token: 'dump.sql' },
      dialect: null,
      encoding: null,
    });
    const whole = { tables, indexes: true, triggers: true, ...plan };
    const reply = await fixture
      .call('transfer.move', { id, plan: whole })
      .finally(() => fixture.call('transfer.close', { id }));
    return { fixture, reply };
  };

  test('is copied as a whole, says the same, and is one step', async () => {
    const { fixture, reply } = await move();
    const other = await move({}, fixtureWith(rowByRow));
    expect(reply).toEqual({ ...other.reply, timeMs: reply.timeMs });
    expect(reply.notes).toHaveLength(2);
    expect(fixture.dump).toBe(other.fixture.dump);
    // No row was written by a statement.
    expect([fixture, other.fixture].map(({ connection }) => connection.totalChanges > 0)).toEqual([false, true]);
    expect(fixture.connection.one('PRAGMA user_version')).toEqual([0]);
    const after = fixture.dump;
    expect(await fixture.steps()).toHaveLength(1);
    await fixture.undo();
    expect(fixture.connection.all('SELECT * FROM sqlite_schema')).toEqual([]);
    await fixture.redo();
    expect(fixture.dump).toBe(after);
    for (const each of [fixture, other.fixture]) each.close();
  });

  test('is refused where another program has filled it in the meantime', async () => {
    const fixture = fixtureWith({
      async make() {
        const scratch = await place.make();
        return {
          ...scratch,
          copyInto(target, assertStill) {
            const other = new DatabaseSync((disk as FileDisk).file);
            other.exec('CREATE TABLE theirs (a)');
            other.close();
            scratch.copyInto!(target, assertStill);
          },
        };
      },
    });
    await expect(move({}, fixture)).rejects.toMatchObject({ code: 'conflict' });
    expect(fixture.connection.all('SELECT name FROM sqlite_schema')).toEqual([['theirs']]);
    fixture.close();
  });

  test.each([
    ['with its indexes only where they are wanted', { indexes: false }],
    ['with its triggers only where they are wanted', { triggers: false }],
    ['with the chosen tables only', { tables: tables.slice(0, 2) }],
  ])('goes %s', async (_what, plan) => {
    const { fixture } = await move(plan);
    const types = fixture.connection.all('SELECT DISTINCT type FROM sqlite_schema WHERE sql IS NOT NULL').flat();
    expect(types).toHaveLength(3);
    expect(fixture.connection.totalChanges).toBeGreaterThan(0);
    fixture.close();
  });
});

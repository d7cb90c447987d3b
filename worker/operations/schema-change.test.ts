// Changes of the schema as a window requests them, in the library and in place.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Progress } from '#shared/protocol/library.ts';
import type { QueryEvent } from '#shared/protocol/query.ts';
import type { SchemaChange } from '#shared/protocol/schema-change.ts';
import { failureOf } from './database-fixture.test-suite.ts';
import { disks } from './history-disks.test-suite.ts';
import { HistoryFixture } from './history-fixture.test-suite.ts';
import { DIFFICULT, schemaChangesIn } from './schema-change-fixture.test-suite.ts';

describe.each(disks)('a table made anew, $name', (disk) => {
  let fixture: HistoryFixture;
  beforeEach(() => {
    fixture = new HistoryFixture(DIFFICULT, disk);
  });
  afterEach(() => fixture.close());

  const { sqlOf, checked, change, changed } = schemaChangesIn(() => fixture);
  /** Contents, regardless of schema order. */
  const contents = (): readonly string[] =>
    fixture.dump
      .replaceAll(/^\w+ \d+ \| /gm, '')
      .split('\n')
      .toSorted();

  test('has the text it was given and nothing else is another: discarded, kept and undone', async () => {
    const before = fixture.dump;
    const was = contents();
    const old = sqlOf('t');
    const sql = checked();
    const report = await change([changed(sql)]);
    expect(report).toMatchObject({
      kept: false,
      broken: [],
      brokenKeys: [],
      integrity: [],
      brokenBefore: [{ kind: 'view', name: 'broken' }],
      tables: [{ table: 't', rowsBefore: 3, rowsAfter: 3, rowids: 'kept' }],
    });
    expect(report.tables[0]!.columns.map(({ values }) => values)).toEqual([
      'same',
      'same',
      'same',
      'same',
      'computed',
      'same',
    ]);
    expect(report.restored.map(({ name }) => name)).toEqual(['by_code', 'by_twice', 'noted', 'no_more']);
    await fixture.call('dryRun.finish', { keep: false });
    expect(fixture.dump).toBe(before);
    expect(await change([changed(sql)], true)).toMatchObject({ kept: true });
    const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
    expect(contents()).toEqual(was.map((line) => line.replace(escaped(old), escaped(sql))).toSorted());
    expect(await fixture.steps()).toMatchObject([{ title: 'Change table t', kind: 'snapshot' }]);
    await fixture.undo();
    expect(fixture.dump).toBe(before);
  });

  test('leaves foreign keys on, whatever ends the transaction', async () => {
    const isOn = () => fixture.connection.one('PRAGMA foreign_keys')![0];
    const legacy = () => fixture.connection.one('PRAGMA legacy_alter_table')![0];
    const sql = checked();
    for (const keep of [true, false]) {
      await change([changed(sql)]);
      expect(isOn()).toBe(0);
      await fixture.call('dryRun.finish', { keep });
      expect([isOn(), legacy()]).toEqual([1, 0]);
      expect(await failureOf(fixture.call('dryRun.finish', { keep: true }))).toMatchObject({ code: 'not-found' });
    }
    const failure = await failureOf(change([changed(sql.replace('code TEXT', 'code TEXT NOT NULL'))]));
    expect(failure).toMatchObject({
      code: 'constraint',
      message: expect.stringContaining('Everything is as it was before.'),
    });
    expect([isOn(), legacy()]).toEqual([1, 0]);
    const other = fixture.newWindow('Window 2');
    await fixture.call('schema.change', { changes: [changed(sql)] }, other);
    expect(await failureOf(fixture.run('DELETE FROM t'))).toMatchObject({ code: 'transaction-elsewhere' });
    fixture.leave(other);
    expect([isOn(), legacy()]).toEqual([1, 0]);
  });

  test('is refused inside a transaction, and nothing is added to it after it was checked', async () => {
    const before = fixture.dump;
    await fixture.run('BEGIN');
    expect(await failureOf(change([changed(checked())]))).toMatchObject({ code: 'transaction-elsewhere' });
    await fixture.run('ROLLBACK');
    await change([changed(checked())]);
    const more = fixture.run("INSERT INTO child VALUES (99, 99, 'leads nowhere')");
    expect(await failureOf(more)).toMatchObject({ code: 'refused' });
    await fixture.call('dryRun.finish', { keep: false });
    expect(fixture.dump).toBe(before);
  });

  test('says which values a new type converts', async () => {
    const report = await change([changed(sqlOf('t').replace('code TEXT', 'code INTEGER'))]);
    expect(report.tables[0]!.columns[1]).toEqual({ name: 'code', from: 'code', values: 'converted', changed: 2 });
  });

  test('says what a dropped column breaks: views, triggers, indexes over text, full-text tables', async () => {
    const sql = 'CREATE TABLE t (id INTEGER PRIMARY KEY, n, boss)';
    const drops = ['by_code', 'by_twice'].map((name) => ({ kind: 'drop', object: 'index', name }) as const);
    const report = await change([changed(sql, ['id', 'n', 'boss']), ...drops], true);
    expect(report.kept).toBe(false);
    expect(report.broken.map(({ name }) => name).toSorted()).toEqual([
      'codes',
      'codes_again',
      'found',
      'instead',
      'noted',
    ]);
    expect(report.broken.every(({ message }) => message !== '')).toBe(true);
  });

  test('tells keys that lead nowhere only because of the change', async () => {
    await fixture.run(
      "PRAGMA foreign_keys = OFF; INSERT INTO child VALUES (3, 77, 'was broken'); PRAGMA foreign_keys = ON",
    );
    expect(await change([changed(checked())])).toMatchObject({ brokenKeys: [], keysChecked: ['child', 't'] });
    await fixture.call('dryRun.finish', { keep: false });
    const report = await change([{ kind: 'empty-table', table: 't' }]);
    expect(report.brokenKeys).toEqual([{ table: 'child', parent: 't', count: 2 }]);
    expect(fixture.connection.one('SELECT count(*) FROM child')).toEqual([3]);
  });

  test('renames, drops, copies and makes objects, each one step that can be undone', async () => {
    const before = fixture.dump;
    const steps: readonly (readonly [SchemaChange, string])[] = [
      [{ kind: 'rename-table', table: 'child', to: 'kid' }, 'SELECT count(*) FROM kid'],
      [
        { kind: 'drop', object: 'table', name: 'child' },
        "SELECT 2 WHERE NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'child')",
      ],
      [
        { kind: 'drop', object: 'index', name: 'by_code' },
        "SELECT 2 WHERE NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'by_code')",
      ],
      [
        { kind: 'drop', object: 'table', name: 'found' },
        "SELECT 2 WHERE NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name LIKE 'found%')",
      ],
      [{ kind: 'duplicate-table', table: 'child', to: 'x "y', rows: true }, 'SELECT count(*) FROM "x ""y"'],
      [{ kind: 'duplicate-table', table: 't', to: 't2', rows: false }, 'SELECT 2 + count(*) FROM t2'],
      [{ kind: 'empty-table', table: 'child' }, 'SELECT 2 + count(*) FROM child'],
      [{ kind: 'create', sql: 'CREATE TABLE made (a, b) STRICT, WITHOUT ROWID' }, ''],
      [{ kind: 'create', sql: 'CREATE VIEW made AS SELECT 2' }, 'SELECT * FROM made'],
    ];
    for (const [step, check] of steps) {
      const isWrong = check === '';
      if (isWrong) {
        expect(await failureOf(change([step], true))).toMatchObject({ code: 'sql' });
        continue;
      }
      if (step.kind === 'rename-table') await change([{ kind: 'drop', object: 'view', name: 'broken' }], true);
      expect(await change([step], true)).toMatchObject({ kept: true });
      expect(fixture.connection.one(check)).toEqual([2]);
      await fixture.undo();
      if (step.kind === 'rename-table') await fixture.undo();
      expect(fixture.dump).toBe(before);
    }
  });

  test('is left to ALTER where that does all of it, comments included', async () => {
    // SQLite renames no column that an INSTEAD OF trigger of a view knows.
    const drops: SchemaChange[] = ['broken', 'codes_again', 'codes'].map((name) => ({
      kind: 'drop',
      object: 'view',
      name,
    }));
    await change(drops, true);
    const added = sqlOf('child').replace('note TEXT)', 'note TEXT, more REAL DEFAULT 1.5)');
    const child = (sql: string, columns: readonly (string | null)[]): SchemaChange => ({
      kind: 'change-table',
      table: 'child',
      sql,
      columns,
    });
    const report = await change([child(added, ['id', 't', 'note', null])], true);
    expect(report).toMatchObject({
      kept: true,
      sql: ['ALTER TABLE main."child" ADD COLUMN more REAL DEFAULT 1.5'],
      tables: [],
    });
    const linked = sqlOf('child').replace(
      '1.5',
      '1.5, peer INTEGER REFERENCES child ON DELETE SET NULL CHECK (peer > 0)',
    );
    expect(await change([child(linked, ['id', 't', 'note', 'more', null])], true)).toMatchObject({
      sql: ['ALTER TABLE main."child" ADD COLUMN peer INTEGER REFERENCES child ON DELETE SET NULL CHECK (peer > 0)'],
      tables: [],
    });
    await fixture.undo();
    const defaulted = linked.replace('peer INTEGER', 'peer INTEGER DEFAULT 1');
    expect(await change([child(defaulted, ['id', 't', 'note', 'more', null])], true)).toMatchObject({
      tables: [{ table: 'child', rowsAfter: 2 }],
    });
    await fixture.undo();
    const renamed = sqlOf('child').replace('note TEXT', '"remark" TEXT');
    expect(await change([child(renamed, ['id', 't', 'note', 'more'])], true)).toMatchObject({
      sql: ['ALTER TABLE main."child" RENAME COLUMN "note" TO "remark"'],
    });
    const commented = sqlOf('child').replace('1.5', '1.5, last TEXT -- with a comment\n');
    const rebuilt = await change([child(commented, ['id', 't', 'remark', 'more', null])], true);
    expect(rebuilt).toMatchObject({ kept: true, tables: [{ table: 'child', rowsAfter: 2 }] });
    expect(sqlOf('child')).toBe(commented);
    const swapped = sqlOf('t')
      .replace('code TEXT', 'n TEXT')
      .replace('n, boss', 'code, boss')
      .replace('(n * 2)', '(code * 2)');
    expect(await change([changed(swapped, ['id', 'code', 'n', 'boss', 'twice', 'a "b'])])).toMatchObject({
      tables: [
        { columns: [{}, { name: 'n', from: 'n', values: 'same' }, { name: 'code', values: 'same' }, {}, {}, {}] },
      ],
    });
    expect(sqlOf('by_code')).toBe('CREATE INDEX by_code ON t ("n") WHERE "n" IS NOT NULL');
  });

  test('a view that is made again keeps its triggers', async () => {
    const trigger = sqlOf('instead');
    const changes: SchemaChange[] = [
      { kind: 'drop', object: 'view', name: 'codes' },
      { kind: 'create', sql: 'CREATE VIEW codes AS SELECT code, id + n, boss FROM t' },
    ];
    expect(await change(changes, true)).toMatchObject({ kept: true, restored: [{ kind: 'trigger', name: 'instead' }] });
    expect(sqlOf('instead')).toBe(trigger);
    await fixture.undo();
    expect(sqlOf('instead')).toBe(trigger);
  });

  test('is stopped in every phase, after which everything is as it was', async () => {
    const before = fixture.dump;
    const sql = checked();
    const phases = new Set<string>();
    const run = (onPhase: (phase: string) => void) =>
      fixture.call('schema.change', { changes: [changed(sql)] }, undefined, (chunk) =>
        onPhase((chunk as Progress).phase),
      );
    await run((phase) => phases.add(phase));
    await fixture.call('dryRun.finish', { keep: false });
    expect([...phases]).toEqual(
      expect.arrayContaining([
        'Copying the rows of t',
        'Creating the index by_code',
        'Checking t',
        'Checking the foreign keys of child',
      ]),
    );
    for (const phase of phases) {
      const failure = await failureOf(run((now) => now === phase && fixture.cancelAll()));
      expect(failure).toMatchObject({
        code: 'stopped',
        message: expect.stringContaining('Everything is as it was before.'),
      });
      expect(fixture.connection.one('PRAGMA foreign_keys')).toEqual([1]);
      expect(fixture.dump).toBe(before);
    }
    expect(fixture.state.steps).toBe(0);
  });

  test('is seen by nobody before it is whole', async () => {
    const seen: unknown[] = [];
    const other = fixture.newWindow('Window 2');
    const count = () => fixture.call('query.run', { sql: 'SELECT * FROM t' }, other, (chunk) => seen.push(chunk));
    const reads: Promise<unknown>[] = [];
    const emitted = (): void => void reads.push(count());
    await fixture.call('schema.change', { changes: [changed(checked())] }, undefined, emitted);
    await Promise.all(reads);
    expect(reads.length).toBeGreaterThan(3);
    const rows = (seen.flat() as QueryEvent[]).flatMap((event) => (event.kind === 'done' ? [event.rows] : []));
    expect(new Set(rows)).toEqual(new Set([3]));
  });
});

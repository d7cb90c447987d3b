// Indexes, views and triggers that are created and changed by the designer: in the library and in place.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SchemaChange } from '#shared/protocol/schema-change.ts';
import { failureOf } from './database-fixture.test-suite.ts';
import { disks } from './history-disks.test-suite.ts';
import { HistoryFixture } from './history-fixture.test-suite.ts';
import { SHOP, shopChangesIn } from './schema-objects-fixture.test-suite.ts';

describe.each(disks)('objects that are changed by creating them again, $name', (disk) => {
  let fixture: HistoryFixture;
  beforeEach(() => {
    fixture = new HistoryFixture(SHOP, disk);
  });
  afterEach(() => fixture.close());

  const sqlOf = (name: string): unknown =>
    fixture.connection.one('SELECT sql FROM main.sqlite_schema WHERE name = ?', [name])?.[0];
  const { change, plan } = shopChangesIn(() => fixture);
  const again = (object: 'index' | 'view' | 'trigger', name: string, sql: string): SchemaChange => ({
    kind: 'change-object',
    object,
    name,
    sql,
  });

  test('an index gets another definition and name in one step, which Undo takes back', async () => {
    const before = fixture.dump;
    const sql = 'CREATE INDEX "by city" ON person (lower(city) /* small */ COLLATE RTRIM DESC, id)';
    expect(await change(again('index', 'BY_CITY', sql))).toMatchObject({ kept: true, broken: [] });
    expect([sqlOf('by_city'), sqlOf('by city')]).toEqual([undefined, sql]);
    expect(await fixture.steps()).toMatchObject([{ title: 'Change index BY_CITY' }]);
    await fixture.undo();
    expect(fixture.dump).toBe(before);
  });

  test('views and triggers that are broken do not stop ALTER, and stay as they are', async () => {
    const { connection } = fixture;
    const BROKEN = [
      'CREATE VIEW broken /* by hand */ AS SELECT missing FROM person',
      'CREATE TRIGGER broken_insert INSTEAD OF INSERT ON broken BEGIN SELECT 1; END',
      'CREATE TRIGGER broken_log AFTER DELETE ON log BEGIN INSERT INTO nowhere VALUES (1); END',
      'CREATE VIEW of_broken AS SELECT * FROM broken',
    ];
    for (const sql of BROKEN) connection.run(sql);
    const before = fixture.dump;
    const report = await change({ kind: 'rename-table', table: 'person', to: 'people' });
    expect(report).toMatchObject({ kept: true, broken: [] });
    expect(report.brokenBefore.map(({ name }) => name).toSorted()).toEqual([
      'broken',
      'broken_insert',
      'broken_log',
      'of_broken',
    ]);
    expect(report.restored.map(({ name }) => name).toSorted()).toEqual(
      expect.arrayContaining(['broken', 'broken_insert', 'broken_log', 'of_broken']),
    );
    expect([sqlOf('broken'), sqlOf('broken_insert'), sqlOf('broken_log'), sqlOf('of_broken')]).toEqual(BROKEN);
    expect(sqlOf('adults')).toContain('people');
    await change({
      kind: 'change-table',
      table: 'people',
      sql: 'CREATE TABLE people (id INTEGER PRIMARY KEY, mail TEXT COLLATE NOCASE, city TEXT)',
      columns: ['id', 'mail', 'city'],
    });
    expect([sqlOf('broken'), sqlOf('broken_insert'), sqlOf('broken_log'), sqlOf('of_broken')]).toEqual(BROKEN);
    expect(connection.all('SELECT count(*) FROM people')).toEqual([[4]]);
    await fixture.undo();
    await fixture.undo();
    expect(fixture.dump).toBe(before);
  });

  test('of several triggers for one event the intact ones get the new name, and a broken one keeps its place and its words', async () => {
    const { connection } = fixture;
    const body = (name: string): string => `BEGIN INSERT INTO ${name} VALUES (1); END`;
    for (const sql of [
      'CREATE TRIGGER first AFTER DELETE ON log BEGIN DELETE FROM person; END',
      `CREATE TRIGGER broken AFTER DELETE ON log ${body('nowhere')}`,
      'CREATE TRIGGER last AFTER DELETE ON log BEGIN DELETE FROM person WHERE id = 2; END',
      // Intact itself, but it cannot be compiled while the one that it fires is broken.
      'CREATE TRIGGER fires AFTER DELETE ON pet BEGIN DELETE FROM log; UPDATE person SET city = NULL; END',
      `CREATE TRIGGER own_broken /* kept */ AFTER UPDATE OF city ON person ${body('nowhere')}`,
      'CREATE TRIGGER own AFTER UPDATE ON person BEGIN DELETE FROM person WHERE id = -1; END',
    ])
      connection.run(sql);
    const before = fixture.dump;
    const triggersOf = (table: string): unknown =>
      connection.all("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ? ORDER BY rowid", [table]);
    const [ofLog, ofPerson] = [triggersOf('log'), triggersOf('person')];
    const report = await change({ kind: 'rename-table', table: 'person', to: 'people' });
    expect(report).toMatchObject({ kept: true, broken: [] });
    expect([triggersOf('log'), triggersOf('people')]).toEqual([ofLog, ofPerson]);
    for (const name of ['first', 'last', 'fires', 'own']) expect(sqlOf(name)).toMatch(/ "people"/);
    expect(sqlOf('broken')).toBe(`CREATE TRIGGER broken AFTER DELETE ON log ${body('nowhere')}`);
    expect(sqlOf('own_broken')).toBe(
      `CREATE TRIGGER own_broken /* kept */ AFTER UPDATE OF city ON "people" ${body('nowhere')}`,
    );
    await change({
      kind: 'change-table',
      table: 'people',
      sql: 'CREATE TABLE people (id INTEGER PRIMARY KEY, mail TEXT COLLATE NOCASE, town TEXT)',
      columns: ['id', 'mail', 'city'],
    });
    expect(sqlOf('fires')).toContain('"town"');
    expect([triggersOf('log'), triggersOf('people')]).toEqual([ofLog, ofPerson]);
    await fixture.undo();
    await fixture.undo();
    expect(fixture.dump).toBe(before);
  });

  test('a changed trigger keeps its place among those of its table, so they run in the same order', async () => {
    const { connection } = fixture;
    connection.run('CREATE TABLE ran (name)');
    const noting = (name: string, note = name): string =>
      `CREATE TRIGGER ${name} AFTER INSERT ON ran WHEN new.name = 0 BEGIN INSERT INTO ran VALUES ('${note}'); END`;
    for (const name of ['a', 'b', 'c']) connection.run(noting(name));
    connection.run('INSERT INTO ran VALUES (0)');
    const order = connection.all('SELECT name FROM ran WHERE name <> 0').flat();
    const changed = again('trigger', 'b', noting('b2', 'B'));
    const { steps } = await plan(changed);
    const report = await change(changed);
    expect(steps.map(({ sql }) => sql)).toEqual(report.sql);
    expect(report.restored).toEqual([{ kind: 'trigger', name: 'c', table: 'ran' }]);
    connection.run('DELETE FROM ran');
    connection.run('INSERT INTO ran VALUES (0)');
    expect(connection.all('SELECT name FROM ran WHERE name <> 0').flat()).toEqual(
      order.map((name) => (name === 'b' ? 'B' : name)),
    );
  });

  test('what is not a definition of the same kind changes nothing', async () => {
    const before = fixture.dump;
    for (const [object, name, sql, code] of [
      ['index', 'by_city', 'CREATE VIEW by_city AS SELECT 1', 'invalid'],
      ['index', 'by_city', 'CREATE INDEX by_city ON person (nothing)', 'sql'],
      ['index', 'adults', 'CREATE INDEX adults ON person (id)', 'not-found'],
      ['view', 'adults', 'CREATE TEMP VIEW adults AS SELECT 1', 'invalid'],
      ['view', 'adults', 'DROP TABLE person', 'invalid'],
      ['trigger', 'noted', 'CREATE TRIGGER IF NOT EXISTS instead AFTER INSERT ON pet BEGIN SELECT 1; END', 'invalid'],
    ] as const) {
      const failure = await failureOf(change(again(object, name, sql)));
      expect({ sql, code: failure.code }).toEqual({ sql, code });
      expect(fixture.dump).toBe(before);
    }
    const there = await failureOf(change({ kind: 'create', sql: 'CREATE TABLE IF NOT EXISTS log (other)' }));
    expect(there).toMatchObject({ code: 'invalid', message: expect.stringContaining('already exists') });
  });

  test('a foreign key that loses its unique index is told', async () => {
    await change({
      kind: 'create',
      sql: 'CREATE TABLE letter (mail, city, FOREIGN KEY (mail, city) REFERENCES person (mail, city))',
    });
    await fixture.run("INSERT INTO letter VALUES ('a@x', 'Bonn')");
    const report = await change(again('index', 'by_mail', 'CREATE INDEX by_mail ON person (mail, city)'));
    expect(report.kept).toBe(false);
    expect(report.broken).toMatchObject([{ kind: 'table', name: 'letter' }]);
    await fixture.call('dryRun.finish', { keep: false });
  });

  test('a view keeps its triggers, and what would not compile is told before it is changed', async () => {
    const before = fixture.dump;
    const trigger = sqlOf('instead');
    const less = again('view', 'adults', 'CREATE VIEW adults AS SELECT id FROM person');
    expect(await plan(less)).toMatchObject({
      broken: [{ kind: 'view', name: 'mails', message: expect.stringContaining('mail') }],
      dependents: [
        { kind: 'view', name: 'mails' },
        { kind: 'trigger', name: 'instead' },
      ],
    });
    const wrong = again('view', 'mails', 'CREATE VIEW mails AS SELECT gone FROM person');
    expect((await plan(wrong)).broken).toMatchObject([{ kind: 'view', name: 'mails' }]);
    expect(fixture.dump).toBe(before);
    expect(fixture.state.steps).toBe(0);
    expect(await change(less)).toMatchObject({ kept: false, broken: [{ name: 'mails' }] });
    await fixture.call('dryRun.finish', { keep: false });
    const more = 'CREATE VIEW adults AS SELECT id, mail, city FROM person -- all';
    expect(await change(again('view', 'adults', more))).toMatchObject({
      kept: true,
      restored: [{ kind: 'trigger', name: 'instead' }],
    });
    expect([sqlOf('adults'), sqlOf('instead')]).toEqual([more, trigger]);
  });

  test('a trigger is compiled before it is created, and one that was broken may be repaired', async () => {
    const wrong = 'CREATE TRIGGER noted AFTER UPDATE ON person BEGIN INSERT INTO log VALUES (new.gone); END';
    expect((await plan(again('trigger', 'noted', wrong))).broken).toMatchObject([{ kind: 'trigger', name: 'noted' }]);
    await change(again('trigger', 'noted', wrong));
    await fixture.call('dryRun.finish', { keep: true });
    expect((await plan(again('trigger', 'noted', wrong.replace('gone', 'lost')))).broken).toHaveLength(1);
    const right = 'CREATE TRIGGER noted AFTER UPDATE ON person BEGIN INSERT INTO log VALUES (new.mail); END';
    expect(await change(again('trigger', 'noted', right))).toMatchObject({ kept: true, broken: [] });
    const added = {
      kind: 'create',
      sql: 'CREATE TRIGGER more AFTER INSERT ON pet BEGIN DELETE FROM nowhere; END',
    } as const;
    expect((await plan(added)).broken).toMatchObject([{ kind: 'trigger', name: 'more' }]);
  });
});

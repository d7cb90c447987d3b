// Rows that are in the way of a change of the schema: counted, shown, and edited, in the library and in place.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SchemaChange } from '#shared/protocol/schema-change.ts';
import { whereOf } from '../readers/filter-sql.ts';
import { describeTable } from '../schema/table-shape.ts';
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

  const { change, plan } = shopChangesIn(() => fixture);

  test('rows in the way of a unique index are counted, can be shown and edited, and then it is created', async () => {
    const unique = { kind: 'create', sql: 'CREATE UNIQUE INDEX one_mail ON person (mail)' } as const;
    const [obstacle] = (await plan(unique)).obstacles;
    expect(obstacle).toMatchObject({
      kind: 'unique',
      columns: ['mail'],
      count: 2,
      rows: { table: 'person', sort: ['mail'] },
    });
    const where = obstacle!.rows!.where;
    expect(idsWhere('person', where)).toEqual([1, 2]);
    expect((await failureOf(change(unique))).code).toBe('constraint');
    await fixture.run("UPDATE person SET mail = 'c@x' WHERE id = 2");
    expect(idsWhere('person', where)).toEqual([]);
    expect(await plan(unique)).toMatchObject({ obstacles: [], steps: [{ rows: 4 }] });
    expect(await change(unique)).toMatchObject({ kept: true });
    const more: readonly (readonly [string, number])[] = [
      ['person (substr(mail, 2))', 3],
      ['person (city) WHERE born > 1975', 0],
      ['person (city) WHERE born > 1900', 2],
      ['person (city COLLATE BINARY, 1)', 2],
      ['pet (substr(name, 2, 1), owner > 5)', 0],
      ['pet (owner > 5)', 2],
    ];
    for (const [on, count] of more) {
      const { obstacles } = await plan({ kind: 'create', sql: `CREATE UNIQUE INDEX u ON ${on}` });
      expect({ on, count: obstacles[0]?.count ?? 0 }).toEqual({ on, count });
      if (count > 0) expect(countWhere(on.split(' ')[0]!, obstacles[0]!.rows!.where)).toBe(count);
    }
    expect((await failureOf(plan({ kind: 'create', sql: 'CREATE UNIQUE INDEX u ON person (gone)' }))).code).toBe('sql');
  });

  test('rows in the way of UNIQUE, a foreign key and STRICT are those in the table as it is', async () => {
    const person = (
      sql: string,
      columns: readonly (string | null)[] = ['id', 'mail', 'city', 'born'],
    ): SchemaChange => ({
      kind: 'change-table',
      table: 'person',
      sql,
      columns,
    });
    const cases: readonly (readonly [SchemaChange, string, readonly number[]])[] = [
      [
        person('CREATE TABLE person (id INTEGER PRIMARY KEY, mail TEXT COLLATE NOCASE UNIQUE, city TEXT, born)'),
        'unique',
        [1, 2],
      ],
      // Another name, another order and a new column: the displayed rows have the old names.
      [
        person(
          'CREATE TABLE person (id INTEGER PRIMARY KEY, more, born, town TEXT, mail TEXT COLLATE NOCASE, UNIQUE (town))',
          ['id', null, 'born', 'city', 'mail'],
        ),
        'unique',
        [1, 3],
      ],
      [
        person("CREATE TABLE person (id INTEGER PRIMARY KEY, mail TEXT, town TEXT CHECK (person.town <> 'Ulm'), born)"),
        'check',
        [2],
      ],
      [
        person('CREATE TABLE person (id INTEGER PRIMARY KEY, mail TEXT, city TEXT, year NOT NULL CHECK (year > 1975))'),
        'check',
        [1, 4],
      ],
      [
        person('CREATE TABLE person (id INTEGER PRIMARY KEY, mail TEXT NOT NULL, city TEXT, born ANY)'),
        'not-null',
        [4],
      ],
      [person('CREATE TABLE person (id INTEGER PRIMARY KEY, mail TEXT, city TEXT, born INT) STRICT'), 'type', [3, 4]],
      [
        person('CREATE TABLE person (id INTEGER PRIMARY KEY, mail TEXT, city TEXT, born REFERENCES person (id))'),
        'foreign-key',
        [1, 2, 3, 4],
      ],
    ];
    for (const [step, kind, ids] of cases) {
      const { obstacles } = await plan(step);
      expect(obstacles.map((one) => [one.kind, one.count])).toEqual([[kind, ids.length]]);
      expect(idsWhere('person', obstacles[0]!.rows!.where)).toEqual(ids);
      // These rows are why the change fails.
      const failure = await change(step).catch(() => null);
      if (failure !== null) {
        expect(failure).toMatchObject({ kept: false, brokenKeys: [{ count: ids.length }] });
        await fixture.call('dryRun.finish', { keep: false });
      }
    }
    const pet =
      'CREATE TABLE pet (name TEXT, owner INT REFERENCES person (id), PRIMARY KEY (name, owner)) WITHOUT ROWID';
    const [lost] = (await plan({ kind: 'change-table', table: 'pet', sql: pet, columns: ['name', 'owner'] })).obstacles;
    expect(lost).toMatchObject({ kind: 'foreign-key', count: 2 });
    expect(countWhere('pet', lost!.rows!.where)).toBe(2);
  });

  /** Reads rows as a table's filter does. */
  function rowsWhere(table: string, list: string, where: string): readonly unknown[] {
    const { sql } = whereOf(fixture.connection, describeTable(fixture.connection, table), [], where);
    return fixture.connection.all(`SELECT ${list} FROM main.${table} WHERE ${sql} ORDER BY 1`).flat();
  }
  const countWhere = (table: string, where: string): number => rowsWhere(table, '1', where).length;
  const idsWhere = (table: string, where: string): readonly unknown[] => rowsWhere(table, 'id', where);
});

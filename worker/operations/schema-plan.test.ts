// What a change of the schema would do, and what uses a column: asked for before anything is changed.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SchemaChange } from '#shared/protocol/schema-change.ts';
import { failureOf } from './database-fixture.test-suite.ts';
import { disks } from './history-disks.test-suite.ts';
import { HistoryFixture } from './history-fixture.test-suite.ts';
import { COLUMNS, DIFFICULT, schemaChangesIn } from './schema-change-fixture.test-suite.ts';

describe.each(disks)('a table made anew, $name', (disk) => {
  let fixture: HistoryFixture;
  beforeEach(() => {
    fixture = new HistoryFixture(DIFFICULT, disk);
  });
  afterEach(() => fixture.close());

  const { sqlOf, changed } = schemaChangesIn(() => fixture);

  test('is planned: what is run, what is in the way, and what depends on it', async () => {
    const before = fixture.dump;
    const plan = (sql: string, columns: readonly (string | null)[] = COLUMNS) =>
      fixture.call('schema.plan', { changes: [changed(sql, columns)] });
    const strict = sqlOf('t')
      .replace('code TEXT', 'code TEXT NOT NULL UNIQUE')
      .replace('n, boss', "n CHECK (typeof(n) <> 'blob'), boss");
    const planned = await plan(strict);
    expect(planned).toMatchObject({
      steps: [{ kind: 'rebuild', table: 't', sql: strict, rows: 3 }],
      obstacles: [
        { kind: 'not-null', columns: ['code'], count: 1 },
        { kind: 'check', columns: ['n'], count: 1 },
      ],
    });
    for (const { sql, count } of planned.obstacles) expect(fixture.connection.all(sql)).toHaveLength(count);
    expect(planned.dependents.map(({ kind, name }) => `${kind} ${name}`).toSorted()).toEqual([
      'index by_code', 'index by_twice', 'table child', 'trigger instead', 'trigger no_more', 'trigger noted', 'trigger of_child', 'view codes', 'view codes_again', 'virtual found',
    ]); // prettier-ignore
    expect(
      await plan(sqlOf('t').replace('-- the last one\n', ', more TEXT DEFAULT 0 -- the last one\n'), [
        ...COLUMNS,
        null,
      ]),
    ).toMatchObject({
      steps: [{ kind: 'statement', sql: 'ALTER TABLE main."t" ADD COLUMN more TEXT DEFAULT 0' }],
      obstacles: [],
    });
    const planAdded = async (column: string) => {
      const sql = sqlOf('child').replace('note TEXT)', `note TEXT, ${column})`);
      const child: SchemaChange = { kind: 'change-table', table: 'child', sql, columns: ['id', 't', 'note', null] };
      return (await fixture.call('schema.plan', { changes: [child] })).steps;
    };
    // SQLite tries the rows for a check alone.
    expect(await planAdded('peer REFERENCES child')).toMatchObject([{ kind: 'statement', rows: null }]);
    expect(await planAdded('more DEFAULT 7')).toMatchObject([{ kind: 'statement', rows: null }]);
    expect(await planAdded('more CHECK (more > 0)')).toMatchObject([{ kind: 'statement', rows: 2 }]);
    expect(fixture.dump).toBe(before);
    expect(fixture.state.steps).toBe(0);
  });

  test('names what uses a column, found by compiling', async () => {
    const before = fixture.dump;
    const uses = async (table: string, column: string | null) =>
      (await fixture.call('schema.uses', { table, column })).map(({ kind, name }) => `${kind} ${name}`).toSorted();
    expect(await uses('t', 'code')).toEqual([
      'index by_code', 'index by_twice', 'trigger instead', 'trigger noted', 'view codes', 'view codes_again', 'virtual found',
    ]); // prettier-ignore
    expect(await uses('t', 'n')).toEqual([
      'table t',
      'trigger instead',
      'trigger no_more',
      'trigger of_child',
      'view codes',
      'view codes_again',
    ]);
    expect(await uses('t', 'boss')).toEqual(['table t']);
    expect(await uses('child', 'note')).toEqual([]);
    expect(await uses('child', 't')).toEqual(['table child', 'trigger of_child']);
    expect(await uses('codes', null)).toEqual(['trigger instead', 'view codes_again']);
    expect(await failureOf(uses('t', 'nothing'))).toMatchObject({ code: 'not-found' });
    expect(fixture.dump).toBe(before);
    expect(fixture.state.steps).toBe(0);
    expect(fixture.connection.one('PRAGMA foreign_keys')).toEqual([1]);
  });

  test('names the parts of tables that use a column, found by renaming it in a copy', async () => {
    await fixture.run(`CREATE TABLE parts (id INTEGER PRIMARY KEY, a TEXT CHECK (length(a) > 0), "b c" AS (a || id), d UNIQUE,
      other REFERENCES child, CONSTRAINT both CHECK (a <> 'd'), UNIQUE (d, a))`);
    await fixture.run(
      'CREATE TABLE points (x, y, FOREIGN KEY (x) REFERENCES parts (d), FOREIGN KEY (y) REFERENCES parts)',
    );
    await fixture.run('CREATE VIEW quoted AS SELECT count(*) FROM parts WHERE "other" > 1');
    const before = fixture.dump;
    const steps = fixture.state.steps;
    const parts = async (table: string, column: string | null) =>
      (await fixture.call('schema.uses', { table, column })).map(({ name, part }) =>
        part ? `${name}: ${part.kind} ${part.sql}` : name,
      );
    expect(await parts('parts', 'a')).toEqual([
      'parts: check a CHECK (length(a) > 0)',
      'parts: generated "b c" AS (a || id)',
      "parts: check CONSTRAINT both CHECK (a <> 'd')",
      'parts: unique UNIQUE (d, a)',
    ]);
    expect(await parts('parts', 'D')).toEqual([
      'parts: unique d UNIQUE',
      'parts: unique UNIQUE (d, a)',
      'points: foreign-key FOREIGN KEY (x) REFERENCES parts (d)',
    ]);
    expect(await parts('parts', 'id')).toEqual([
      'parts: primary-key id PRIMARY KEY',
      'parts: generated "b c" AS (a || id)',
      'points: foreign-key FOREIGN KEY (y) REFERENCES parts',
    ]);
    expect(await parts('parts', 'other')).toEqual(['parts: foreign-key other REFERENCES child', 'quoted']);
    expect(await parts('child', null)).toEqual(['parts: foreign-key other REFERENCES child', 'of_child']);
    expect(fixture.dump).toBe(before);
    expect(fixture.state.steps).toBe(steps);
  });
});

// Rows of views are changed by their INSTEAD OF triggers.
import { describe, expect, test } from 'vitest';
import type { RowChange } from '#shared/protocol/edit.ts';
import type { Connection } from '../engines/engine.ts';
import { databaseOf, ENGINES } from '../export/export-fixture.test-suite.ts';
import { planReader } from '../readers/open-reader.ts';
import { hostOf } from '../readers/reader-host.test-suite.ts';
import { readCell } from '../readers/cell-range.ts';
import { applyChanges } from './apply-edits.ts';

const SCHEMA = `
  CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO person VALUES (1, 'Ann'), (2, 'Bob');
  CREATE TABLE pet (id INTEGER PRIMARY KEY, owner INT, kind TEXT); INSERT INTO pet VALUES (10, 1, 'cat'), (11, 1, 'dog');
  CREATE VIEW people AS SELECT upper(name) AS loud, id AS number, name FROM person;
  CREATE TRIGGER changed INSTEAD OF UPDATE ON people BEGIN UPDATE person SET name = NEW.name WHERE id = OLD.number; END;
  CREATE TRIGGER added INSTEAD OF INSERT ON people BEGIN INSERT INTO person (name) VALUES (NEW.name); END;
  CREATE VIEW pets AS SELECT person.id, name, pet.id AS pet, kind FROM person JOIN pet ON owner = person.id;
  CREATE TRIGGER renamed INSTEAD OF UPDATE ON pets BEGIN UPDATE pet SET kind = NEW.kind WHERE id = OLD.pet; END;
  CREATE TRIGGER gone INSTEAD OF DELETE ON pets BEGIN DELETE FROM pet WHERE id = OLD.pet; END;
  CREATE VIEW owners AS SELECT person.id, name FROM person JOIN pet ON owner = person.id;
  CREATE TRIGGER of_owner INSTEAD OF UPDATE ON owners BEGIN UPDATE person SET name = NEW.name WHERE id = OLD.id; END;
  CREATE VIEW counts AS SELECT count(*) AS n FROM person;
  CREATE TRIGGER of_counts INSTEAD OF UPDATE ON counts BEGIN SELECT 1; END;
  CREATE VIEW fixed AS SELECT id, name FROM person`;

const keyOf = (connection: Connection, table: string) =>
  planReader(connection, { table, sort: [], filter: [] })(hostOf(connection)).layout.key;

describe.each(ENGINES)('the %s engine', (_, engine) => {
  const open = (): Connection => databaseOf(engine, SCHEMA);
  const rename = (name: string): RowChange => ({
    kind: 'update',
    key: [1],
    set: { name },
    base: { name: 'Ann', loud: 'ANN' },
  });

  test('a view shows the keys of its tables', () => {
    const connection = open();
    expect(keyOf(connection, 'people')).toEqual({ kind: 'primary-key', columns: [1] });
    expect(keyOf(connection, 'pets')).toEqual({ kind: 'primary-key', columns: [0, 2] });
    expect(keyOf(connection, 'counts')).toMatchObject({ kind: 'none', why: expect.stringContaining('key') as unknown });
    expect(keyOf(connection, 'fixed')).toMatchObject({ kind: 'none', why: expect.stringContaining('view') as unknown });
  });

  test('rows are changed, added, and deleted where there is a trigger for it', () => {
    const connection = open();
    expect(applyChanges(connection, 'people', [rename('Amy')]).keys).toEqual([[1]]);
    applyChanges(connection, 'people', [{ kind: 'insert', set: { name: 'Cem' } }]);
    expect(connection.all('SELECT * FROM person')).toEqual([
      [1, 'Amy'],
      [2, 'Bob'],
      [3, 'Cem'],
    ]);
    expect(readCell(connection, { table: 'people', key: [3], column: 'loud' }, 100).value).toBe('CEM');
    applyChanges(connection, 'pets', [{ kind: 'delete', key: [1, 10] }]);
    expect(connection.all('SELECT id FROM pet')).toEqual([[11]]);
    expect(() => applyChanges(connection, 'people', [{ kind: 'delete', key: [2] }])).toThrow(
      'The view “people” has no INSTEAD OF trigger for this change.',
    );
    expect(connection.one('SELECT count(*) FROM person')).toEqual([3]);
  });

  test.each<readonly [string, RowChange, string]>([
    ['people', { kind: 'update', key: [1], set: { name: 'x' }, base: { name: 'Eve' } }, 'conflict'],
    ['people', { kind: 'update', key: [9], set: { name: 'x' }, base: {} }, 'not-found'],
    ['owners', { kind: 'update', key: [1], set: { name: 'x' }, base: {} }, 'invalid'],
    ['counts', { kind: 'update', key: [1], set: { n: 1 }, base: {} }, 'invalid'],
    ['fixed', { kind: 'update', key: [1], set: { name: 'x' }, base: {} }, 'invalid'],
  ])('a row of %s that is not the one that was seen stays as it is: %j', (view, change, code) => {
    const connection = open();
    expect(() => applyChanges(connection, view, [change])).toThrow(expect.objectContaining({ code }));
    expect(connection.all('SELECT name FROM person')).toEqual([['Ann'], ['Bob']]);
  });
});

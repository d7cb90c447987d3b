import { describe, expect, it } from 'vitest';
import type { NamedValue } from '#shared/protocol/explore.ts';
import type { ForeignKey } from '#shared/protocol/schema.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { Scan } from '../readers/scan.ts';
import { bothEngines } from './both-engines.test-suite.ts';
import { profileColumn } from './column-profile.ts';
import { parentNames } from './parent-names.ts';
import { testTurn } from './test-turn.test-suite.ts';

const open = await bothEngines();

const PLACE: ForeignKey = {
  table: 'place',
  columns: [
    { from: 'land', to: 'iso' },
    { from: 'part', to: 'part' },
  ],
};

function toEnd<T>(connection: Connection, look: (scan: Scan) => Generator<unknown, T>, stopAfter = Infinity): T {
  let pauses = 0;
  const body = look(
    new Scan(
      testTurn(connection, () => pauses >= stopAfter),
      () => undefined,
    ),
  );
  for (;;) {
    const step = body.next();
    if (step.done) return step.value;
    pauses++;
  }
}

describe.each(['wasm', 'native'])('on the %s engine', (name) => {
  const connection = open(name);
  connection.run('PRAGMA foreign_keys = OFF');
  connection.run('CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT, photo BLOB)');
  connection.run(
    `INSERT INTO person SELECT value, 'P' || (value % 200), x'00'
     FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 30000) SELECT value FROM n)`,
  );
  connection.run('CREATE TABLE visit(person INT REFERENCES person)');
  connection.run('INSERT INTO visit SELECT id FROM person UNION ALL VALUES (NULL), (31000)');
  connection.run('CREATE TABLE place(iso TEXT, part INT, name TEXT, PRIMARY KEY (iso, part))');
  connection.run("INSERT INTO place SELECT 'DE', id, 'D' || id FROM person WHERE id < 10000");
  connection.run("INSERT INTO place VALUES ('FR', 1, 'Paris'), ('FR', 2, 'Lyon'), ('AT', 3, 'Wien')");
  connection.run('CREATE TABLE stay(land TEXT, part INT, FOREIGN KEY (land, part) REFERENCES place)');
  connection.run("INSERT INTO stay VALUES ('FR', 1), ('DE', 1), ('FR', 2), ('AT', 3), ('XX', 1)");
  connection.run('CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT, parent INT REFERENCES item)');
  connection.run("INSERT INTO item VALUES (1, 'root', NULL), (2, 'leaf', 1), (3, 'leaf', 1), (4, 'tip', 2)");

  const person: ForeignKey = { table: 'person', columns: [{ from: 'person', to: 'id' }] };
  const named = (reference: ForeignKey, column: string, values: readonly Value[]): readonly NamedValue[] =>
    toEnd(connection, (scan) => parentNames(scan, { reference, column, values }));
  const counted = (table: string, column: string, text: string, reference: ForeignKey): readonly unknown[] => {
    const request = { table, column, filter: [], search: { text, reference } };
    const profile = toEnd(connection, (scan) => profileColumn(scan, request, () => undefined));
    return [profile.rows, profile.distinct.count];
  };

  it('names what a value refers to, also where it is stored as another type', () => {
    expect(named(person, 'person', [7, '8', 'nobody', 40_000])).toEqual([
      { value: 7, names: [['P7']], hasMore: false },
      { value: '8', names: [['P8']], hasMore: false },
    ]);
  });

  it('names the rows that one column of a composite key can refer to, with and without an index', () => {
    expect(named(PLACE, 'land', ['FR', 'DE', 'XX'])).toEqual([
      { value: 'FR', names: [['Paris'], ['Lyon']], hasMore: false },
      { value: 'DE', names: [['D1'], ['D2'], ['D3']], hasMore: true },
    ]);
    expect(named(PLACE, 'PART', [3, 9999])).toEqual([
      { value: 3, names: [['D3'], ['Wien']], hasMore: false },
      { value: 9999, names: [['D9999']], hasMore: false },
    ]);
    const endless = (scan: Scan): Generator<unknown, unknown> =>
      parentNames(scan, { reference: PLACE, column: 'part', values: [3] });
    expect(() => toEnd(connection, endless, 3)).toThrow('Stopped');
  });

  it('finds all values that refer to a row with the text, however many those are', () => {
    expect(counted('visit', 'person', 'P77', person)).toEqual([150, 150]);
    expect(counted('visit', 'person', '2999', person)).toEqual([13, 13]);
  });

  it('finds values of a composite key by the row that all its columns refer to', () => {
    expect(counted('stay', 'land', 'paris', PLACE)).toEqual([1, 1]);
    expect(counted('stay', 'part', 'i', PLACE)).toEqual([2, 2]);
  });

  it('finds rows of a table that refers to itself', () => {
    const parent: ForeignKey = { table: 'item', columns: [{ from: 'parent', to: 'id' }] };
    expect(counted('item', 'parent', 'root', parent)).toEqual([2, 1]);
  });

  it('looks at the values alone if what they refer to does not exist', () => {
    const gone: ForeignKey = { table: 'gone', columns: [{ from: 'person', to: 'id' }] };
    const without: ForeignKey = { table: 'person', columns: [{ from: 'person', to: null }] };
    expect(named(gone, 'person', [1])).toEqual([]);
    expect(counted('visit', 'person', '2999', gone)).toEqual([13, 13]);
    expect(counted('visit', 'person', '2999', without)).toEqual([13, 13]);
  });
});

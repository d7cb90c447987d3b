import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RowChange } from '#shared/protocol/edit.ts';
import { failureOf, openFixture } from './database-fixture.test-suite.ts';
import type { DatabaseFixture } from './database-fixture.test-suite.ts';

let fixture: DatabaseFixture;
beforeEach(() => {
  fixture = openFixture(`
    CREATE TABLE Artist (ArtistId INTEGER PRIMARY KEY, Name);
    CREATE TABLE Album (id INTEGER PRIMARY KEY, ArtistId REFERENCES Artist);
    CREATE TABLE Tour (id INTEGER PRIMARY KEY, ArtistId REFERENCES Artist (ArtistId) ON DELETE RESTRICT);
    CREATE TABLE Fan (id INTEGER PRIMARY KEY, ArtistId REFERENCES Artist ON DELETE CASCADE);
    CREATE TABLE Place (country TEXT, city TEXT, PRIMARY KEY (country, city));
    CREATE TABLE Concert (id INTEGER PRIMARY KEY, a, b, FOREIGN KEY (a, b) REFERENCES Place DEFERRABLE INITIALLY DEFERRED);
    CREATE TABLE Person (id INTEGER PRIMARY KEY, boss REFERENCES Person (id));
    INSERT INTO Artist VALUES (1, 'AC/DC'), (2, 'Accept'), (3, 'Apocalyptica');
    INSERT INTO Album VALUES (1, 1), (2, 1);
    INSERT INTO Tour VALUES (1, 2);
    INSERT INTO Fan VALUES (1, 1), (2, 3);
    INSERT INTO Place VALUES ('de', 'Ulm');
    INSERT INTO Concert VALUES (1, 'de', 'Ulm');
    INSERT INTO Person VALUES (1, 1), (2, 1);`);
  fixture.connection.run('PRAGMA foreign_keys = ON');
});
afterEach(() => fixture.close());

const apply = (table: string, ...changes: RowChange[]) => fixture.window.call('edit.apply', { table, changes });
const remove = (...key: number[]): RowChange => ({ kind: 'delete', key });
const count = (table: string) => Number(fixture.connection.one(`SELECT count(*) FROM ${table}`)![0]);

test.each<{ table: string; change: RowChange; what: string }>([
  { table: 'Artist', change: remove(1), what: '“Album” has 2 rows with “ArtistId” 1.' },
  { table: 'Artist', change: remove(2), what: '“Tour” has 1 row with “ArtistId” 2.' },
  {
    table: 'Artist',
    change: { kind: 'update', key: [1], set: { ArtistId: 9 }, base: {} },
    what: '“Album” has 2 rows with “ArtistId” 1, and “Fan” has 1 row with “ArtistId” 1.',
  },
  {
    table: 'Album',
    change: { kind: 'insert', set: { ArtistId: 99 } },
    what: '“Artist” has no row with “ArtistId” 99.',
  },
  {
    table: 'Album',
    change: { kind: 'update', key: [1], set: { ArtistId: 'x' }, base: {} },
    what: '“Artist” has no row with “ArtistId” “x”.',
  },
  {
    table: 'Concert',
    change: { kind: 'update', key: [1], set: { b: 'Bonn' }, base: {} },
    what: '“Place” has no row with “country” “de” and “city” “Bonn”.',
  },
  { table: 'Place', change: remove(1), what: '“Concert” has 1 row with “a” “de” and “b” “Ulm”.' },
  { table: 'Person', change: remove(1), what: '“Person” has 1 row with “boss” 1.' },
])('names what prevents $change.kind in $table: $what', async ({ table, change, what }) => {
  const before = count(table);
  const error = await failureOf(apply(table, change));
  expect(error).toMatchObject({
    code: 'constraint',
    message: `${what} Nothing was changed.`,
    detail: { kind: 'foreign-key' },
  });
  expect(count(table)).toBe(before);
  expect(fixture.connection.autocommit).toBe(true);
});

test('the referring rows are told, and deleted too on request, with those only that prevent the deletion', async () => {
  const { referring, detail } = await failureOf(apply('Artist', remove(1)));
  expect(detail).toMatchObject({ isDeletable: true });
  expect(count('Album')).toBe(2);
  expect(referring).toEqual([{ table: 'Album', columns: ['ArtistId'], values: [1], rows: 2 }]);
  await apply('Artist', { kind: 'delete', key: [1], withReferring: true });
  expect([count('Artist'), count('Album'), count('Tour'), count('Fan')]).toEqual([2, 0, 1, 1]);
  expect(
    await failureOf(apply('Person', { kind: 'delete', key: [2] }).then(() => apply('Person', remove(2)))),
  ).toMatchObject({
    code: 'not-found',
  });
  await apply('Person', { kind: 'delete', key: [1] });
  expect(count('Person')).toBe(0);
});

test('rows that others refer to in turn are not deleted along', async () => {
  fixture.connection.run('CREATE TABLE Track (id INTEGER PRIMARY KEY, AlbumId REFERENCES Album)');
  fixture.connection.run('INSERT INTO Track VALUES (1, 2)');
  const { detail } = await failureOf(apply('Artist', remove(1)));
  expect(detail).toEqual({ kind: 'foreign-key' });
  await failureOf(apply('Artist', { kind: 'delete', key: [1], withReferring: true }));
  expect([count('Artist'), count('Album')]).toEqual([3, 2]);
});

test('rows that refer by a deferred key to the rows in the way are not deleted along, except where all of them go', async () => {
  fixture.connection.run(
    'CREATE TABLE Track (id INTEGER PRIMARY KEY, AlbumId REFERENCES Album DEFERRABLE INITIALLY DEFERRED)',
  );
  fixture.connection.run('INSERT INTO Track VALUES (1, 2)');
  expect((await failureOf(apply('Artist', remove(1)))).detail).toEqual({ kind: 'foreign-key' });
  fixture.connection.run('ALTER TABLE Artist ADD best REFERENCES Album DEFERRABLE INITIALLY DEFERRED');
  fixture.connection.run('ALTER TABLE Album ADD first REFERENCES Album DEFERRABLE INITIALLY DEFERRED');
  fixture.connection.run('DELETE FROM Track');
  fixture.connection.run('UPDATE Artist SET best = 1 WHERE ArtistId = 1');
  fixture.connection.run('UPDATE Album SET first = 1');
  expect((await failureOf(apply('Artist', remove(1)))).detail).toMatchObject({ isDeletable: true });
  await apply('Artist', { kind: 'delete', key: [1], withReferring: true });
  expect([count('Artist'), count('Album')]).toEqual([2, 0]);
});

test('held changes name it, too, after all orders were tried', async () => {
  const error = await failureOf(
    fixture.window.call('edit.applyAll', {
      changes: [
        { table: 'Artist', kind: 'insert', set: { Name: 'new' } },
        { table: 'Artist', kind: 'delete', key: [1] },
      ],
    }),
  );
  expect(error).toMatchObject({
    message: '“Album” has 2 rows with “ArtistId” 1. Nothing was changed.',
    detail: { change: 1 },
  });
});

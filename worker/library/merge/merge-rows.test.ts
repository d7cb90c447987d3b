// Merging preserves rows: their values, their keys, and what the schema asks of them.
import { expect, test } from 'vitest';
import { all, MergeFixture } from './merge-fixture.test-suite.ts';

test('rows without any key are told by row id; new ones of both sides are kept', async () => {
  const fixture = await MergeFixture.open("CREATE TABLE log (what); INSERT INTO log VALUES ('base')");
  await fixture.mine("INSERT INTO log VALUES ('mine')");
  await fixture.theirs("INSERT INTO log VALUES ('theirs'), ('theirs 2')");
  const plan = await fixture.merge();
  expect(plan.taken).toEqual([{ table: 'log', inserted: 2, updated: 0, deleted: 0 }]);
  expect(plan.notes[0]).toContain('rows of “log” are identified by row id');
  expect(fixture.rows('SELECT what FROM log ORDER BY what').flat()).toEqual(['base', 'mine', 'theirs', 'theirs 2']);
  await fixture.theirs("INSERT INTO log VALUES ('theirs 3')");
  await fixture.merge(all('theirs'));
  expect(fixture.rows('SELECT what FROM log').flat()).toContain('theirs 3');
  expect(fixture.rows('SELECT what FROM log').flat()).toContain('mine');
  fixture.close();
});

test('a unique value that both gave away is asked about, and taking theirs removes mine', async () => {
  const fixture = await MergeFixture.open(
    "CREATE TABLE t (id INTEGER PRIMARY KEY, email UNIQUE); INSERT INTO t VALUES (1, 'a'), (2, 'b')",
  );
  await fixture.mine("INSERT INTO t VALUES (7, 'new')");
  await fixture.theirs(
    "INSERT INTO t VALUES (8, 'new'); UPDATE t SET email = 'c' WHERE id = 1; UPDATE t SET email = 'a' WHERE id = 2; UPDATE t SET email = 'b' WHERE id = 1",
  );
  expect(await fixture.begin()).toMatchObject({ questions: [] });
  const before = fixture.dump();
  expect(await fixture.apply()).toMatchObject({ applied: false, plan: { questions: [{ inserted: 1 }] } });
  expect(fixture.dump()).toBe(before);
  expect((await fixture.questions())[0]!.message).toContain('email');
  expect(await fixture.apply(all('theirs'))).toMatchObject({ applied: true, rowsChanged: 3 });
  expect(fixture.rows('SELECT * FROM t')).toEqual([
    [1, 'b'],
    [2, 'a'],
    [8, 'new'],
  ]);
  fixture.close();
});

test('a row that would refer to nothing is asked about', async () => {
  const fixture =
    await MergeFixture.open(`CREATE TABLE artist (id INTEGER PRIMARY KEY); CREATE TABLE album (id INTEGER PRIMARY KEY, artist REFERENCES artist);
    INSERT INTO artist VALUES (1), (2); INSERT INTO album VALUES (1, 1)`);
  await fixture.mine('INSERT INTO album VALUES (2, 2)');
  await fixture.theirs(
    'DELETE FROM artist WHERE id = 2; INSERT INTO artist VALUES (3); INSERT INTO album VALUES (5, 3)',
  );
  await fixture.begin();
  expect(await fixture.apply()).toMatchObject({
    applied: false,
    plan: { questions: [{ table: 'artist', deleted: 1 }] },
  });
  expect((await fixture.questions())[0]!.message).toBe(
    'A row of “album” would refer to a row of “artist” that does not exist.',
  );
  expect(await fixture.apply(all('theirs'))).toMatchObject({ applied: false });
  expect(await fixture.apply(all('mine'))).toMatchObject({ applied: true, rowsChanged: 2 });
  expect(fixture.rows('PRAGMA foreign_key_check')).toEqual([]);
  expect(fixture.rows('SELECT id FROM artist').flat()).toEqual([1, 2, 3]);
  fixture.close();
});

test('a check of this copy that the source’s rows do not pass leaves everything as it is', async () => {
  const fixture = await MergeFixture.open(
    'CREATE TABLE t (id INTEGER PRIMARY KEY, n CHECK (n > 0)); INSERT INTO t VALUES (1, 1), (2, 2)',
  );
  await fixture.theirs(
    'DROP TABLE t; CREATE TABLE t (id INTEGER PRIMARY KEY, n); INSERT INTO t VALUES (1, -1), (2, 3)',
  );
  await fixture.begin();
  expect(await fixture.apply()).toMatchObject({ applied: false });
  expect(fixture.rows('SELECT n FROM t').flat()).toEqual([1, 2]);
  expect(await fixture.apply(all('mine'))).toMatchObject({ applied: true });
  expect(fixture.rows('SELECT n FROM t').flat()).toEqual([1, 3]);
  fixture.close();
});

test('full-text tables are merged as rows, indexes over others are made anew, other virtual tables are said', async () => {
  const fixture = await MergeFixture.open(`CREATE TABLE doc (id INTEGER PRIMARY KEY, text);
    CREATE VIRTUAL TABLE found USING fts5 (text, content = 'doc', content_rowid = 'id');
    CREATE VIRTUAL TABLE own USING fts5 (text); CREATE VIRTUAL TABLE place USING rtree (id, x0, x1);
    INSERT INTO doc VALUES (1, 'apple'), (2, 'pear'); INSERT INTO found (found) VALUES ('rebuild');
    INSERT INTO own VALUES ('apple'), ('pear'); INSERT INTO place VALUES (1, 0, 1)`);
  await fixture.mine("UPDATE own SET text = 'apple mine' WHERE rowid = 1");
  await fixture.theirs(
    "UPDATE doc SET text = 'plum' WHERE id = 2; UPDATE own SET text = 'plum' WHERE rowid = 2; INSERT INTO own VALUES ('fig'); INSERT INTO found (found) VALUES ('rebuild'); INSERT INTO place VALUES (2, 3, 4)",
  );
  const plan = await fixture.merge();
  expect(plan.questions).toEqual([]);
  expect(plan.notes).toEqual(['Rows of “place”, a virtual table, are left as they are here: they cannot be merged.']);
  expect(fixture.rows("SELECT rowid FROM found ('plum')")).toEqual([[2]]);
  expect(fixture.rows("SELECT rowid, text FROM own ('plum OR fig OR mine')")).toEqual([
    [1, 'apple mine'],
    [2, 'plum'],
    [3, 'fig'],
  ]);
  fixture.close();
});

test('64-bit integers, blobs, reals and text that is no UTF-8 come over as they are', async () => {
  const fixture = await MergeFixture.open(
    'CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (9223372036854775807, 1), (-9223372036854775808, 2), (5, 3)',
  );
  await fixture.mine('UPDATE t SET v = 9007199254740993 WHERE id = 5');
  await fixture.theirs(
    "UPDATE t SET v = x'00ff' WHERE id = 9223372036854775807; UPDATE t SET v = 1.0 WHERE id < -1; INSERT INTO t VALUES (9007199254740995, CAST(x'ff61' AS TEXT)), (6, -0.0)",
  );
  await fixture.merge();
  expect(fixture.rows('SELECT id, typeof(v), hex(v) FROM t ORDER BY id').map((row) => row.join(' '))).toEqual([
    '-9223372036854775808 real 312E30',
    '5 integer 39303037313939323534373430393933',
    '6 real 302E30',
    '9007199254740995 text FF61',
    '9223372036854775807 blob 00FF',
  ]);
  fixture.close();
});

test('keys that differ in case only are one row, and generated columns, counters and STRICT tables keep their rules', async () => {
  const fixture = await MergeFixture.open(`CREATE TABLE k (name TEXT COLLATE NOCASE PRIMARY KEY, v) WITHOUT ROWID;
    CREATE TABLE g (id INTEGER PRIMARY KEY AUTOINCREMENT, a INTEGER NOT NULL, twice INTEGER AS (a * 2) STORED) STRICT;
    INSERT INTO k VALUES ('a', 1), ('b', 2); INSERT INTO g (a) VALUES (1), (2)`);
  await fixture.mine(
    "UPDATE k SET name = 'A' WHERE name = 'a'; UPDATE k SET name = 'B' WHERE name = 'b'; INSERT INTO g (a) VALUES (30)",
  );
  await fixture.theirs(
    "UPDATE k SET v = 5 WHERE name = 'a'; INSERT INTO g (id, a) VALUES (9, 90); UPDATE g SET a = 20 WHERE id = 2",
  );
  expect(await fixture.begin()).toMatchObject({
    taken: [{ table: 'g', inserted: 1, updated: 1 }],
    questions: [{ table: 'k', updated: 1 }],
  });
  expect((await fixture.questions())[0]).toMatchObject({ base: ['a', 1], mine: ['A', 1], theirs: ['a', 5] });
  await fixture.apply(all('theirs'));
  expect(fixture.rows('SELECT * FROM k')).toEqual([
    ['a', 5],
    ['B', 2],
  ]);
  expect(fixture.rows('SELECT * FROM g')).toEqual([
    [1, 1, 2],
    [2, 20, 40],
    [3, 30, 60],
    [9, 90, 180],
  ]);
  await fixture.mine('INSERT INTO g (a) VALUES (100)');
  expect(fixture.rows('SELECT max(id) FROM g')).toEqual([[10]]);
  expect(fixture.rows('PRAGMA integrity_check')).toEqual([['ok']]);
  fixture.close();
});

test('rows that swap a unique value come over together; triggers here do nothing of their own', async () => {
  const fixture =
    await MergeFixture.open(`CREATE TABLE t (id INTEGER PRIMARY KEY, place UNIQUE); CREATE TABLE log (id INTEGER PRIMARY KEY, what);
    CREATE TRIGGER tr AFTER UPDATE ON t BEGIN INSERT INTO log (what) VALUES (new.place); END;
    INSERT INTO t VALUES (1, 'x'), (2, 'y'), (3, 'z')`);
  await fixture.mine("UPDATE t SET place = 'mine' WHERE id = 3");
  await fixture.theirs(
    "UPDATE t SET place = NULL WHERE id = 1; UPDATE t SET place = 'x' WHERE id = 2; UPDATE t SET place = 'y' WHERE id = 1; DELETE FROM log",
  );
  await fixture.merge();
  expect(fixture.rows('SELECT * FROM t')).toEqual([
    [1, 'y'],
    [2, 'x'],
    [3, 'mine'],
  ]);
  expect(fixture.rows('SELECT what FROM log')).toEqual([['mine']]);
  fixture.close();
});

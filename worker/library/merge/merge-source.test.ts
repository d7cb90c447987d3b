// A copy and its source that both changed are merged: what each side did is there afterwards, once, and can be undone.
import { expect, test } from 'vitest';
import { all, MergeBench, NO_CHOICES } from './merge-bench.test-suite.ts';

const NOTES = `CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT, n);
  CREATE TABLE tag (name TEXT COLLATE NOCASE PRIMARY KEY, used INTEGER) WITHOUT ROWID;
  INSERT INTO note VALUES (1, 'one', 1), (2, 'two', 2), (3, 'three', 3), (4, 'four', 4), (5, 'five', 5);
  INSERT INTO tag VALUES ('a', 1), ('b', 2)`;

const bodies = (bench: MergeBench): unknown =>
  bench.rows('SELECT id, body FROM note ORDER BY id').map((row) => row.join(' '));

test('what only one side changed is merged without a question, as one step that can be undone and redone', async () => {
  const bench = await MergeBench.open(NOTES);
  await bench.mine(
    "UPDATE note SET body = 'mine' WHERE id = 1; DELETE FROM note WHERE id = 4; INSERT INTO tag VALUES ('m', 1)",
  );
  const before = bench.dump();
  await bench.theirs(
    "UPDATE note SET body = 'theirs' WHERE id = 2; DELETE FROM note WHERE id = 3; INSERT INTO tag VALUES ('t', 1)",
  );
  const plan = await bench.merge();
  expect(plan).toMatchObject({
    way: 'three-way',
    why: null,
    taken: [
      { table: 'note', inserted: 0, updated: 1, deleted: 1 },
      { table: 'tag', inserted: 1, updated: 0, deleted: 0 },
    ],
    kept: [
      { table: 'note', inserted: 0, updated: 1, deleted: 1 },
      { table: 'tag', inserted: 1, updated: 0, deleted: 0 },
    ],
    questions: [],
    notes: [],
  });
  expect(bodies(bench)).toEqual(['1 mine', '2 theirs', '5 five']);
  expect(bench.rows('SELECT name FROM tag').flat()).toEqual(['a', 'b', 'm', 't']);
  expect(await bench.state).toMatchObject({ disk: 'unchanged', changedHere: true });
  expect(bench.spareFiles).toEqual([]);
  const merged = bench.dump();
  await bench.undo();
  expect(bench.dump()).toBe(before);
  expect(await bench.state).toMatchObject({ disk: 'changed', changedHere: true });
  await bench.redo();
  expect(bench.dump()).toBe(merged);
  expect(await bench.state).toMatchObject({ disk: 'unchanged', changedHere: true });
  bench.close();
});

test('rows that both changed are asked about with all three values', async () => {
  const bench = await MergeBench.open(NOTES);
  await bench.mine(
    "UPDATE note SET body = 'mine' WHERE id IN (1, 2, 3); DELETE FROM note WHERE id = 4; INSERT INTO note VALUES (9, 'mine', 9)",
  );
  await bench.theirs(
    "UPDATE note SET body = 'theirs' WHERE id IN (1, 4); DELETE FROM note WHERE id = 2; UPDATE note SET body = 'mine' WHERE id = 3; INSERT INTO note VALUES (9, 'theirs', 9)",
  );
  const plan = await bench.begin();
  expect(plan).toMatchObject({
    taken: [],
    kept: [],
    questions: [{ table: 'note', updated: 2, inserted: 1, deleted: 1 }],
  });
  const questions = await bench.questions();
  expect(questions.map(({ key, base, mine, theirs }) => [key[0], base?.[1], mine?.[1], theirs?.[1]])).toEqual(
    expect.arrayContaining([
      [1, 'one', 'mine', 'theirs'],
      [2, 'two', 'mine', undefined],
      [4, 'four', undefined, 'theirs'],
      [9, undefined, 'mine', 'theirs'],
    ]),
  );
  const [first] = questions.filter(({ key }) => key[0] === 1);
  await bench.apply({ rows: { [first!.id]: 'theirs' }, tables: { note: 'mine' } });
  expect(bodies(bench)).toEqual(['1 theirs', '2 mine', '3 mine', '5 five', '9 mine']);
  expect(await bench.state).toMatchObject({ disk: 'unchanged', changedHere: true });
  bench.close();
});

test('what was decided is not asked again, what was put off is', async () => {
  const bench = await MergeBench.open(NOTES);
  await bench.mine("UPDATE note SET body = 'mine' WHERE id IN (1, 2)");
  await bench.theirs("UPDATE note SET body = 'theirs' WHERE id IN (1, 2)");
  await bench.begin();
  const [one, two] = await bench.questions();
  expect(await bench.apply({ ...NO_CHOICES, rows: { [one!.id]: 'mine', [two!.id]: 'later' } })).toMatchObject({
    later: 1,
    step: 0,
  });
  // Saving would overwrite what nobody has decided about.
  expect(await bench.state).toMatchObject({ disk: 'changed', changedHere: true });
  bench.restart();
  await bench.theirs("UPDATE note SET body = 'new' WHERE id = 5");
  expect(await bench.begin()).toMatchObject({
    way: 'three-way',
    taken: [{ updated: 1 }],
    kept: [{ updated: 1 }],
    questions: [{ updated: 1 }],
  });
  expect((await bench.questions()).map(({ key, base }) => [key[0], base![1]])).toEqual([[2, 'two']]);
  await bench.apply(all('theirs'));
  expect(bodies(bench)).toEqual(['1 mine', '2 theirs', '3 three', '4 four', '5 new']);
  expect(await bench.state).toMatchObject({ disk: 'unchanged', changedHere: true });
  bench.close();
});

test('merges go on from the one before, edits and restarts in between', async () => {
  const bench = await MergeBench.open(NOTES);
  await bench.mine("UPDATE note SET body = 'mine' WHERE id = 1");
  await bench.theirs("UPDATE note SET body = 'theirs' WHERE id = 2");
  await bench.merge();
  bench.restart();
  await bench.mine("UPDATE note SET body = 'mine 2' WHERE id = 3; UPDATE note SET n = 0 WHERE id = 2");
  await bench.theirs("UPDATE note SET body = 'theirs 2' WHERE id = 4");
  const plan = await bench.merge();
  expect(plan).toMatchObject({ way: 'three-way', taken: [{ updated: 1 }], kept: [{ updated: 3 }], questions: [] });
  expect(bodies(bench)).toEqual(['1 mine', '2 theirs', '3 mine 2', '4 theirs 2', '5 five']);
  // A change to what only this copy has changed so far is a conflict now.
  await bench.theirs("UPDATE note SET body = 'theirs 3' WHERE id = 1");
  expect(await bench.begin()).toMatchObject({ questions: [{ updated: 1 }] });
  expect((await bench.questions())[0]).toMatchObject({
    base: [1, 'one', 1],
    mine: [1, 'mine', 1],
    theirs: [1, 'theirs 3', 1],
  });
  bench.close();
});

test('a copy without changes of its own becomes what the source is', async () => {
  const bench = await MergeBench.open(NOTES);
  await bench.theirs("UPDATE note SET body = 'theirs' WHERE id = 2; INSERT INTO tag VALUES ('t', 1)");
  await bench.merge();
  expect(bench.dump()).toBe(bench.dump('theirs'));
  expect(await bench.state).toMatchObject({ disk: 'unchanged', changedHere: false });
  bench.close();
});

test('without a history back to when both were the same every row that differs is asked about', async () => {
  const bench = await MergeBench.open(NOTES);
  await bench.mine("UPDATE note SET body = 'mine' WHERE id = 1");
  await bench.theirs("UPDATE note SET body = 'theirs' WHERE id = 2; DELETE FROM note WHERE id = 5");
  bench.clearHistory();
  expect(await bench.begin()).toMatchObject({
    way: 'two-way',
    why: 'The history of this copy does not reach back to when both were the same.',
    taken: [],
    kept: [],
    questions: [{ table: 'note', updated: 2, deleted: 1 }],
  });
  const questions = await bench.questions();
  expect(questions.every(({ base }) => base === undefined)).toBe(true);
  const one = questions.find(({ key }) => key[0] === 1)!;
  await bench.apply({ ...NO_CHOICES, rows: { [one.id]: 'mine' }, all: 'theirs' });
  expect(bodies(bench)).toEqual(['1 mine', '2 theirs', '3 three', '4 four']);
  expect(await bench.state).toMatchObject({ disk: 'unchanged', changedHere: true });
  await bench.theirs("UPDATE note SET body = 'theirs 2' WHERE id = 3");
  expect(await bench.merge()).toMatchObject({
    way: 'three-way',
    taken: [{ updated: 1 }],
    kept: [{ updated: 1 }],
    questions: [],
  });
  bench.close();
});

test('a schema change here is looked through by the copy that the history kept', async () => {
  const bench = await MergeBench.open(NOTES);
  await bench.mine("UPDATE note SET body = 'mine' WHERE id = 1");
  await bench.mine('CREATE INDEX i ON note (body)');
  await bench.mine("UPDATE note SET body = 'mine' WHERE id = 2");
  await bench.theirs("UPDATE note SET body = 'theirs' WHERE id IN (2, 3)");
  expect(await bench.begin()).toMatchObject({
    way: 'three-way',
    taken: [{ updated: 1 }],
    kept: [{ updated: 1 }],
    questions: [{ updated: 1 }],
  });
  await bench.apply(all('mine'));
  expect(bodies(bench)).toEqual(['1 mine', '2 mine', '3 theirs', '4 four', '5 five']);
  expect(await bench.state).toMatchObject({ disk: 'unchanged', changedHere: true });
  bench.close();
});

test('tables of another shape are said and left, and the file stays one that has changed', async () => {
  const bench = await MergeBench.open(`${NOTES}; CREATE TABLE other (a); INSERT INTO other VALUES (1)`);
  await bench.theirs("ALTER TABLE other ADD COLUMN b DEFAULT 2; UPDATE note SET body = 'theirs' WHERE id = 2");
  const plan = await bench.merge();
  expect(plan.notes).toContain('Rows of “other” are left as they are here: its columns differ.');
  expect(bodies(bench)).toContain('2 theirs');
  expect(await bench.state).toMatchObject({ disk: 'changed', changedHere: true });
  bench.close();
});

test('rows without any key are told by row id; new ones of both sides are kept', async () => {
  const bench = await MergeBench.open("CREATE TABLE log (what); INSERT INTO log VALUES ('base')");
  await bench.mine("INSERT INTO log VALUES ('mine')");
  await bench.theirs("INSERT INTO log VALUES ('theirs'), ('theirs 2')");
  const plan = await bench.merge();
  expect(plan.taken).toEqual([{ table: 'log', inserted: 2, updated: 0, deleted: 0 }]);
  expect(plan.notes[0]).toContain('rows of “log” are told apart by row id');
  expect(bench.rows('SELECT what FROM log ORDER BY what').flat()).toEqual(['base', 'mine', 'theirs', 'theirs 2']);
  await bench.theirs("INSERT INTO log VALUES ('theirs 3')");
  await bench.merge(all('theirs'));
  expect(bench.rows('SELECT what FROM log').flat()).toContain('theirs 3');
  expect(bench.rows('SELECT what FROM log').flat()).toContain('mine');
  bench.close();
});

test('a unique value that both gave away is asked about, and taking theirs removes mine', async () => {
  const bench = await MergeBench.open(
    "CREATE TABLE t (id INTEGER PRIMARY KEY, email UNIQUE); INSERT INTO t VALUES (1, 'a'), (2, 'b')",
  );
  await bench.mine("INSERT INTO t VALUES (7, 'new')");
  await bench.theirs(
    "INSERT INTO t VALUES (8, 'new'); UPDATE t SET email = 'c' WHERE id = 1; UPDATE t SET email = 'a' WHERE id = 2; UPDATE t SET email = 'b' WHERE id = 1",
  );
  expect(await bench.begin()).toMatchObject({ questions: [] });
  const before = bench.dump();
  expect(await bench.apply()).toMatchObject({ applied: false, plan: { questions: [{ inserted: 1 }] } });
  expect(bench.dump()).toBe(before);
  expect((await bench.questions())[0]!.message).toContain('email');
  expect(await bench.apply(all('theirs'))).toMatchObject({ applied: true, rowsChanged: 3 });
  expect(bench.rows('SELECT * FROM t')).toEqual([
    [1, 'b'],
    [2, 'a'],
    [8, 'new'],
  ]);
  bench.close();
});

test('a row that would refer to nothing is asked about', async () => {
  const bench =
    await MergeBench.open(`CREATE TABLE artist (id INTEGER PRIMARY KEY); CREATE TABLE album (id INTEGER PRIMARY KEY, artist REFERENCES artist);
    INSERT INTO artist VALUES (1), (2); INSERT INTO album VALUES (1, 1)`);
  await bench.mine('INSERT INTO album VALUES (2, 2)');
  await bench.theirs('DELETE FROM artist WHERE id = 2; INSERT INTO artist VALUES (3); INSERT INTO album VALUES (5, 3)');
  await bench.begin();
  expect(await bench.apply()).toMatchObject({ applied: false, plan: { questions: [{ table: 'artist', deleted: 1 }] } });
  expect((await bench.questions())[0]!.message).toBe(
    'A row of “album” would refer to a row of “artist” that is not there.',
  );
  expect(await bench.apply(all('theirs'))).toMatchObject({ applied: false });
  expect(await bench.apply(all('mine'))).toMatchObject({ applied: true, rowsChanged: 2 });
  expect(bench.rows('PRAGMA foreign_key_check')).toEqual([]);
  expect(bench.rows('SELECT id FROM artist').flat()).toEqual([1, 2, 3]);
  bench.close();
});

test('a check of this copy that the source’s rows do not pass leaves everything as it is', async () => {
  const bench = await MergeBench.open(
    'CREATE TABLE t (id INTEGER PRIMARY KEY, n CHECK (n > 0)); INSERT INTO t VALUES (1, 1), (2, 2)',
  );
  await bench.theirs('DROP TABLE t; CREATE TABLE t (id INTEGER PRIMARY KEY, n); INSERT INTO t VALUES (1, -1), (2, 3)');
  await bench.begin();
  expect(await bench.apply()).toMatchObject({ applied: false });
  expect(bench.rows('SELECT n FROM t').flat()).toEqual([1, 2]);
  expect(await bench.apply(all('mine'))).toMatchObject({ applied: true });
  expect(bench.rows('SELECT n FROM t').flat()).toEqual([1, 3]);
  bench.close();
});

test('full-text tables are merged as rows, indexes over others are made anew, other virtual tables are said', async () => {
  const bench = await MergeBench.open(`CREATE TABLE doc (id INTEGER PRIMARY KEY, text);
    CREATE VIRTUAL TABLE found USING fts5 (text, content = 'doc', content_rowid = 'id');
    CREATE VIRTUAL TABLE own USING fts5 (text); CREATE VIRTUAL TABLE place USING rtree (id, x0, x1);
    INSERT INTO doc VALUES (1, 'apple'), (2, 'pear'); INSERT INTO found (found) VALUES ('rebuild');
    INSERT INTO own VALUES ('apple'), ('pear'); INSERT INTO place VALUES (1, 0, 1)`);
  await bench.mine("UPDATE own SET text = 'apple mine' WHERE rowid = 1");
  await bench.theirs(
    "UPDATE doc SET text = 'plum' WHERE id = 2; UPDATE own SET text = 'plum' WHERE rowid = 2; INSERT INTO own VALUES ('fig'); INSERT INTO found (found) VALUES ('rebuild'); INSERT INTO place VALUES (2, 3, 4)",
  );
  const plan = await bench.merge();
  expect(plan.questions).toEqual([]);
  expect(plan.notes).toEqual(['Rows of “place”, a virtual table, are left as they are here: they cannot be merged.']);
  expect(bench.rows("SELECT rowid FROM found ('plum')")).toEqual([[2]]);
  expect(bench.rows("SELECT rowid, text FROM own ('plum OR fig OR mine')")).toEqual([
    [1, 'apple mine'],
    [2, 'plum'],
    [3, 'fig'],
  ]);
  bench.close();
});

test('64-bit integers, blobs, reals and text that is no UTF-8 come over as they are', async () => {
  const bench = await MergeBench.open(
    'CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (9223372036854775807, 1), (-9223372036854775808, 2), (5, 3)',
  );
  await bench.mine('UPDATE t SET v = 9007199254740993 WHERE id = 5');
  await bench.theirs(
    "UPDATE t SET v = x'00ff' WHERE id = 9223372036854775807; UPDATE t SET v = 1.0 WHERE id < -1; INSERT INTO t VALUES (9007199254740995, CAST(x'ff61' AS TEXT)), (6, -0.0)",
  );
  await bench.merge();
  expect(bench.rows('SELECT id, typeof(v), hex(v) FROM t ORDER BY id').map((row) => row.join(' '))).toEqual([
    '-9223372036854775808 real 312E30',
    '5 integer 39303037313939323534373430393933',
    '6 real 302E30',
    '9007199254740995 text FF61',
    '9223372036854775807 blob 00FF',
  ]);
  bench.close();
});

test('what was undone before the merge, and an undone reload, are no ground to forget the source’s change', async () => {
  const bench = await MergeBench.open(NOTES);
  await bench.theirs("UPDATE note SET body = 'theirs' WHERE id = 2");
  await bench.mine("UPDATE note SET body = 'mine' WHERE id = 1");
  await bench.reload();
  expect(await bench.state).toMatchObject({ disk: 'unchanged', changedHere: false });
  await bench.undo();
  expect(await bench.state).toMatchObject({ disk: 'changed', changedHere: true });
  await bench.mine("UPDATE note SET body = 'mine too' WHERE id = 3");
  expect(await bench.state).toMatchObject({ disk: 'changed', changedHere: true });
  expect(await bench.merge()).toMatchObject({
    way: 'three-way',
    taken: [{ updated: 1 }],
    kept: [{ updated: 2 }],
    questions: [],
  });
  expect(bodies(bench)).toEqual(['1 mine', '2 theirs', '3 mine too', '4 four', '5 five']);
  bench.close();
});

test('a copy that stands before the state that was saved is led forward to it', async () => {
  const bench = await MergeBench.open(NOTES);
  await bench.mine("UPDATE note SET body = 'mine' WHERE id = 1");
  await bench.theirs("UPDATE note SET body = 'mine' WHERE id = 1");
  await bench.merge();
  await bench.undo();
  await bench.theirs("UPDATE note SET body = 'theirs' WHERE id = 2");
  expect(await bench.merge()).toMatchObject({
    way: 'three-way',
    taken: [{ updated: 1 }],
    kept: [{ updated: 1 }],
    questions: [],
  });
  expect(bodies(bench)).toEqual(['1 one', '2 theirs', '3 three', '4 four', '5 five']);
  bench.close();
});

test('a merge that was planned is refused once the copy is another, and a new one takes its place', async () => {
  const bench = await MergeBench.open(NOTES);
  await bench.theirs("UPDATE note SET body = 'theirs' WHERE id = 2");
  await bench.begin();
  await bench.mine("UPDATE note SET body = 'mine' WHERE id = 2");
  await expect(bench.apply()).rejects.toMatchObject({ code: 'conflict' });
  expect(bodies(bench)).toContain('2 mine');
  expect(await bench.begin()).toMatchObject({ questions: [{ updated: 1 }] });
  expect(bench.spareFiles).toHaveLength(2);
  bench.close();
});

test('stopped, nothing is changed and no file is left', async () => {
  const bench = await MergeBench.open(NOTES);
  await bench.theirs("UPDATE note SET body = 'theirs' WHERE id = 2");
  bench.stopNext();
  await expect(bench.begin()).rejects.toMatchObject({ code: 'stopped' });
  expect(bench.spareFiles).toEqual([]);
  bench.close();
});

test('keys that differ in case only are one row, and generated columns, counters and STRICT tables keep their rules', async () => {
  const bench = await MergeBench.open(`CREATE TABLE k (name TEXT COLLATE NOCASE PRIMARY KEY, v) WITHOUT ROWID;
    CREATE TABLE g (id INTEGER PRIMARY KEY AUTOINCREMENT, a INTEGER NOT NULL, twice INTEGER AS (a * 2) STORED) STRICT;
    INSERT INTO k VALUES ('a', 1), ('b', 2); INSERT INTO g (a) VALUES (1), (2)`);
  await bench.mine(
    "UPDATE k SET name = 'A' WHERE name = 'a'; UPDATE k SET name = 'B' WHERE name = 'b'; INSERT INTO g (a) VALUES (30)",
  );
  await bench.theirs(
    "UPDATE k SET v = 5 WHERE name = 'a'; INSERT INTO g (id, a) VALUES (9, 90); UPDATE g SET a = 20 WHERE id = 2",
  );
  expect(await bench.begin()).toMatchObject({
    taken: [{ table: 'g', inserted: 1, updated: 1 }],
    questions: [{ table: 'k', updated: 1 }],
  });
  expect((await bench.questions())[0]).toMatchObject({ base: ['a', 1], mine: ['A', 1], theirs: ['a', 5] });
  await bench.apply(all('theirs'));
  expect(bench.rows('SELECT * FROM k')).toEqual([
    ['a', 5],
    ['B', 2],
  ]);
  expect(bench.rows('SELECT * FROM g')).toEqual([
    [1, 1, 2],
    [2, 20, 40],
    [3, 30, 60],
    [9, 90, 180],
  ]);
  await bench.mine('INSERT INTO g (a) VALUES (100)');
  expect(bench.rows('SELECT max(id) FROM g')).toEqual([[10]]);
  expect(bench.rows('PRAGMA integrity_check')).toEqual([['ok']]);
  bench.close();
});

test('rows that swap a unique value come over together; triggers here do nothing of their own', async () => {
  const bench =
    await MergeBench.open(`CREATE TABLE t (id INTEGER PRIMARY KEY, place UNIQUE); CREATE TABLE log (id INTEGER PRIMARY KEY, what);
    CREATE TRIGGER tr AFTER UPDATE ON t BEGIN INSERT INTO log (what) VALUES (new.place); END;
    INSERT INTO t VALUES (1, 'x'), (2, 'y'), (3, 'z')`);
  await bench.mine("UPDATE t SET place = 'mine' WHERE id = 3");
  await bench.theirs(
    "UPDATE t SET place = NULL WHERE id = 1; UPDATE t SET place = 'x' WHERE id = 2; UPDATE t SET place = 'y' WHERE id = 1; DELETE FROM log",
  );
  await bench.merge();
  expect(bench.rows('SELECT * FROM t')).toEqual([
    [1, 'y'],
    [2, 'x'],
    [3, 'mine'],
  ]);
  expect(bench.rows('SELECT what FROM log')).toEqual([['mine']]);
  bench.close();
});

test('stopped while it is done, nothing is changed, and the same merge can be done after all', async () => {
  const bench = await MergeBench.open(
    'CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000) SELECT i, i FROM n',
  );
  await bench.theirs('UPDATE t SET v = -v');
  await bench.begin();
  const before = bench.dump();
  bench.stopNext();
  await expect(bench.apply()).rejects.toMatchObject({ code: 'stopped' });
  expect(bench.dump()).toBe(before);
  expect(await bench.apply()).toMatchObject({ applied: true, rowsChanged: 3000 });
  bench.close();
});

test('when what the source lacked is not kept any more, nothing is guessed: every row that differs is asked about', async () => {
  const merged = async (): Promise<MergeBench> => {
    const bench = await MergeBench.open(NOTES);
    await bench.mine("UPDATE note SET body = 'mine' WHERE id = 1");
    await bench.theirs("UPDATE note SET body = 'theirs' WHERE id = 2");
    await bench.merge();
    return bench;
  };
  const cleared = await merged();
  cleared.clearHistory();
  cleared.restart();
  expect(await cleared.begin()).toMatchObject({ way: 'two-way', questions: [{ updated: 1 }] });
  expect(await cleared.state).toMatchObject({ disk: 'unchanged', changedHere: true });
  cleared.close();

  const tooLarge = await MergeBench.open(NOTES);
  tooLarge.context.histories.setLimits({ totalBytes: 4e6, stepBytes: 1e6 });
  for (const id of [1, 2, 3]) await tooLarge.mine(`UPDATE note SET n = zeroblob(400000) WHERE id = ${id}`);
  await tooLarge.theirs("UPDATE note SET body = 'x' || hex(zeroblob(400000)) WHERE id < 4");
  await tooLarge.begin();
  expect(await tooLarge.apply(all('mine'))).toMatchObject({ applied: true });
  expect(await tooLarge.begin()).toMatchObject({ way: 'two-way', questions: [{ updated: 3 }] });
  tooLarge.close();
});

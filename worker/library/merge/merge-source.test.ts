// Merging a copy and its source that both changed: each side's changes are there afterward, once, and can be undone.
import { expect, test } from 'vitest';
import { all, bodies, MergeFixture, NO_CHOICES, NOTES } from './merge-fixture.test-suite.ts';

test('what only one side changed is merged without a question, as one step that can be undone and redone', async () => {
  const fixture = await MergeFixture.open(NOTES);
  await fixture.mine(
    "UPDATE note SET body = 'mine' WHERE id = 1; DELETE FROM note WHERE id = 4; INSERT INTO tag VALUES ('m', 1)",
  );
  const before = fixture.dump();
  await fixture.theirs(
    "UPDATE note SET body = 'theirs' WHERE id = 2; DELETE FROM note WHERE id = 3; INSERT INTO tag VALUES ('t', 1)",
  );
  const plan = await fixture.merge();
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
  expect(bodies(fixture)).toEqual(['1 mine', '2 theirs', '5 five']);
  expect(fixture.rows('SELECT name FROM tag').flat()).toEqual(['a', 'b', 'm', 't']);
  expect(await fixture.state).toMatchObject({ disk: 'unchanged', changedHere: true });
  expect(fixture.spareFiles).toEqual([]);
  const merged = fixture.dump();
  await fixture.undo();
  expect(fixture.dump()).toBe(before);
  expect(await fixture.state).toMatchObject({ disk: 'changed', changedHere: true });
  await fixture.redo();
  expect(fixture.dump()).toBe(merged);
  expect(await fixture.state).toMatchObject({ disk: 'unchanged', changedHere: true });
  fixture.close();
});

test('the database stays open while a merge waits for answers, and not longer', async () => {
  const fixture = await MergeFixture.open(NOTES);
  await fixture.mine("UPDATE note SET body = 'mine' WHERE id = 1");
  await fixture.theirs("UPDATE note SET body = 'theirs' WHERE id = 1");
  const database = fixture.context.databases.find(fixture.id)!;
  expect(database.rest()).toBe(true);
  await fixture.begin();
  expect([database.rest(), database.isResting]).toEqual([false, false]);
  const [question] = await fixture.questions();
  expect(await fixture.apply({ tables: {}, rows: { [question!.id]: 'theirs' } })).toMatchObject({ applied: true });
  expect(database.rest()).toBe(true);
  expect(bodies(fixture)).toContain('1 theirs');
  await fixture.undo();
  expect(bodies(fixture)).toContain('1 mine');
  fixture.close();
});

test('rows that both changed are asked about with all three values', async () => {
  const fixture = await MergeFixture.open(NOTES);
  await fixture.mine(
    "UPDATE note SET body = 'mine' WHERE id IN (1, 2, 3); DELETE FROM note WHERE id = 4; INSERT INTO note VALUES (9, 'mine', 9)",
  );
  await fixture.theirs(
    "UPDATE note SET body = 'theirs' WHERE id IN (1, 4); DELETE FROM note WHERE id = 2; UPDATE note SET body = 'mine' WHERE id = 3; INSERT INTO note VALUES (9, 'theirs', 9)",
  );
  const plan = await fixture.begin();
  expect(plan).toMatchObject({
    taken: [],
    kept: [],
    questions: [{ table: 'note', updated: 2, inserted: 1, deleted: 1 }],
  });
  const questions = await fixture.questions();
  expect(questions.map(({ key, base, mine, theirs }) => [key[0], base?.[1], mine?.[1], theirs?.[1]])).toEqual(
    expect.arrayContaining([
      [1, 'one', 'mine', 'theirs'],
      [2, 'two', 'mine', undefined],
      [4, 'four', undefined, 'theirs'],
      [9, undefined, 'mine', 'theirs'],
    ]),
  );
  const [first] = questions.filter(({ key }) => key[0] === 1);
  await fixture.apply({ rows: { [first!.id]: 'theirs' }, tables: { note: 'mine' } });
  expect(bodies(fixture)).toEqual(['1 theirs', '2 mine', '3 mine', '5 five', '9 mine']);
  expect(await fixture.state).toMatchObject({ disk: 'unchanged', changedHere: true });
  fixture.close();
});

test('what was decided is not asked again, what was put off is', async () => {
  const fixture = await MergeFixture.open(NOTES);
  await fixture.mine("UPDATE note SET body = 'mine' WHERE id IN (1, 2)");
  await fixture.theirs("UPDATE note SET body = 'theirs' WHERE id IN (1, 2)");
  await fixture.begin();
  const [one, two] = await fixture.questions();
  expect(await fixture.apply({ ...NO_CHOICES, rows: { [one!.id]: 'mine', [two!.id]: 'later' } })).toMatchObject({
    later: 1,
    step: 0,
  });
  // Saving would overwrite rows about which the user has not decided.
  expect(await fixture.state).toMatchObject({ disk: 'changed', changedHere: true });
  fixture.restart();
  await fixture.theirs("UPDATE note SET body = 'new' WHERE id = 5");
  expect(await fixture.begin()).toMatchObject({
    way: 'three-way',
    taken: [{ updated: 1 }],
    kept: [{ updated: 1 }],
    questions: [{ updated: 1 }],
  });
  expect((await fixture.questions()).map(({ key, base }) => [key[0], base![1]])).toEqual([[2, 'two']]);
  await fixture.apply(all('theirs'));
  expect(bodies(fixture)).toEqual(['1 mine', '2 theirs', '3 three', '4 four', '5 new']);
  expect(await fixture.state).toMatchObject({ disk: 'unchanged', changedHere: true });
  fixture.close();
});

test('a copy without changes of its own becomes what the source is', async () => {
  const fixture = await MergeFixture.open(NOTES);
  await fixture.theirs("UPDATE note SET body = 'theirs' WHERE id = 2; INSERT INTO tag VALUES ('t', 1)");
  await fixture.merge();
  expect(fixture.dump()).toBe(fixture.dump('theirs'));
  expect(await fixture.state).toMatchObject({ disk: 'unchanged', changedHere: false });
  fixture.close();
});

test('tables of another shape are said and left, and the file stays one that has changed', async () => {
  const fixture = await MergeFixture.open(`${NOTES}; CREATE TABLE other (a); INSERT INTO other VALUES (1)`);
  await fixture.theirs("ALTER TABLE other ADD COLUMN b DEFAULT 2; UPDATE note SET body = 'theirs' WHERE id = 2");
  const plan = await fixture.merge();
  expect(plan.notes).toContain('Rows of “other” are left as they are here: its columns differ.');
  expect(bodies(fixture)).toContain('2 theirs');
  expect(await fixture.state).toMatchObject({ disk: 'changed', changedHere: true });
  fixture.close();
});

test('a merge that was planned is refused once the copy is another, and a new one takes its place', async () => {
  const fixture = await MergeFixture.open(NOTES);
  await fixture.theirs("UPDATE note SET body = 'theirs' WHERE id = 2");
  await fixture.begin();
  await fixture.mine("UPDATE note SET body = 'mine' WHERE id = 2");
  await expect(fixture.apply()).rejects.toMatchObject({ code: 'conflict' });
  expect(bodies(fixture)).toContain('2 mine');
  expect(await fixture.begin()).toMatchObject({ questions: [{ updated: 1 }] });
  expect(fixture.spareFiles).toHaveLength(2);
  fixture.close();
});

test('stopped, nothing is changed and no file is left', async () => {
  const fixture = await MergeFixture.open(NOTES);
  await fixture.theirs("UPDATE note SET body = 'theirs' WHERE id = 2");
  fixture.stopNext();
  await expect(fixture.begin()).rejects.toMatchObject({ code: 'stopped' });
  expect(fixture.spareFiles).toEqual([]);
  fixture.close();
});

test('stopped while it is done, nothing is changed, and the same merge can be done after all', async () => {
  const fixture = await MergeFixture.open(
    'CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000) SELECT i, i FROM n',
  );
  await fixture.theirs('UPDATE t SET v = -v');
  await fixture.begin();
  const before = fixture.dump();
  fixture.stopNext();
  await expect(fixture.apply()).rejects.toMatchObject({ code: 'stopped' });
  expect(fixture.dump()).toBe(before);
  expect(await fixture.apply()).toMatchObject({ applied: true, rowsChanged: 3000 });
  fixture.close();
});

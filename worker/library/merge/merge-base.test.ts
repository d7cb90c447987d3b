// What a copy and its source were when both were the same: a merge finds it in the history, and asks about every row where it cannot.
import { expect, test } from 'vitest';
import { all, bodies, MergeFixture, NO_CHOICES, NOTES } from './merge-fixture.test-suite.ts';

test('merges go on from the one before, edits and restarts in between', async () => {
  const fixture = await MergeFixture.open(NOTES);
  await fixture.mine("UPDATE note SET body = 'mine' WHERE id = 1");
  await fixture.theirs("UPDATE note SET body = 'theirs' WHERE id = 2");
  await fixture.merge();
  fixture.restart();
  await fixture.mine("UPDATE note SET body = 'mine 2' WHERE id = 3; UPDATE note SET n = 0 WHERE id = 2");
  await fixture.theirs("UPDATE note SET body = 'theirs 2' WHERE id = 4");
  const plan = await fixture.merge();
  expect(plan).toMatchObject({ way: 'three-way', taken: [{ updated: 1 }], kept: [{ updated: 3 }], questions: [] });
  expect(bodies(fixture)).toEqual(['1 mine', '2 theirs', '3 mine 2', '4 theirs 2', '5 five']);
  // A change to what only this copy has changed so far is a conflict now.
  await fixture.theirs("UPDATE note SET body = 'theirs 3' WHERE id = 1");
  expect(await fixture.begin()).toMatchObject({ questions: [{ updated: 1 }] });
  expect((await fixture.questions())[0]).toMatchObject({
    base: [1, 'one', 1],
    mine: [1, 'mine', 1],
    theirs: [1, 'theirs 3', 1],
  });
  fixture.close();
});

test('without a history back to when both were the same every row that differs is asked about', async () => {
  const fixture = await MergeFixture.open(NOTES);
  await fixture.mine("UPDATE note SET body = 'mine' WHERE id = 1");
  await fixture.theirs("UPDATE note SET body = 'theirs' WHERE id = 2; DELETE FROM note WHERE id = 5");
  fixture.clearHistory();
  expect(await fixture.begin()).toMatchObject({
    way: 'two-way',
    why: 'The history of this copy does not reach back to when both were the same.',
    taken: [],
    kept: [],
    questions: [{ table: 'note', updated: 2, deleted: 1 }],
  });
  const questions = await fixture.questions();
  expect(questions.every(({ base }) => base === undefined)).toBe(true);
  const one = questions.find(({ key }) => key[0] === 1)!;
  await fixture.apply({ ...NO_CHOICES, rows: { [one.id]: 'mine' }, all: 'theirs' });
  expect(bodies(fixture)).toEqual(['1 mine', '2 theirs', '3 three', '4 four']);
  expect(await fixture.state).toMatchObject({ disk: 'unchanged', changedHere: true });
  await fixture.theirs("UPDATE note SET body = 'theirs 2' WHERE id = 3");
  expect(await fixture.merge()).toMatchObject({
    way: 'three-way',
    taken: [{ updated: 1 }],
    kept: [{ updated: 1 }],
    questions: [],
  });
  fixture.close();
});

test('a schema change here is looked through by the copy that the history kept', async () => {
  const fixture = await MergeFixture.open(NOTES);
  await fixture.mine("UPDATE note SET body = 'mine' WHERE id = 1");
  await fixture.mine('CREATE INDEX i ON note (body)');
  await fixture.mine("UPDATE note SET body = 'mine' WHERE id = 2");
  await fixture.theirs("UPDATE note SET body = 'theirs' WHERE id IN (2, 3)");
  expect(await fixture.begin()).toMatchObject({
    way: 'three-way',
    taken: [{ updated: 1 }],
    kept: [{ updated: 1 }],
    questions: [{ updated: 1 }],
  });
  await fixture.apply(all('mine'));
  expect(bodies(fixture)).toEqual(['1 mine', '2 mine', '3 theirs', '4 four', '5 five']);
  expect(await fixture.state).toMatchObject({ disk: 'unchanged', changedHere: true });
  fixture.close();
});

test('what was undone before the merge, and an undone reload, are no ground to forget the source’s change', async () => {
  const fixture = await MergeFixture.open(NOTES);
  await fixture.theirs("UPDATE note SET body = 'theirs' WHERE id = 2");
  await fixture.mine("UPDATE note SET body = 'mine' WHERE id = 1");
  await fixture.reload();
  expect(await fixture.state).toMatchObject({ disk: 'unchanged', changedHere: false });
  await fixture.undo();
  expect(await fixture.state).toMatchObject({ disk: 'changed', changedHere: true });
  await fixture.mine("UPDATE note SET body = 'mine too' WHERE id = 3");
  expect(await fixture.state).toMatchObject({ disk: 'changed', changedHere: true });
  expect(await fixture.merge()).toMatchObject({
    way: 'three-way',
    taken: [{ updated: 1 }],
    kept: [{ updated: 2 }],
    questions: [],
  });
  expect(bodies(fixture)).toEqual(['1 mine', '2 theirs', '3 mine too', '4 four', '5 five']);
  fixture.close();
});

test('a copy that stands before the state that was saved is led forward to it', async () => {
  const fixture = await MergeFixture.open(NOTES);
  await fixture.mine("UPDATE note SET body = 'mine' WHERE id = 1");
  await fixture.theirs("UPDATE note SET body = 'mine' WHERE id = 1");
  await fixture.merge();
  await fixture.undo();
  await fixture.theirs("UPDATE note SET body = 'theirs' WHERE id = 2");
  expect(await fixture.merge()).toMatchObject({
    way: 'three-way',
    taken: [{ updated: 1 }],
    kept: [{ updated: 1 }],
    questions: [],
  });
  expect(bodies(fixture)).toEqual(['1 one', '2 theirs', '3 three', '4 four', '5 five']);
  fixture.close();
});

test('when what the source lacked is not kept any more, nothing is guessed: every row that differs is asked about', async () => {
  const merged = async (): Promise<MergeFixture> => {
    const fixture = await MergeFixture.open(NOTES);
    await fixture.mine("UPDATE note SET body = 'mine' WHERE id = 1");
    await fixture.theirs("UPDATE note SET body = 'theirs' WHERE id = 2");
    await fixture.merge();
    return fixture;
  };
  const cleared = await merged();
  cleared.clearHistory();
  cleared.restart();
  expect(await cleared.begin()).toMatchObject({ way: 'two-way', questions: [{ updated: 1 }] });
  expect(await cleared.state).toMatchObject({ disk: 'unchanged', changedHere: true });
  cleared.close();

  const tooLarge = await MergeFixture.open(NOTES);
  tooLarge.context.histories.setLimits({ totalBytes: 4e6, stepBytes: 1e6 });
  for (const id of [1, 2, 3]) await tooLarge.mine(`UPDATE note SET n = zeroblob(400000) WHERE id = ${id}`);
  await tooLarge.theirs("UPDATE note SET body = 'x' || hex(zeroblob(400000)) WHERE id < 4");
  await tooLarge.begin();
  expect(await tooLarge.apply(all('mine'))).toMatchObject({ applied: true });
  expect(await tooLarge.begin()).toMatchObject({ way: 'two-way', questions: [{ updated: 3 }] });
  tooLarge.close();
});

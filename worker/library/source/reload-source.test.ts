// A library copy becomes what its source is, as one step that can be undone, or stays as it is.
import { expect, test } from 'vitest';
import { bodies, MergeFixture, NOTES } from '../merge/merge-fixture.test-suite.ts';

test('what the source has is taken over, and one undo brings back what was here', async () => {
  const fixture = await MergeFixture.open(NOTES);
  await fixture.mine("UPDATE note SET body = 'mine' WHERE id = 1");
  await fixture.theirs("UPDATE note SET body = 'theirs' WHERE id = 2; DROP TABLE tag");
  const before = fixture.dump();
  expect(await fixture.state).toMatchObject({ disk: 'changed', changedHere: true });
  await fixture.reload();
  expect(fixture.dump()).toBe(fixture.dump('theirs'));
  expect(await fixture.state).toMatchObject({ disk: 'unchanged', changedHere: false });
  await fixture.undo();
  expect(fixture.dump()).toBe(before);
  // Saving would have to ask: the copy does not have the content of the source any more.
  expect(await fixture.state).toMatchObject({ disk: 'changed', changedHere: true });
  expect(fixture.spareFiles).toEqual([]);
  fixture.close();
});

test('a source with pages of another size is not taken over, and says so', async () => {
  const fixture = await MergeFixture.open(NOTES);
  const size = (side?: 'theirs') => fixture.rows('PRAGMA page_size', side)[0]![0];
  await fixture.theirs(
    `PRAGMA journal_mode = delete; PRAGMA page_size = ${size() === 4096 ? 8192 : 4096}; VACUUM; UPDATE note SET body = 'theirs'`,
  );
  expect(size('theirs')).not.toBe(size());
  const before = fixture.dump();
  await expect(fixture.reload()).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('“their.db” now has a different page size') as unknown,
  });
  expect(fixture.dump()).toBe(before);
  expect(fixture.steps).toBe(0);
  expect(fixture.spareFiles).toEqual([]);
  fixture.close();
});

test('nothing is replaced that the history cannot keep, unless that was agreed to', async () => {
  const fixture = await MergeFixture.open(NOTES);
  await fixture.mine(
    'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000) INSERT INTO note (body) SELECT hex(zeroblob(400)) FROM n',
  );
  fixture.context.histories.setLimits({ totalBytes: 4 << 20, stepBytes: 1 << 20 });
  await fixture.theirs("UPDATE note SET body = 'theirs' WHERE id = 2");
  const before = fixture.dump();
  await expect(fixture.reload()).rejects.toMatchObject({ code: 'not-undoable' });
  expect(fixture.dump()).toBe(before);
  await fixture.reload(true);
  expect(bodies(fixture)).toEqual(['1 one', '2 theirs', '3 three', '4 four', '5 five']);
  expect(await fixture.state).toMatchObject({ disk: 'unchanged', changedHere: false });
  fixture.close();
});

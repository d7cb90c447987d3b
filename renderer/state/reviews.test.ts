import { expect, test } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import { noteReview, reviewAction } from './reviews.ts';
import { useStore } from './store.ts';

const refusal = (database: string): AppError =>
  new AppError({ code: 'refused', message: 'Changes are waiting.', detail: { underReview: database } });

test('a refusal leads to the tab that made changes of the database last, as long as that is open', () => {
  useStore.setState({ tabs: ['one', 'two'].map((id) => ({ id, kind: 'query', database: 'a' })), activeTabId: 'two' });
  expect(reviewAction(refusal('a'))).toBeNull();
  noteReview('a', 'two');
  noteReview('a', 'one');
  expect(reviewAction(refusal('b'))).toBeNull();
  expect(reviewAction(new Error('another reason'))).toBeNull();
  reviewAction(refusal('a'))?.run();
  expect(useStore.getState().activeTabId).toBe('one');
  useStore.setState({ tabs: [] });
  expect(reviewAction(refusal('a'))).toBeNull();
});

import { expect, test } from 'vitest';
import { FormSession } from './form-session.ts';

test('a row being added is stored once, and nothing is typed into it that would not be part of it', async () => {
  const session = new FormSession('form');
  session.startNew();
  session.fill('a', '1');
  const answers: ((failure: string | null) => void)[] = [];
  const store = (): Promise<void> => session.storeNew(() => new Promise((resolve) => void answers.push(resolve)));
  const texts = (): readonly (readonly [string, string])[] =>
    [...session.view.getState().fields].map(([name, { text }]) => [name, text]);

  const first = store();
  const again = store();
  expect(answers).toHaveLength(1);
  expect(session.view.getState().isStoring).toBe(true);
  session.fill('b', 'late');
  session.type('a', '12', () => null);
  session.discard('a');
  expect(texts()).toEqual([['a', '1']]);
  answers[0]!('NOT NULL constraint failed: t.b');
  await Promise.all([first, again]);
  expect(session.view.getState()).toMatchObject({
    isNew: true,
    isStoring: false,
    failure: expect.stringContaining('t.b'),
  });

  session.type('b', '2', () => null);
  expect(texts()).toEqual([
    ['a', '1'],
    ['b', '2'],
  ]);
  const second = store();
  answers[1]!(null);
  await second;
  expect(session.view.getState()).toMatchObject({ isNew: false, isStoring: false, failure: null });
  expect(texts()).toEqual([]);
});

import { afterEach, expect, test } from 'vitest';
import { takeSettings } from '../settings.ts';
import { askKey, confirm, useStore } from '../store.ts';

const QUESTION = { title: 'Close?', body: '', confirmLabel: 'Close', asks: 'confirm.close' } as const;

afterEach(() => {
  takeSettings({ chosen: {}, problem: null });
  useStore.setState({ questions: [] });
});

test('a question is asked until the settings say that it is not', async () => {
  const asked = confirm(QUESTION);
  const [question] = useStore.getState().questions;
  if (question?.kind === 'confirm') question.answer(false);
  expect(await asked).toBe(false);
  takeSettings({ chosen: { 'confirm.close': false }, problem: null });
  expect(await confirm(QUESTION)).toBe(true);
  expect(useStore.getState().questions).toEqual([]);
});

test('of two files with the same name, what was typed for one is not there for the other', () => {
  const asked = {
    title: 'Open “shop.db”',
    path: '/home/shop.db',
    why: null,
    canRemember: false,
    use: 'open',
    attempt: async () => null,
  } as const;
  for (let file = 0; file < 2; file++) void askKey(asked);
  const numbers = useStore.getState().questions.map((question) => question.kind === 'key' && question.number);
  expect(new Set(numbers).size).toBe(2);
});

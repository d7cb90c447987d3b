import { afterEach, expect, test, vi } from 'vitest';
import type { Tab } from '../state/slices/tabs.ts';

vi.mock('../state/tab-kinds.ts', () => ({
  tabTitle: ({ id }: Tab) => id,
  titleAmong: ({ id }: Tab) => id,
  tabKindOf: () => ({}),
}));
const { setTabStatus, useStore } = await import('../state/store.ts');
const { askAndCloseTab } = await import('./closing.ts');

const before = useStore.getState();
afterEach(() => useStore.setState(before, true));

const isOpen = (): boolean => useStore.getState().tabs.length > 0;

/** Closes the tab, and answers the question that is asked. */
async function close(answer: boolean): Promise<string> {
  const closing = askAndCloseTab('items');
  await expect.poll(() => useStore.getState().questions.length).toBe(1);
  const [question] = useStore.getState().questions;
  if (question?.kind === 'confirm') question.answer(answer);
  await closing;
  return question!.title;
}

test('a tab with a dry run, or with typed text, is closed only when that is agreed to; any other at once', async () => {
  useStore.setState({ tabs: [{ id: 'items', database: 'a' } as Tab], dryRuns: { items: {} as never } });
  expect(await close(false)).toBe('Discard the dry run?');
  expect(isOpen()).toBe(true);
  expect(await close(true)).toBe('Discard the dry run?');
  expect(isOpen()).toBe(false);
  useStore.setState({ tabs: [{ id: 'items', database: 'a' } as Tab], dryRuns: {} });
  setTabStatus('items', { unsaved: true });
  expect(await close(false)).toBe('Close “items”?');
  expect(isOpen()).toBe(true);
  setTabStatus('items', { unsaved: false });
  await askAndCloseTab('items');
  expect(isOpen()).toBe(false);
});

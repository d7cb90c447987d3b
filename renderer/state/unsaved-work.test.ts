import { afterEach, expect, test, vi } from 'vitest';
import type { DatabaseState } from '#shared/protocol/index.ts';
import type { Tab } from './slices/tabs.ts';

vi.mock('./tab-kinds.ts', () => ({ titleAmong: ({ id }: Tab) => id }));
const { setTabStatus, useStore } = await import('./store.ts');
const { endsWithWindow, unsavedWork, unsavedWorkIn } = await import('./unsaved-work.ts');

const before = useStore.getState();
afterEach(() => useStore.setState(before, true));

const open = (id: string, transaction: Partial<DatabaseState['transaction']> = null): [string, DatabaseState] => [
  id,
  { entry: { id, name: id.toUpperCase() }, transaction } as DatabaseState,
];
const tab = (id: string, database: string | null): Tab => ({ id, database }) as Tab;

test('nothing is lost with a window in which everything is saved', () => {
  useStore.setState({ tabs: [tab('pets', 'a')], openDatabases: Object.fromEntries([open('a')]) });
  setTabStatus('pets', { rows: 3 });
  expect(unsavedWork('w')).toEqual([]);
});

test('names what is typed, a dry run, the own open transaction, and what runs, each once', () => {
  useStore.setState({
    tabs: [tab('pets', 'a'), tab('sql', 'b'), tab('values', 'b')],
    dryRuns: { sql: {} as never },
    openDatabases: Object.fromEntries([
      open('a', { windowId: 'w', isUnderReview: false }),
      open('b', { windowId: 'w', isUnderReview: true }),
      open('c', { windowId: 'other', isUnderReview: false }),
    ]),
  });
  setTabStatus('pets', { unsaved: true });
  setTabStatus('values', { unsavedValue: true });
  const ended = endsWithWindow(() => ['The export is not finished.']);
  expect(unsavedWork('w')).toEqual([
    'What you typed in “pets” is not saved yet.',
    'The dry run in “sql” will be discarded.',
    'What you typed in “values” is not saved yet.',
    'The open transaction on “A” will be rolled back.',
    'The export is not finished.',
  ]);
  ended();
  expect(unsavedWork('w')).toHaveLength(4);
  expect(unsavedWorkIn('a', 'w')).toEqual([
    'What you typed in “pets” is not saved yet.',
    'The open transaction on “A” will be rolled back.',
  ]);
  expect(unsavedWorkIn('c', 'w')).toEqual([]);
  useStore.setState({ dryRuns: {} });
  expect(unsavedWorkIn('b', 'w').at(-1)).toBe('A change to “B” that you have not kept yet will be discarded.');
});

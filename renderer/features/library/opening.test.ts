import { beforeEach, expect, test, vi } from 'vitest';

let answerTables!: (objects: readonly unknown[]) => void;
vi.mock('../../connection/database-client.ts', () => ({
  client: {
    call: async (_operation: string, { table }: { table: string }) => ({ columns: [1, 2, 3], name: table }),
    on: () => () => undefined,
  },
  libraryClient: { onReconnected: () => () => undefined },
  nativeClient: { onReconnected: () => () => undefined },
}));
vi.mock('../../connection/shell.ts', () => ({ shell: {} }));
vi.mock('../../state/databases.ts', () => ({ openDatabase: async () => true, notifyFailure: vi.fn() }));
vi.mock('../../state/schema.ts', () => ({
  knownSchema: () => new Promise((resolve) => (answerTables = (objects) => resolve({ objects }))),
}));
const openTable = vi.hoisted(() => vi.fn());
vi.mock('../../workbench/tabs/table.ts', () => ({ openTable }));
const { showFromLibrary } = await import('./opening.ts');
const { useStore } = await import('../../state/store.ts');

const LARGEST = { kind: 'table', name: 'late', problem: null, rows: { count: 9 } };

beforeEach(() => {
  openTable.mockReset();
  useStore.setState({ tabs: [], activeTabId: null, currentDatabase: 'late' });
});

test('the largest table of a database that is opened comes to the front', async () => {
  const opening = showFromLibrary('late');
  await new Promise((resolve) => setImmediate(resolve));
  answerTables([{ ...LARGEST, name: 'small', rows: { count: 1 } }, LARGEST]);
  await opening;
  expect(openTable).toHaveBeenCalledExactlyOnceWith('late', 'late', { preview: true });
});

test('one that comes late does not take the place of the tab that was opened meanwhile', async () => {
  const opening = showFromLibrary('late');
  await new Promise((resolve) => setImmediate(resolve));
  useStore.setState({ tabs: [{ id: 'b', kind: 'benchmark', database: null }], activeTabId: 'b' });
  answerTables([LARGEST]);
  await opening;
  expect(openTable).not.toHaveBeenCalled();
  expect(useStore.getState().activeTabId).toBe('b');
});

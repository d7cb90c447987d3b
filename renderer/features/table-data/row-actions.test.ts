import { expect, test, vi } from 'vitest';
import { at, gridWith, itemSource } from './paste-fixture.test-suite.ts';

const call = vi.fn(async (_op: string, _params: unknown) => ({
  isOn: false,
  interruptedAt: null,
  undone: 0,
  renames: 0,
  steps: [],
  keys: [],
}));
vi.mock('../../connection/database-client.ts', () => ({
  client: { on: () => () => undefined, onReconnected: () => undefined, call },
}));
vi.mock('../../connection/shell.ts', () => ({ shell: {} }));

const { useStore } = await import('../../state/store.ts');
const { deleteRows, emptyCut, fillSelected } = await import('./row-actions.ts');

const source = Object.assign(itemSource, {
  unsaved: { added: [], shown: (row: unknown) => row } as never,
  read: vi.fn(itemSource.read),
});

test('one value does not go into more rows than the window can hold', async () => {
  const grid = { ...gridWith(at(0, 'name'), at(1_000_000, 'name')), storedRows: 1_000_001 };
  await expect(fillSelected(source, grid, 'x')).rejects.toThrow('1,000,001 rows are too many');
  expect(source.read).not.toHaveBeenCalled();
});

test('a value that the user decides against is not taken for stored', async () => {
  const filled = fillSelected(source, gridWith(at(0, 'name'), at(2, 'name')), 'x');
  await vi.waitFor(() => expect(useStore.getState().questions).toHaveLength(1));
  (useStore.getState().questions[0] as { answer(is: boolean): void }).answer(false);
  expect(await filled).toBe(false);
});

test('a question about many rows counts them, and nothing is deleted without its answer', async () => {
  const deleted = deleteRows(source, gridWith(at(0, 'name'), at(2, 'name')));
  await vi.waitFor(() => expect(useStore.getState().questions).toHaveLength(1));
  const question = useStore.getState().questions[0]!;
  expect(question).toMatchObject({ title: 'Delete 3 rows of item?', danger: true });
  (question as { answer(is: boolean): void }).answer(false);
  await deleted;
  expect(call).not.toHaveBeenCalledWith('edit.apply', expect.anything());
});

test('what is selected while cells are being copied is not what is emptied', async () => {
  for (const isCopied of [true, false]) {
    call.mockClear();
    source.read.mockClear();
    const grid = { ...gridWith(at(0, 'name')) };
    let copied = (_is: boolean): void => undefined;
    const cut = emptyCut(source, grid, new Promise((done) => (copied = done)));
    Object.assign(grid, gridWith(at(2, 'stock')));
    await vi.waitFor(() => expect(source.read).toHaveBeenCalled());
    expect(call).not.toHaveBeenCalledWith('edit.apply', expect.anything());
    copied(isCopied);
    await cut;
    const edits = call.mock.calls.filter(([op]) => op === 'edit.apply').map(([, params]) => params);
    const change = { kind: 'update', key: [1], set: { name: null }, base: { name: 'ant' } };
    expect(edits).toEqual(isCopied ? [expect.objectContaining({ changes: [change] })] : []);
  }
});

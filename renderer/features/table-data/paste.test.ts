import { beforeEach, expect, test, vi } from 'vitest';
import { at, gridWith, itemSource, pasteDatabase } from './paste-fixture.test-suite.ts';

vi.mock('../../connection/database-client.ts', () => ({
  client: { on: () => () => undefined, onReconnected: () => undefined },
}));
vi.mock('../../connection/shell.ts', () => ({ shell: {} }));

const { useStore } = await import('../../state/store.ts');
const { draftChanges, pasteChanges } = await import('./paste.ts');

beforeEach(() => {
  // What can be undone is pasted without a question.
  useStore.setState({ histories: { [pasteDatabase]: { why: null } as never } });
});

const changesOf = (grid: ReturnType<typeof gridWith>, ...block: string[][]) => pasteChanges(itemSource, grid, block);

test('a value gets the type of its column, and knows what it replaces', async () => {
  expect(await changesOf(gridWith(at(0, 'price')), ['7'])).toEqual([
    { kind: 'update', key: [1], set: { price: { real: 7 } }, base: { price: 1.5 } },
  ]);
  expect(await changesOf(gridWith(at(0, 'name')), ['7'])).toMatchObject([{ set: { name: '7' } }]);
  expect(await changesOf(gridWith(at(0, 'name')), ['two\nlines'])).toMatchObject([{ set: { name: 'two\nlines' } }]);
});

test('an empty field is NULL where the cell is or where no text belongs, else an empty text', async () => {
  expect(await changesOf(gridWith(at(0, 'price')), [''])).toMatchObject([{ set: { price: null } }]);
  expect(await changesOf(gridWith(at(1, 'stock')), [''])).toMatchObject([{ set: { stock: null } }]);
  expect(await changesOf(gridWith(at(0, 'name')), [''])).toMatchObject([{ set: { name: '' } }]);
});

test('a block goes from the current cell on; beyond the last row it becomes new rows with their defaults', async () => {
  const changes = await changesOf(gridWith(at(2, 'name')), ['dog', '9', '4'], ['eel', '', '5']);
  expect(changes).toEqual([
    {
      kind: 'update',
      key: [3],
      set: { name: 'dog', price: { real: 9 }, stock: 4 },
      base: { name: 'cat', price: 3.5, stock: 2 },
    },
    { kind: 'insert', set: { name: 'eel', stock: 5 } },
  ]);
});

test('one value fills all selected cells, and leaves out those that cannot be written', async () => {
  const filled = await changesOf(gridWith(at(0, 'stock'), at(2, 'total')), ['8']);
  expect(filled).toMatchObject([1, 2, 3].map((id) => ({ kind: 'update', key: [id], set: { stock: 8 } })));
  expect(filled.every((change) => change.kind === 'update' && !('total' in change.set))).toBe(true);
});

test('what does not fit is refused with the reason', async () => {
  await expect(changesOf(gridWith(at(0, 'stock')), ['1', '2'])).rejects.toThrow('total is a generated column');
  await expect(changesOf(gridWith(at(0, 'stock')), ['1', '2', '3'])).rejects.toThrow(
    'The copied cells have 3 columns, but only 2 are left from here. Nothing was pasted.',
  );
  await expect(changesOf(gridWith(at(0, 'total')), ['1', '2'])).rejects.toThrow('but this is the last one');
  await expect(changesOf(gridWith(at(0, 'total'), at(2, 'total')), ['1'])).rejects.toThrow('generated column');
});

test('more rows than the window can hold are too many', async () => {
  const rows = Array<string[]>(1_000_001).fill(['1']);
  await expect(pasteChanges(itemSource, gridWith(at(0, 'id')), rows)).rejects.toThrow('1,000,001 rows are too many');
  await expect(draftChanges(itemSource, [0], rows, new Map())).rejects.toThrow('1,000,001 rows are too many');
});

test('several lines into a new row are as many rows; what was typed there stays in the first one', async () => {
  const filled = new Map([
    ['name', 'typed'],
    ['price', 'replaced'],
  ]);
  const price = 2;
  expect(await draftChanges(itemSource, [price], [['1'], [''], ['3']], filled)).toEqual([
    { kind: 'insert', set: { name: 'typed', price: { real: 1 } } },
    { kind: 'insert', set: {} },
    { kind: 'insert', set: { price: { real: 3 } } },
  ]);
});

test('a block may have more rows than a function has arguments', async () => {
  const block = Array.from({ length: 300_000 }, () => ['1', '2', '3']);
  await expect(pasteChanges(itemSource, gridWith(at(0, 'stock')), block)).rejects.toThrow('only 2 are left from here');
});

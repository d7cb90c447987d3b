// Cutting and emptying cells of a result: a join of orders with their customers, and a computed column.
import { beforeEach, expect, test, vi } from 'vitest';
import type { EditableColumn } from '#shared/protocol/index.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import type { Selection } from '../../grid/input/selection.ts';

const NOTHING_HELD = { isOn: false, interruptedAt: null, undone: 0, renames: 0, steps: [], keys: [], rowsChanged: 0 };
const call = vi.fn(async (_op: string, _params: unknown) => NOTHING_HELD);
vi.mock('../../connection/database-client.ts', () => ({
  client: { on: () => () => undefined, onReconnected: () => undefined, call },
}));
const writeClipboard = vi.fn(async (_text: string) => undefined);
vi.mock('../../connection/shell.ts', () => ({ shell: { writeClipboard } }));

const { useStore } = await import('../../state/store.ts');
const { cutCells, setCellsNull } = await import('./empty-cells.ts');

const NAMES = ['id', 'note', 'amount', 'customer', 'city', 'total'];
const column = (name: string, more: object = {}): object => ({
  ...{ name, declaredType: '', notNull: false, defaultSql: null, primaryKeyIndex: 0, generated: 'no' },
  ...more,
});
const of = (table: string, key: number, declared: object): object => ({
  ...{ table, key: [key], by: null, strict: false, column: declared },
});
const COLUMNS = [
  of('order', 0, column('id', { primaryKeyIndex: 1 })),
  of('order', 0, column('note')),
  of('order', 0, column('amount', { declaredType: 'INTEGER', notNull: true, defaultSql: '0' })),
  of('customer', 3, column('id', { primaryKeyIndex: 1 })),
  of('customer', 3, column('city')),
  { why: 'This column is computed.' },
] as unknown as readonly EditableColumn[];

let hasRealKeys = false;

function page(start: number, count: number) {
  const writer = new PackedRowsWriter(NAMES.length);
  for (let row = start; row < Math.min(3, start + count); row++) {
    if (hasRealKeys) writer.real(row + 1);
    else writer.integer(row + 1);
    if (row === 1) writer.null();
    else writer.text(`note ${row}`);
    writer.integer(10 * row + 5);
    writer.integer(7);
    writer.text('Ulm');
    writer.integer(0);
  }
  return { rows: writer.finish(), start, exactPosition: true, extent: { rows: 3 } };
}

const noted = vi.fn((_key: unknown, _column: number, _before: unknown, _after: unknown) => undefined);
const source = {
  database: 'd',
  hiddenColumns: 0,
  keyColumns: [],
  columns: NAMES.map((name) => ({ name })),
  extent: { rows: 3, exact: true },
  read: async (start: number, count: number) => page(start, count),
  ownEdits: { present: (_key: unknown, _column: number, value: unknown) => value, note: noted },
};
const editing = { result: { source, ended: true }, columns: COLUMNS, onStored: () => undefined } as never;

/** @param from row and column, as is `to` */
function gridWith(from: readonly [number, number], to = from, rows = 3): GridHandle {
  const place = ([row, displayIndex]: readonly [number, number]) => ({ row, displayIndex });
  const selection: Selection = { ranges: [{ span: 'cells', from: place(from), to: place(to) }] };
  return {
    selection,
    bounds: { rows, displayColumns: NAMES.length },
    cursor: { row: from[0], column: from[1] },
    columns: NAMES.map((_name, index) => index),
    seenIn: () => new Map(),
    cell: (row: number, at: number) => ({
      ...{ position: row, column: at, index: 0, rows: new PackedRowsReader(page(row, 1).rows) },
    }),
    copy: async () => ({ kind: 'copied', text: 'copied', rows: 1, columns: 1 }),
  } as unknown as GridHandle;
}

const edits = (): unknown[] => call.mock.calls.filter(([op]) => op === 'edit.apply').map(([, params]) => params);
const told = (): string[] => useStore.getState().notices.map(({ text }) => text);
const agree = async (): Promise<void> => {
  await vi.waitFor(() => expect(useStore.getState().questions).toHaveLength(1));
  (useStore.getState().questions[0] as { answer(is: boolean): void }).answer(true);
};

beforeEach(() => {
  vi.clearAllMocks();
  hasRealKeys = false;
  useStore.setState({ notices: [], questions: [] });
});

test('cells of several rows are copied, and emptied in one step: NULL, or the default of a column without NULL', async () => {
  const cut = cutCells(editing, gridWith([0, 0], [2, 2]));
  await agree();
  await cut;
  expect(writeClipboard).toHaveBeenCalledWith('copied');
  expect(edits()).toEqual([
    {
      ...{ database: 'd', table: 'order' },
      changes: [
        { kind: 'update', key: [1], set: { note: null, amount: 0 }, base: { note: 'note 0', amount: 5 } },
        { kind: 'update', key: [2], set: { amount: 0 }, base: { amount: 15 } },
        { kind: 'update', key: [3], set: { note: null, amount: 0 }, base: { note: 'note 2', amount: 25 } },
      ],
    },
  ]);
  expect(noted.mock.calls.slice(0, 2)).toEqual([
    [[1], 1, 'note 0', null],
    [[1], 2, 5, 0],
  ]);
  expect(told()).toContain('“id” cannot be emptied: copied, but kept.');
});

test('a row of a table that is in several rows of the result is changed once', async () => {
  await setCellsNull(editing, gridWith([0, 4], [2, 4]));
  const changes = [{ kind: 'update', key: [7], set: { city: null }, base: { city: 'Ulm' } }];
  expect(edits()).toEqual([{ database: 'd', table: 'customer', changes }]);
  expect(noted).toHaveBeenCalledTimes(3);
});

test('rows with keys that are no plain numbers are told apart', async () => {
  hasRealKeys = true;
  const emptied = setCellsNull(editing, gridWith([0, 1], [2, 1]));
  await agree();
  await emptied;
  expect(edits()).toMatchObject([{ changes: [{ key: [{ real: 1 }] }, { key: [{ real: 3 }] }] }]);
});

test('nothing is changed in a cell that cannot be edited, in cells of two tables, or in too many rows, and it is said why', async () => {
  for (const [grid, why] of [
    [gridWith([0, 5]), 'This column is computed.'],
    [gridWith([0, 1], [0, 4]), 'These cells are from “order” and “customer”. Nothing was changed'],
    [gridWith([0, 1], [1000, 1], 2000), 'Up to 1,000 rows of a result'],
  ] as const) {
    await cutCells(editing, grid);
    expect(told().at(-1)).toContain(why);
  }
  expect(edits()).toEqual([]);
  expect(noted).not.toHaveBeenCalled();
});

test('nothing is emptied that is not on the clipboard', async () => {
  writeClipboard.mockRejectedValueOnce(new Error('no clipboard'));
  await cutCells(editing, gridWith([0, 1]));
  expect(edits()).toEqual([]);
  expect(told()).toHaveLength(1);
});

// A value that was just stored on a server is shown until rows that include it have come, in every order in which rows can come.
import { beforeEach, expect, test, vi } from 'vitest';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { writeValue } from './write-value.ts';
import { TableSource } from './table-source.ts';

type Listener = (value: unknown) => void;

const { call, listeners } = vi.hoisted(() => ({ call: vi.fn(), listeners: new Map<string, Listener>() }));
vi.mock('../../connection/database-client.ts', () => ({
  client: {
    call,
    on(topic: string, listener: Listener) {
      listeners.set(topic, listener);
      return () => listeners.delete(topic);
    },
  },
}));
vi.mock('../../state/schema.ts', () => ({ forgetRowCount: () => undefined, noteRowCount: () => undefined }));
vi.mock('../held/held-store.ts', () => ({ useHeld: { getState: () => ({}), subscribe: () => () => undefined } }));

const extent = { rows: 2, exact: true };
const columns = ['id', 'name', 'price'].map((name) => ({ name, declaredType: '', origin: null }));
const info = { reader: 5, columns, hiddenColumns: 0, key: { kind: 'rowid', columns: [0] }, extent };
const detail = { name: 't', kind: 'table', columns: [], withoutRowid: false, strict: false, uniqueKeys: [], sql: null };

type Row = readonly [id: number, name: string, price: number];
const OLD: Row = [1, 'ant', 2];
const OTHER: Row = [2, 'bee', 3];

function packed(...rows: readonly Row[]): PackedRows {
  const writer = new PackedRowsWriter(3, { expectedRows: 2, previewBytes: 100 });
  for (const value of rows.flat()) writeValue(writer, value);
  return writer.finish();
}

let source: TableSource;
/** Answers the oldest request for rows. */
let answers: ((rows: PackedRows) => void)[];
const page = (rows: PackedRows) => ({ start: 0, extent, exactPosition: true, rows });
const patch = (...rows: readonly Row[]): void => {
  const origins = Int32Array.from([-1, 1]);
  listeners.get('rows.patched')!({
    reader: 5,
    watch: 1,
    start: 0,
    origins,
    rows: packed(...rows),
    exactPosition: true,
    extent,
  });
};
/** What the grid shows of a row as it was before the edit. */
const shownOf = (row: Row): unknown => {
  const { rows, index } = source.unsaved.shown({ rows: new PackedRowsReader(packed(row)), index: 0 });
  return rows.value(index, 1);
};
const store = (before: string, after: string): void => source.ownEdits.note([1], 1, before, after);

beforeEach(async () => {
  answers = [];
  call.mockImplementation((op: string) => {
    if (op === 'schema.table') return Promise.resolve(detail);
    if (op === 'rows.open') return Promise.resolve(info);
    return new Promise((resolve) => {
      answers.push((rows) => resolve(op === 'rows.watch' ? { watch: 1, page: page(rows) } : page(rows)));
    });
  });
  source = await TableSource.open('remote-1', 't', { sort: [], filter: [], where: '' });
});

test('a patch for another row that was on the way does not show the old value again', () => {
  store('ant', 'emu');
  patch([2, 'cat', 3]);
  expect(shownOf(OLD)).toBe('emu');
});

test('another cell of the row that changed before the edit does not show the old value again', () => {
  store('ant', 'emu');
  patch([1, 'ant', 9]);
  expect(shownOf([1, 'ant', 9])).toBe('emu');
});

test('news without rows does not show the old value again', () => {
  store('ant', 'emu');
  listeners.get('rows.changed')!({ reader: 5 });
  expect(shownOf(OLD)).toBe('emu');
});

test.each([
  ['the stored value', 'emu'],
  ['a value that another client has stored since', 'yak'],
])('the row with %s ends the edit: the old value is then a new one', (_what, name) => {
  store('ant', 'emu');
  patch([1, name, 2]);
  expect(shownOf([1, name, 2])).toBe(name);
  expect(shownOf(OLD)).toBe('ant');
  expect(source.ownEdits.isEmpty).toBe(true);
});

test('the second patch was read after the edit, so a row that it leaves out has the old value again', () => {
  store('ant', 'emu');
  patch([2, 'cat', 3]);
  expect(shownOf(OLD)).toBe('emu');
  patch([2, 'dog', 3]);
  expect(shownOf(OLD)).toBe('ant');
});

test.each(['read', 'watch'] as const)(
  'rows of a %s that began before the edit do not end it, later ones do',
  async (how) => {
    const ask = (): Promise<unknown> => (how === 'read' ? source.read(0, 128) : source.watch({ start: 0, count: 128 }));
    const early = ask();
    store('ant', 'emu');
    const late = ask();
    answers.shift()!(packed(OLD, OTHER));
    await early;
    expect(shownOf(OLD)).toBe('emu');
    answers.shift()!(packed(OTHER));
    await late;
    expect(shownOf(OLD)).toBe('emu');
    const last = ask();
    answers.shift()!(packed(OLD, OTHER));
    await last;
    expect(shownOf(OLD)).toBe('ant');
  },
);

test('rows that were read ahead before the edit do not end it', async () => {
  source.readAhead(0);
  store('ant', 'emu');
  const read = source.read(0, 128);
  answers.shift()!(packed(OLD, OTHER));
  await read;
  expect(shownOf(OLD)).toBe('emu');
});

test('rows kept from before the edit do not end it', async () => {
  const read = source.read(0, 128);
  answers.shift()!(packed(OLD, OTHER));
  await read;
  store('ant', 'emu');
  source.shownAgain();
  await source.read(0, 128);
  expect(answers).toEqual([]);
  expect(shownOf(OLD)).toBe('emu');
});

test('a cell that is edited twice shows the second value, whichever of the older ones comes', () => {
  store('ant', 'emu');
  store('emu', 'fox');
  expect(shownOf(OLD)).toBe('fox');
  patch([1, 'emu', 2]);
  expect(shownOf([1, 'emu', 2])).toBe('fox');
  patch([1, 'fox', 2]);
  expect(shownOf([1, 'fox', 2])).toBe('fox');
  expect(source.ownEdits.isEmpty).toBe(true);
});

test('on this computer, where rows come before the answer, any news ends the edit', async () => {
  source = await TableSource.open('db', 't', { sort: [], filter: [], where: '' });
  store('ant', 'emu');
  patch([2, 'cat', 3]);
  expect(source.ownEdits.isEmpty).toBe(true);
});

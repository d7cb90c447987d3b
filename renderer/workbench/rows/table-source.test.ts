import { beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import { TableSource } from './table-source.ts';

type Listener = (value: unknown) => void;

const { call, listeners, counts } = vi.hoisted(() => ({
  call: vi.fn(),
  listeners: new Map<string, Set<Listener>>(),
  counts: [] as (number | 'unknown')[],
}));
vi.mock('../../connection/database-client.ts', () => ({
  client: {
    call,
    on(topic: string, listener: Listener) {
      const set = listeners.get(topic) ?? new Set();
      listeners.set(topic, set.add(listener));
      return () => set.delete(listener);
    },
  },
}));

vi.mock('../../state/schema.ts', () => ({
  forgetRowCount: () => counts.push('unknown'),
  noteRowCount: (_counter: unknown, { rows }: { rows: number }) => counts.push(rows),
}));
vi.mock('../held/held-rows.ts', () => ({
  HeldRows: class {
    ownEditsChanged(): void {
      // No row is held in these tests.
    }
  },
}));

const PLAIN = { sort: [], filter: [], where: '' } as const;
const PAGE = 128;
const extent = { rows: 1000, exact: true };
const detail = { name: 't', kind: 'table', columns: [], withoutRowid: false, strict: false, uniqueKeys: [], sql: null };
const info = { reader: 5, columns: [], hiddenColumns: 0, key: { kind: 'rowid', columns: [] }, extent };

let asked: (readonly [op: string, params: unknown])[];
let tableFails: AppError | null;
const reads = () => asked.filter(([op]) => op === 'rows.read').map(([, params]) => params);
const tell = (topic: string, value: unknown): void => listeners.get(topic)?.forEach((listener) => listener(value));
const open = () => TableSource.open('d', 't', PLAIN);

beforeEach(() => {
  asked = [];
  tableFails = null;
  listeners.clear();
  counts.length = 0;
  call.mockImplementation((op: string, params: { start?: number }) => {
    asked.push([op, params]);
    if (op === 'schema.table') return tableFails ? Promise.reject(tableFails) : Promise.resolve(detail);
    if (op === 'rows.open') return Promise.resolve(info);
    const rows = { rowCount: PAGE, types: [], slots: new Float64Array(), heap: [] };
    return Promise.resolve({ start: params.start, extent, exactPosition: true, rows });
  });
});

test('the shape of a table and its reader are asked for at once', () => {
  void open();
  expect(asked.map(([op]) => op)).toEqual(['schema.table', 'rows.open']);
});

test('a reader whose table cannot be described is closed again', async () => {
  tableFails = new AppError({ code: 'not-found', message: 'There is no table.' });
  await expect(open()).rejects.toBe(tableFails);
  expect(asked.at(-1)).toEqual(['rows.close', { reader: 5 }]);
});

test('the page that was read ahead is taken once, and only for the rows it has', async () => {
  const source = await open();
  source.readAhead(300);
  expect(reads()).toEqual([{ reader: 5, start: 256, count: PAGE }]);
  expect((await source.read(256, PAGE)).start).toBe(256);
  expect(reads()).toHaveLength(1);
  await source.read(256, PAGE);
  expect(reads()).toHaveLength(2);
  source.readAhead(0);
  expect((await source.read(PAGE, PAGE)).start).toBe(PAGE);
  expect(reads().slice(2)).toEqual([
    { reader: 5, start: 0, count: PAGE },
    { reader: 5, start: PAGE, count: PAGE },
  ]);
});

test('rows that have changed since are read again', async () => {
  const source = await open();
  source.readAhead(0);
  tell('rows.changed', { reader: 5 });
  await source.read(0, PAGE);
  expect(reads()).toHaveLength(2);
});

test('rows that are shown again begin with the pages read last, if they have not changed', async () => {
  const source = await open();
  await source.read(256, PAGE);
  source.shownAgain();
  await source.read(256, PAGE);
  expect(reads()).toHaveLength(1);
  source.shownAgain();
  tell('rows.changed', { reader: 5 });
  await source.read(256, PAGE);
  expect(reads()).toHaveLength(2);
});

test('while rows are hidden, nobody learns from them how many there are', async () => {
  const source = await open();
  expect(counts).toEqual([1000]);
  source.hide();
  tell('rows.extentChanged', { reader: 5, rows: 7, exact: true });
  source.shownAgain();
  expect(counts).toEqual([1000, 'unknown']);
  call.mockResolvedValue({ watch: 1, page: { start: 0, extent: { rows: 8, exact: true } } });
  await source.watch({ start: 0, count: PAGE });
  expect(counts).toEqual([1000, 'unknown', 8]);
});

test('an answer that was on the way when the rows were hidden does not show them', async () => {
  const source = await open();
  call.mockResolvedValue({ watch: 1, page: { start: 0, extent: { rows: 8, exact: true } } });
  const watching = source.watch({ start: 0, count: PAGE });
  source.hide();
  await watching;
  expect(counts).toEqual([1000, 'unknown']);
});

test('a row that is read on its own tells whoever shows the table how many rows there are', async () => {
  const source = await open();
  const heard: string[] = [];
  source.subscribe(({ kind }) => heard.push(kind));
  const rows = { rowCount: 1, types: [], slots: new Float64Array(), heap: [] };
  call.mockResolvedValue({ start: 1500, extent: { rows: 2000, exact: true }, exactPosition: true, rows });
  await source.read(1500, 1);
  expect(source.extent.rows).toBe(2000);
  expect(heard).toEqual(['extent']);
  tell('rows.extentChanged', { reader: 5, rows: 2000, exact: true });
  expect(heard).toEqual(['extent']);
});

import { beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import { TableSource } from './table-source.ts';

type Listener = (value: unknown) => void;

const { call, listeners } = vi.hoisted(() => ({ call: vi.fn(), listeners: new Map<string, Set<Listener>>() }));
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

vi.mock('../../state/schema.ts', () => ({ forgetRowCount: () => undefined, noteRowCount: () => undefined }));
vi.mock('../held/held-rows.ts', () => ({ HeldRows: class {} }));

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
  call.mockImplementation((op: string, params: { start?: number }) => {
    asked.push([op, params]);
    if (op === 'schema.table') return tableFails ? Promise.reject(tableFails) : Promise.resolve(detail);
    if (op === 'rows.open') return Promise.resolve(info);
    return Promise.resolve({ start: params.start, extent });
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

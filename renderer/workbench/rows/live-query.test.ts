import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { LiveQuery, type LiveQueryResult } from './live-query.ts';

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

const extent = { rows: 1, exact: true };
const tell = (topic: string, value: unknown): void => listeners.get(topic)?.forEach((listener) => listener(value));
const rowsOf = (...counts: readonly number[]) => {
  const writer = new PackedRowsWriter(1);
  for (const count of counts) writer.integer(count);
  return writer.finish();
};
const patch = (reader: number) => ({
  reader,
  watch: 1,
  start: 0,
  origins: Int32Array.of(-1),
  rows: rowsOf(8),
  exactPosition: true,
  extent,
});

let seen: LiveQueryResult[];
let asked: (readonly [op: string, params: { range?: unknown }])[];
const counts = (): number[] | undefined => seen.at(-1)?.rows.map((row) => row.number('n'));
const open = () => new LiveQuery({ database: 'd', sql: 'SELECT 1', params: [], limitMs: 200 }, (now) => seen.push(now));

beforeEach(() => {
  seen = [];
  asked = [];
  listeners.clear();
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }));
  call.mockImplementation((op: string, params: { range?: unknown }) => {
    asked.push([op, params]);
    if (op === 'live.open') return Promise.resolve({ reader: 5, columns: [{ name: 'n' }], extent });
    const page = { rows: rowsOf(7), start: 0, exactPosition: true, extent };
    return Promise.resolve(op === 'rows.watch' && params.range ? { watch: 1, page } : null);
  });
});

afterEach(() => vi.unstubAllGlobals());

test('shows its rows, and those of each patch that is its own', async () => {
  open();
  await expect.poll(() => counts()).toEqual([7]);
  tell('rows.patched', patch(6));
  expect(counts()).toEqual([7]);
  tell('rows.patched', patch(5));
  expect(counts()).toEqual([8]);
  tell('live.stateChanged', { reader: 5, state: 'too-slow', why: null });
  expect(seen.at(-1)).toMatchObject({ status: 'too-slow' });
  expect(() => seen.at(-1)!.rows[0]!.value('m')).toThrow('no column m');
});

test('asks for nothing while the window is hidden', async () => {
  open();
  await expect.poll(() => counts()).toEqual([7]);
  Object.assign(document, { hidden: true });
  document.dispatchEvent(new Event('visibilitychange'));
  expect(asked.at(-1)).toEqual(['rows.watch', { reader: 5, range: null }]);
});

test('lets its reader go, also when it is not wanted any more before it is there', async () => {
  const query = open();
  await expect.poll(() => counts()).toEqual([7]);
  query.close();
  expect(asked.at(-1)).toEqual(['rows.close', { reader: 5 }]);
  asked = [];
  open().close();
  await expect.poll(() => asked.at(-1)).toEqual(['rows.close', { reader: 5 }]);
  expect(asked.map(([op]) => op)).toEqual(['live.open', 'rows.close']);
});

test('says why it can not be run', async () => {
  call.mockRejectedValue(new AppError({ code: 'sql', message: 'There is no table named “t”.' }));
  open();
  await expect.poll(() => seen.at(-1)).toMatchObject({ status: 'failed', why: 'There is no table named “t”.' });
});

import type { LiveStatus, ReaderInfo } from '#shared/protocol/index.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LIVE_BY_ITSELF } from '../../workbench/tabs/query.ts';
import { LiveResults, limitFor } from './live-results.ts';
import { NO_CHART, NOT_LIVE, type QueryResult } from './query-view.ts';
import { ResultSource } from '../../workbench/rows/result-source.ts';

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

const tell = (topic: string, value: unknown): void => listeners.get(topic)?.forEach((listener) => listener(value));

const info = (reader: number): ReaderInfo => ({
  reader,
  columns: [{ name: 'n', declaredType: '', origin: null }],
  hiddenColumns: 0,
  key: { kind: 'none', columns: [], why: '' },
  extent: { rows: 1, exact: true },
});

const resultOf = (id: number, change: Partial<QueryResult> = {}): QueryResult => ({
  id,
  sql: 'SELECT n FROM t',
  from: 0,
  source: new ResultSource('d', info(100 + id)),
  rows: 1,
  ended: true,
  timeMs: 1,
  reads: ['t'],
  live: NOT_LIVE,
  isKept: false,
  rearrange: null,
  chart: NO_CHART,
  arrangement: { sort: [], filter: [] },
  ...change,
});

const statusOf = (reader: number, change: Partial<LiveStatus> = {}): LiveStatus => ({
  reader,
  state: 'live',
  stale: false,
  runMs: 2,
  rows: 1,
  why: null,
  ...change,
});

let results: QueryResult[];
let live: LiveResults;

beforeEach(() => {
  listeners.clear();
  results = [resultOf(1)];
  live = new LiveResults({
    results: () => results,
    patch: (id, patch) => (results = results.map((each) => (each.id === id ? { ...each, ...patch } : each))),
  });
  call.mockReset();
  call.mockImplementation((_op: string, { reader }: { reader: number }) => Promise.resolve(statusOf(reader)));
});

const asked = (): unknown[] => call.mock.calls;

describe('after a run', () => {
  it('a small result is live by itself', async () => {
    live.ranThrough(3, LIVE_BY_ITSELF);
    expect(asked()).toEqual([['live.set', { reader: 101, action: 'start', limitMs: 200 }]]);
    await expect.poll(() => results[0]!.live.state).toBe('live');
  });

  it('a slow one is not, nor one of several, nor one that reads no table or writes', () => {
    live.ranThrough(450, LIVE_BY_ITSELF);
    results = [resultOf(1), resultOf(2)];
    live.ranThrough(3, LIVE_BY_ITSELF);
    for (const reads of [[], null]) {
      results = [resultOf(1, { reads })];
      live.ranThrough(3, { pinned: true, limitMs: null });
    }
    expect(asked()).toEqual([]);
  });

  it('a slow one is when the person wants that', () => {
    live.ranThrough(4000, { pinned: true, limitMs: null });
    expect(asked()).toEqual([['live.set', { reader: 101, action: 'start', limitMs: null }]]);
  });

  it('one that cannot be live stays as it is', async () => {
    call.mockRejectedValue(new Error('not this one'));
    live.ranThrough(3, LIVE_BY_ITSELF);
    await Promise.resolve();
    expect(results[0]!.live).toEqual(NOT_LIVE);
  });
});

describe('a result', () => {
  it('learns what the worker says of it, rows included', () => {
    const news = statusOf(101, { state: 'too-slow', stale: true, runMs: 1200, rows: 7 });
    tell('live.stateChanged', news);
    expect(results[0]!).toMatchObject({ rows: 7, live: { state: 'too-slow', stale: true, runMs: 1200 } });
    expect(results[0]!.source.extent.rows).toBe(7);
    tell('live.stateChanged', statusOf(999, { rows: 3 }));
    expect(results[0]!.rows).toBe(7);
  });

  it('says how many rows it has after each patch', () => {
    live.ranThrough(3, LIVE_BY_ITSELF);
    tell('rows.patched', { reader: 101, extent: { rows: 12, exact: true } });
    expect(results[0]!.rows).toBe(12);
  });

  it('that is not live is marked when a table it reads has changed, or nobody knows which', () => {
    live.noteChange(['u']);
    expect(results[0]!.live.stale).toBe(false);
    live.noteChange(['u', 't']);
    expect(results[0]!.live.stale).toBe(true);
    results = [resultOf(2, { live: { ...NOT_LIVE, state: 'live' } }), resultOf(3)];
    live.noteChange(null);
    expect(results.map((each) => each.live.stale)).toEqual([false, true]);
  });
});

it('keeping a slow result live raises the limit just as far as needed', () => {
  expect([limitFor(20, 200), limitFor(450, 200), limitFor(1200, 200), limitFor(1200, null), limitFor(20, 50)]).toEqual([
    200,
    1000,
    null,
    null,
    50,
  ]);
});

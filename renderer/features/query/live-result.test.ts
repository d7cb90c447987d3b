import type { ReaderInfo } from '#shared/protocol/index.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveResults } from './live-result.ts';
import type { Freshness, QueryResult } from './query-view.ts';
import { ResultSource } from './result-source.ts';

const { call } = vi.hoisted(() => ({ call: vi.fn() }));
vi.mock('../../client/database-client.ts', () => ({ client: { call } }));

const info = (reader: number, names: readonly string[] = ['n']): ReaderInfo => ({
  reader,
  columns: names.map((name) => ({ name, declaredType: '', origin: null })),
  hiddenColumns: 0,
  key: { kind: 'none', columns: [], why: '' },
  extent: { rows: 1, exact: true },
});

interface Setup {
  readonly live: LiveResults;
  readonly owner: { visible: boolean };
  result(): QueryResult;
}

function setUp(freshness: Freshness = 'live'): Setup {
  let result: QueryResult = {
    id: 1,
    sql: 'SELECT n FROM t',
    from: 0,
    source: new ResultSource('d', info(100)),
    rows: 1,
    ended: true,
    timeMs: 1,
    reads: ['t'],
    freshness,
  };
  const owner = { visible: true };
  const live = new LiveResults({
    database: 'd',
    shownResults: () => (owner.visible ? [result] : []),
    setFreshness: (_id, next) => (result = { ...result, freshness: next }),
    setSource: (_id, source, rows, timeMs) => (result = { ...result, source, rows, timeMs }),
  });
  return { live, owner, result: () => result };
}

let runs: {
  finish(reply?: { reader?: ReaderInfo; rows?: number; timeMs?: number }): void;
  fail(error: unknown): void;
}[] = [];
let closed: number[] = [];

beforeEach(() => {
  runs = [];
  closed = [];
  call.mockImplementation((op: string, params: { reader: number }, options?: { onChunk(chunk: unknown): void }) => {
    if (op === 'rows.close') {
      closed.push(params.reader);
      return Promise.resolve(null);
    }
    return new Promise((resolve, reject) => {
      runs.push({
        finish({ reader = info(200 + runs.length), rows = 5, timeMs = 0 } = {}) {
          options?.onChunk({ kind: 'result', reader });
          options?.onChunk({ kind: 'done', rows });
          resolve({ statements: 1, rowsChanged: 0, timeMs, transactionOpen: false });
        },
        fail: reject,
      });
    });
  });
});

const settled = (check: () => void): Promise<void> => vi.waitFor(check, { interval: 5, timeout: 2000 });

describe('a live result', () => {
  it('runs again when a table it reads changed, in place, and lets the old rows go', async () => {
    const { live, result } = setUp();
    const { source } = result();
    live.noteChange([result()], ['t']);
    runs[0]!.finish({ reader: info(201), rows: 5 });
    await settled(() => expect(result().rows).toBe(5));
    expect(result().source).toBe(source);
    expect(source.reader).toBe(201);
    expect(closed).toEqual([100]);
  });

  it('stays as it is when other tables changed', () => {
    const { live, result } = setUp();
    live.noteChange([result()], ['u', 'v']);
    expect(runs).toHaveLength(0);
  });

  it('runs again when nobody knows what changed', () => {
    const { live, result } = setUp();
    live.noteChange([result()], null);
    expect(runs).toHaveLength(1);
  });

  it('takes any number of changes during a run together into one more run', async () => {
    const { live, result } = setUp();
    for (let n = 0; n < 50; n++) live.noteChange([result()], ['t']);
    expect(runs).toHaveLength(1);
    runs[0]!.finish();
    await settled(() => expect(runs).toHaveLength(2));
    runs[1]!.finish({ rows: 7 });
    await settled(() => expect(result().rows).toBe(7));
    expect(runs).toHaveLength(2);
  });

  it('waits while it is hidden', async () => {
    const { live, owner, result } = setUp();
    owner.visible = false;
    live.noteChange([result()], ['t']);
    expect(runs).toHaveLength(0);
    owner.visible = true;
    void live.refresh();
    expect(runs).toHaveLength(1);
  });

  it('drops rows that arrive after it was hidden, and fetches them when it is shown again', async () => {
    const { live, owner, result } = setUp();
    live.noteChange([result()], ['t']);
    owner.visible = false;
    runs[0]!.finish({ reader: info(201) });
    await settled(() => expect(closed).toEqual([201]));
    expect(result().source.reader).toBe(100);
    owner.visible = true;
    await settled(() => {
      void live.refresh();
      expect(runs).toHaveLength(2);
    });
  });

  it('gets a new source when the columns are others', async () => {
    const { live, result } = setUp();
    const { source } = result();
    live.noteChange([result()], null);
    runs[0]!.finish({ reader: info(201, ['n', 'm']) });
    await settled(() => expect(result().source).not.toBe(source));
    expect(result().source.columns.map(({ name }) => name)).toEqual(['n', 'm']);
    expect(closed).toEqual([100]);
  });

  it('becomes stale when it can no longer be run', async () => {
    const { live, result } = setUp();
    live.noteChange([result()], null);
    runs[0]!.fail(new Error('no such table'));
    await settled(() => expect(result().freshness).toBe('stale'));
    expect(closed).toEqual([]);
  });

  it('stops following once it has become slow', async () => {
    const { live, result } = setUp();
    live.noteChange([result()], ['t']);
    runs[0]!.finish({ timeMs: 900 });
    await settled(() => expect(result().freshness).toBe('fixed'));
  });
});

describe('a result that is not live', () => {
  it('is marked stale instead of being run', () => {
    const { live, result } = setUp('fixed');
    live.noteChange([result()], ['t']);
    expect(runs).toHaveLength(0);
    expect(result().freshness).toBe('stale');
  });

  it('is fresh again after it was run by hand', async () => {
    const { live, result } = setUp('stale');
    const again = live.runAgain(result());
    runs[0]!.finish({ reader: info(201) });
    await again;
    expect(result().freshness).toBe('fixed');
    expect(closed).toEqual([100]);
  });
});

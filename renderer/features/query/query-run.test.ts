import { AppError } from '#shared/protocol/index.ts';
import type { QueryChunk, QueryEvent, QueryReply, ReaderInfo } from '#shared/protocol/index.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeFrames, type FakeFrames } from '../../ui/fake-frames.test-suite.ts';
import { runQuery } from './query-run.ts';
import { EMPTY_VIEW, type QueryView } from './query-view.ts';
import { UndoWaiver } from '../../workbench/history/undo-waiver.ts';

const { call } = vi.hoisted(() => ({ call: vi.fn() }));
vi.mock('../../connection/database-client.ts', () => ({ client: { call, on: () => () => undefined } }));

const reader = (id: number): ReaderInfo => ({
  reader: id,
  columns: [{ name: 'n', declaredType: 'INTEGER', origin: null }],
  hiddenColumns: 0,
  key: { kind: 'none', columns: [], why: '' },
  extent: { rows: 100, exact: false },
});
const result = (statement: number, id: number): QueryEvent => ({
  kind: 'result',
  statement,
  from: 0,
  to: 8,
  sql: 'SELECT 1',
  reader: reader(id),
  reads: ['t'],
});
const done = (statement: number, rows: number | null, rowsChanged: number | null = null): QueryEvent => ({
  kind: 'done',
  statement,
  from: 0,
  to: 8,
  rows,
  rowsChanged,
  timeMs: 4,
});
const reply = (statements: number, results = 0): QueryReply => ({
  statements,
  results,
  rowsChanged: 0,
  timeMs: 4,
  transactionOpen: false,
});

let view: QueryView;
let views: number;
let closed: number[];
let frames: FakeFrames;
let abort: AbortController;

interface Played {
  readonly base?: number;
  /** Whether a frame begins after each event. */
  readonly inFrames?: boolean;
}

/** Plays a run: the events, a chunk each, then the reply or the error. Returns the view after each. */
async function play(
  events: readonly QueryEvent[],
  end: QueryReply | AppError,
  { base = 0, inFrames = true }: Played = {},
): Promise<QueryView[]> {
  const seen: QueryView[] = [];
  call.mockImplementation((op: string, params: { reader: number }, options?: { onChunk(chunk: QueryChunk): void }) => {
    if (op === 'rows.close') closed.push(params.reader);
    if (op !== 'query.run') return Promise.resolve(null);
    for (const event of events) {
      options!.onChunk([event]);
      if (inFrames) frames.next();
      seen.push(view);
    }
    return end instanceof AppError ? Promise.reject(end) : Promise.resolve(end);
  });
  await runQuery({
    database: 'd',
    sql: 'SELECT 1',
    parameters: {},
    base,
    signal: abort.signal,
    waiver: new UndoWaiver(),
    update(change) {
      view = change(view);
      views++;
    },
  });
  return seen;
}

beforeEach(() => {
  view = EMPTY_VIEW;
  views = 0;
  closed = [];
  frames = fakeFrames();
  abort = new AbortController();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('runQuery', () => {
  it('shows the first result at once and lets it grow', async () => {
    const seen = await play([result(0, 1), { kind: 'rows', statement: 0, rows: 5000 }, done(0, 7000)], reply(1));
    expect(seen.map(({ results }) => results[0]!.rows)).toEqual([100, 5000, 7000]);
    expect(seen[0]!.shown).toBe(seen[0]!.results[0]!.id);
    expect(view.results[0]!.source.extent).toEqual({ rows: 7000, exact: true });
    expect(view.results[0]!).toMatchObject({ ended: true, timeMs: 4 });
  });

  it('keeps results of several statements apart', async () => {
    await play([result(0, 1), done(0, 10), result(1, 2), done(1, 20), done(2, null, 3)], reply(3));
    expect(view.results.map(({ rows }) => rows)).toEqual([10, 20]);
    expect(view.messages.map(({ text }) => text)).toEqual(['10 rows', '20 rows', '3 rows changed', '3 statements']);
  });

  it('leaves former results in view until there is something to show, then lets them go', async () => {
    await play([result(0, 1), done(0, 10)], reply(1));
    const seen = await play(
      [{ kind: 'progress', progress: { phase: 'x', done: 1, total: 2, unit: 'bytes' } }, result(0, 2)],
      reply(1),
    );
    expect(seen[0]!.results[0]!.source.reader).toBe(1);
    expect(seen[1]!.results.map(({ source }) => source.reader)).toEqual([2]);
    expect(closed).toEqual([1]);
  });

  it('keeps a result that the user keeps, and shows what a later run returns', async () => {
    await play([result(0, 1), done(0, 10), result(1, 2), done(1, 20)], reply(2));
    view = { ...view, results: view.results.map((each, at) => ({ ...each, isKept: at === 0 })) };
    await play([result(0, 3), done(0, 30)], reply(1));
    expect(view.results.map(({ source }) => source.reader)).toEqual([1, 3]);
    expect(view.shown).toBe(view.results[1]!.id);
    expect(closed).toEqual([2]);
    await play([done(0, null, 5)], reply(1));
    expect(view.results.map(({ source }) => source.reader)).toEqual([1]);
    expect(view.shown).toBe('messages');
  });

  it('tells an error with the place in the editor and what ran before it', async () => {
    const error = new AppError({
      code: 'sql',
      message: 'Wrong.',
      sqlite: { result: 1, extended: 1, offset: 7 },
      detail: { statement: 2, from: 5 },
    });
    await play([result(0, 1), done(0, 10)], error, { base: 1000 });
    expect(view.shown).toBe('messages');
    expect(view.results[0]!.ended).toBe(true);
    expect(view.messages.at(-1)).toMatchObject({
      tone: 'error',
      text: 'Wrong. 2 statements before it ran.',
      offset: 1007,
    });
  });

  it('falls back to the start of the statement, and to no place at all', async () => {
    const sqlite = { result: 19, extended: 2067, offset: -1 };
    await play([], new AppError({ code: 'constraint', message: 'Taken.', sqlite, detail: { statement: 0, from: 5 } }), {
      base: 1000,
    });
    expect(view.messages.at(-1)!.offset).toBe(1005);
    await play([], new AppError({ code: 'disconnected', message: 'Gone.' }));
    expect(view.messages.at(-1)!.offset).toBeNull();
  });

  it('keeps what was read when it is stopped, without an error', async () => {
    await play([result(0, 1)], new AppError({ code: 'stopped', message: 'Stopped.' }));
    expect(view.results).toHaveLength(1);
    expect(view.messages).toMatchObject([{ tone: 'info', text: 'Stopped.' }]);
  });

  it('says so when there is nothing to run', async () => {
    await play([], reply(0));
    expect(view.messages).toMatchObject([{ text: 'There is no statement to run.' }]);
  });

  it('makes one view of all that comes within a frame', async () => {
    const events = Array.from({ length: 100 }, (_, n) => [result(n, n), done(n, 1)]).flat();
    await play(events, reply(5000, 5000), { inFrames: false });
    // The first event, which nothing came before; then everything else and the end, which nothing comes after.
    expect(views).toBeLessThanOrEqual(3);
    expect(view.results.map(({ source }) => source.reader)).toEqual(events.flatMap((_, n) => (n < 100 ? [n] : [])));
    expect(view.results.every(({ ended, rows }) => ended && rows === 1)).toBe(true);
    expect(view.messages).toHaveLength(102);
  });

  it('says how much ran that is not listed', async () => {
    const events = Array.from({ length: 100 }, (_, n) => done(n, null, 1));
    await play(events, reply(147_628, 17_560));
    expect(view.messages.slice(100).map(({ text }) => text)).toEqual([
      '147,528 more statements ran and are not listed. Only the first 100 of 17,560 results were kept.',
      '147,628 statements',
    ]);
    await play(events, reply(101));
    expect(view.messages.slice(100).map(({ text }) => text)).toEqual([
      '1 more statement ran and is not listed.',
      '101 statements',
    ]);
    const detail = { statement: 400, results: 150 };
    await play(events, new AppError({ code: 'stopped', message: 'Stopped.', detail }));
    expect(view.messages.slice(100).map(({ text }) => text)).toEqual([
      '300 more statements ran and are not listed. Only the first 100 of 150 results were kept.',
      'Stopped.',
    ]);
  });

  it('shows at a Stop what has come until then', async () => {
    call.mockImplementation((op: string, _params: unknown, options?: { onChunk(chunk: QueryChunk): void }) => {
      if (op !== 'query.run') return Promise.resolve(null);
      options!.onChunk([result(0, 1)]);
      options!.onChunk([{ kind: 'rows', statement: 0, rows: 5000 }]);
      expect(view.results[0]!.rows).toBe(100);
      abort.abort();
      expect(view.results[0]!.rows).toBe(5000);
      return Promise.reject(new AppError({ code: 'stopped', message: 'Stopped.' }));
    });
    const update = (change: (before: QueryView) => QueryView): void => void (view = change(view));
    const run = {
      database: 'd',
      sql: 'SELECT 1',
      parameters: {},
      base: 0,
      signal: abort.signal,
      waiver: new UndoWaiver(),
      update,
    };
    expect(await runQuery(run)).toMatchObject({ error: { code: 'stopped' } });
    expect(frames.waiting).toBe(0);
  });
});

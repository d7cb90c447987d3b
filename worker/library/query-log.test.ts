import { beforeEach, describe, expect, it } from 'vitest';
import { QUERY_LOG_LIMITS } from '#shared/protocol/query-log.ts';
import type { QueryLogFilter, RunEnd } from '#shared/protocol/query-log.ts';
import type { Connection } from '../engines/engine.ts';
import { createWasmEngine, IN_MEMORY } from '../engines/wasm/wasm-engine.ts';
import { Catalogue } from './catalogue.ts';
import { QueryLog } from './query-log.ts';

const { engine } = await createWasmEngine();
const WINDOW = {};
const ALL: QueryLogFilter = { words: '', database: null, outcome: 'all', sinceMs: null };
const DONE: RunEnd = { outcome: 'done', timeMs: 1.5, statements: 1, rows: 2, rowsChanged: 0, error: null };
const FAILED: RunEnd = { ...DONE, outcome: 'failed', rows: null, error: 'no such table: pony' };

let connection: Connection;
let log: QueryLog;

beforeEach(() => {
  connection = engine.open(IN_MEMORY, { durability: 'full', create: true, untrusted: false });
  log = new Catalogue(connection).queryLog;
});

const begin = (sql: string, id = 'db-1', to = log): number =>
  to.begin({ of: { id, name: `${id}.db` }, sql, chars: sql.length, parameters: {} }, WINDOW);

/** All pages of a list, as a window reads them. */
function read(filter: Partial<QueryLogFilter> = {}, limit = 50, from = log): readonly string[] {
  const texts: string[] = [];
  let before: number | null = null;
  do {
    const { runs, next } = from.list({ ...ALL, ...filter }, before, limit);
    texts.push(...runs.map(({ begin: text }) => text));
    before = next;
  } while (before !== null);
  return texts;
}

it('keeps a run from its begin on, and how it ended', () => {
  const parameters = { ':a': { type: 'text', text: 'x' } };
  const id = log.begin({ of: { id: 'db-1', name: 'zoo' }, sql: 'SELECT :a', chars: 9, parameters }, WINDOW);
  expect(log.read(id)).toMatchObject({ outcome: 'running', timeMs: null, sql: 'SELECT :a', parameters });
  log.end(id, WINDOW, DONE);
  expect(log.read(id)).toMatchObject({ ...DONE, of: { id: 'db-1', name: 'zoo' }, begin: 'SELECT :a', chars: 9 });
  expect(new QueryLog(connection).read(id)).toEqual(log.read(id));
});

it('knows the parameters of the last run of a text that had any', () => {
  const run = (sql: string, value: string | null): void => {
    const parameters = value === null ? {} : { ':a': { type: 'auto', text: value } };
    log.end(log.begin({ of: { id: 'd', name: 'd' }, sql, chars: sql.length, parameters }, WINDOW), WINDOW, DONE);
  };
  run('SELECT :a', '1');
  run('SELECT :a', '2');
  run('SELECT :a', null);
  run('SELECT :A', '3');
  expect(log.parametersOf('SELECT :a')).toEqual({ ':a': { type: 'auto', text: '2' } });
  expect(log.parametersOf('SELECT :a ')).toEqual({});
});

it.each([0, 91, 1.5, 60_000])('a run of %d ms took that long', (timeMs) => {
  const id = begin('SELECT 1');
  log.end(id, WINDOW, { ...DONE, timeMs });
  expect(log.read(id).timeMs).toBe(timeMs);
});

it('keeps as many runs as it is told, at once and from then on', () => {
  for (let run = 1; run <= 30; run++) log.end(begin(`SELECT ${run}`), WINDOW, DONE);
  expect(log.setLimit(12)).toBe(true);
  expect(log.summary().runs).toBe(12);
  expect(read()[0]).toBe('SELECT 30');
  log.end(begin('SELECT 31'), WINDOW, DONE);
  expect(log.summary().runs).toBe(12);
  expect(read()[0]).toBe('SELECT 31');
  expect(log.setLimit(50)).toBe(false);
  for (const runs of [0, 1.5, 100_001, Number.NaN]) expect(() => log.setLimit(runs)).toThrow('Nothing was changed.');
  begin('SELECT 32');
  expect(log.summary().runs).toBe(13);
});

it('says that a run was interrupted when its window left, or the engine began anew', () => {
  const [one, two] = [
    begin('one'),
    log.begin({ of: { id: 'd', name: 'd' }, sql: 'two', chars: 3, parameters: {} }, {}),
  ];
  expect(new QueryLog(connection).read(one).outcome).toBe('interrupted');
  log.leave(WINDOW);
  expect([log.read(one).outcome, log.read(two).outcome]).toEqual(['interrupted', 'running']);
});

it('ends a run only for its own window, and once', () => {
  const mine = begin('mine');
  log.end(mine, {}, FAILED);
  expect(log.read(mine).outcome).toBe('running');
  log.end(mine, WINDOW, DONE);
  log.end(mine, WINDOW, FAILED);
  log.end(mine, {}, FAILED);
  expect(log.read(mine)).toMatchObject(DONE);
  // The worker was restarted; the other engine was not.
  const other = begin('other');
  const restarted = new QueryLog(connection);
  restarted.end(other, WINDOW, DONE);
  expect(restarted.read(other)).toMatchObject(DONE);
});

it('lists a thousand runs at a time, whatever number is requested', () => {
  const roomy = new QueryLog(connection, { sliceMs: Infinity });
  connection.run(`INSERT INTO query_runs (database, database_name, started_at_ms, sql, chars, parameters, bytes)
    SELECT 'd', 'd', 0, 'x', 1, '{}', 3 FROM (WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500) SELECT i FROM n)`);
  const counts = [-1, 0, 0.5, NaN, 7, 1e9, Infinity].map((limit) => roomy.list(ALL, null, limit).runs.length);
  expect(counts).toEqual([1, 1, 1, 1, 7, 1000, 1000]);
});

it('cuts long texts, values, and errors, and says so', () => {
  const long = 'x'.repeat(200_000);
  const parameters = { ':a': { type: 'text', text: long } };
  const id = log.begin({ of: { id: 'd', name: 'd' }, sql: long, chars: 200_000, parameters }, WINDOW);
  log.end(id, WINDOW, { ...FAILED, error: long });
  const kept = log.read(id);
  expect(kept.sql).toHaveLength(QUERY_LOG_LIMITS.textChars);
  expect(kept.chars).toBe(200_000);
  expect(kept.parameters[':a']).toEqual({
    type: 'text',
    text: 'x'.repeat(QUERY_LOG_LIMITS.parameterChars),
    isCut: true,
  });
  expect(kept.error).toHaveLength(QUERY_LOG_LIMITS.errorChars);
});

describe('the list', () => {
  it('has the newest first, whatever the size of its pages', () => {
    const texts = Array.from({ length: 450 }, (_, index) => `SELECT ${index}`);
    for (const text of texts) log.end(begin(text), WINDOW, DONE);
    for (const limit of [1, 7, 200, 1000]) expect(read({}, limit)).toEqual(texts.toReversed());
  });

  it('is filtered by words, database, outcome, and time', () => {
    log.end(begin('SELECT * FROM Animal WHERE 100% = 1'), WINDOW, DONE);
    log.end(begin('select name from animal', 'db-2'), WINDOW, DONE);
    log.end(begin('SELECT * FROM zebra'), WINDOW, FAILED);
    begin('DELETE FROM animal');
    expect(read({ words: ' animal  FROM ' })).toHaveLength(3);
    expect(read({ words: '100%' })).toEqual(['SELECT * FROM Animal WHERE 100% = 1']);
    expect(read({ words: '_' })).toEqual([]);
    expect(read({ words: 'pony' })).toEqual(['SELECT * FROM zebra']);
    expect(read({ database: 'db-2' })).toEqual(['select name from animal']);
    expect(read({ outcome: 'done' })).toHaveLength(2);
    expect(read({ outcome: 'failed' })).toEqual(['DELETE FROM animal', 'SELECT * FROM zebra']);
    expect(read({ sinceMs: Date.now() + 1000 })).toEqual([]);
    expect(log.summary().databases).toEqual([
      { id: 'db-1', name: 'db-1.db' },
      { id: 'db-2', name: 'db-2.db' },
    ]);
  });

  it('is searched in slices, and says where to continue', () => {
    const hasty = new QueryLog(connection, { sliceMs: 0 });
    for (let index = 0; index < 1000; index++) begin(`SELECT ${index}`, 'd', hasty);
    const { runs, next } = hasty.list({ ...ALL, words: 'nowhere' }, null, 100);
    expect(runs).toEqual([]);
    expect(next).toBeGreaterThan(700);
    expect(read({ words: 'select 123' }, 100, hasty)).toEqual(['SELECT 123']);
  });
});

describe('the limits', () => {
  it('delete the oldest runs when there are too many', () => {
    const small = new QueryLog(connection, { runs: 100 });
    for (let index = 1; index <= 350; index++) begin(String(index), 'd', small);
    const kept = read({}, 50, small);
    expect(kept[0]).toBe('350');
    expect(kept.length).toBeGreaterThan(95);
    expect(kept.length).toBeLessThanOrEqual(100);
    expect(small.summary().runs).toBe(kept.length);
  });

  it('delete the oldest runs when their texts are too long, and never the newest', () => {
    const small = new QueryLog(connection, { bytes: 10_000 });
    for (let index = 1; index <= 50; index++) begin(`${index} `.padEnd(1000, 'é'), 'd', small);
    expect(small.summary().bytes).toBeLessThanOrEqual(10_000);
    expect(read({ words: '50' }, 50, small)).toHaveLength(1);
    const huge = begin('y'.repeat(20_000), 'd', small);
    expect(small.read(huge).sql).toHaveLength(20_000);
    expect(read({}, 50, small)).toHaveLength(1);
  });
});

it('deletes runs, and all of them; their numbers are not given again', () => {
  const ids = ['a', 'b', 'c'].map((text) => begin(text));
  log.delete([ids[0]!, ids[2]!]);
  expect(read()).toEqual(['b']);
  expect(() => log.read(ids[0]!)).toThrow(expect.objectContaining({ code: 'not-found' }));
  log.clear();
  expect(read()).toEqual([]);
  expect(log.summary()).toEqual({ runs: 0, bytes: 0, databases: [] });
  log.end(ids[1]!, WINDOW, DONE);
  expect(begin('d')).toBeGreaterThan(ids[2]!);
});

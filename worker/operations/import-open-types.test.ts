// Imports that find the types of a new table while they run: the table is the one that counting first gives, wherever the file surprises.
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LONG, seedCount } from '#shared/seed-count.test-suite.ts';
import type { ImportColumn, ImportPlan, ImportTarget } from '#shared/protocol/import.ts';
import { withTypes } from '../import/open-types.ts';
import { useReadingThreads } from '../import/thread/reading-thread.ts';
import type { FromReading } from '../import/thread/reading-messages.ts';
import { readingThread } from '../native/reading-threads.ts';
import { failureOf } from './database-fixture.test-suite.ts';
import { disks, libraryDisk } from './history-disks.test-suite.ts';
import type { HistoryFixture } from './history-fixture.test-suite.ts';
import { append, column, importsOn, newTable } from './import-fixture.test-suite.ts';

const THREAD = new URL('../threads/test-threads/delayed-reading.test-suite.ts', import.meta.url);
/** More than 4 MB, so that a thread reads them; fewer and wider ones take less time. */
const ROWS = LONG ? 40_000 : 6000;
const PADDING = 'text '.repeat(LONG ? 30 : 160);
/** 24 MB of rows. */
const WIDE = 'wide '.repeat(LONG ? 120 : 800);
/** Further on than the beginning that tells the types. */
const MIDDLE = LONG ? 25_000 : 4700;
/** More than the problems that end an import. */
const STRICT_ROWS = LONG ? 4000 : 2000;
/** Rows of WIDE that are read when half of them are. */
const HALF = Math.floor(ROWS * 0.525);

/** `odd`: fields of the second column, by row. */
function fileOf(odd: Readonly<Record<number, string>>, padding = PADDING): string {
  const lines = ['id,n,empty,note'];
  for (let row = 0; row < ROWS; row++) lines.push(`${row},${odd[row] ?? row % 100},,${padding}`);
  return lines.join('\n');
}

const open = (name: string, from: number, more: Partial<ImportColumn> = {}): ImportColumn =>
  column(name, from, { type: 'TEXT', isTypeOpen: true, ...more });
const COLUMNS = [open('id', 0), open('n', 1), open('empty', 2), open('note', 3)];

describe.each(disks)('$name', (disk) => {
  /** In place only what the engine has a part in, unless the tests are long. */
  const isWhole = LONG || disk === libraryDisk;
  let fixture: HistoryFixture;
  let tasks: string[] = [];
  let facts = 0;
  const { plan, run, all } = importsOn(disk, (opened) => (fixture = opened));
  beforeEach(() => {
    tasks = [];
    facts = 0;
    useThreads(0);
  });
  function useThreads(leastBytes: number): void {
    useReadingThreads(() => {
      const thread = readingThread(new Worker(THREAD, { workerData: 0 }));
      return {
        ...thread,
        post(message, transfer) {
          if (message.t === 'begin') tasks.push(message.task);
          thread.post(message, transfer);
        },
        onMessage: (listener) =>
          thread.onMessage((message: FromReading) => {
            if (message.t === 'batch' && message.facts) facts++;
            listener(message);
          }),
      };
    }, leastBytes);
  }
  afterEach(() => useReadingThreads(null));

  const schemaOf = (table: string): unknown => all(`SELECT replace(sql, '${table}', 't') FROM sqlite_schema WHERE name = '${table}'`)[0]![0]; // prettier-ignore
  const rowsOf = (table: string): unknown => all(`SELECT * FROM ${table} ORDER BY rowid`);

  /** Counts first, then imports. */
  async function countedFirst(given: ImportPlan) {
    const { source, options } = given;
    const analysis = await fixture.call('import.analyze', { source, options });
    const reply = await fixture.call('import.run', {
      plan: { ...withTypes(given, analysis.columns), target: { ...given.target, table: 'expected' } },
    });
    return { analysis, reply };
  }

  async function expectSame(text: string, columns = COLUMNS, strict = false): Promise<void> {
    const before = await fixture.steps();
    const { id: _one, timeMs: _took, table, analysis, ...reply } = await run(text, newTable('found', strict), columns);
    expect(table).toBe('found');
    // One step more; older ones may have made room for it.
    expect((await fixture.steps()).slice(1, 2)).toEqual(before.slice(0, 1));
    const first = await countedFirst(plan(text, newTable('found', strict), columns));
    const { id: _other, timeMs: _its, table: _name, ...expected } = first.reply;
    expect(analysis).toEqual(first.analysis);
    expect(reply).toEqual(expected);
    expect(schemaOf('found')).toBe(schemaOf('expected'));
    const [found, rows] = [rowsOf('found'), rowsOf('expected')];
    // Compared at once: a difference of ten thousand rows is not to be printed.
    expect(JSON.stringify(found, textOfBigInt) === JSON.stringify(rows, textOfBigInt)).toBe(true);
  }

  it('reads a file once whose beginning tells its types', async () => {
    const reply = await run(fileOf({}), newTable('found'), COLUMNS);
    expect(reply).toMatchObject({ added: ROWS, problems: 0, analysis: { records: ROWS } });
    expect(tasks).toEqual(['counted-records']);
    expect(all("SELECT type FROM pragma_table_info('found')")).toEqual([['INTEGER'], ['INTEGER'], ['TEXT'], ['TEXT']]);
    expect((await fixture.steps()).map(({ title }) => title)).toEqual(['Import orders.csv into found']);
    await fixture.undo();
    expect(all("SELECT count(*) FROM sqlite_schema WHERE name = 'found'")).toEqual([[0]]);
  });

  const surprises = [
    ['last', ROWS - 1],
    ['first', 0],
    ['middle', MIDDLE],
  ] as const;
  it.each(LONG ? surprises : isWhole ? surprises.slice(0, 2) : [])(
    'gives a surprise in the %s row the type that fits it, once the whole file is read',
    async (_where, row) => {
      await expectSame(fileOf({ [row]: '007' }));
      expect(all('SELECT n FROM found WHERE id = ?'.replace('?', String(row)))).toEqual([['007']]);
      expect(tasks.slice(0, -2)).toEqual(row === 0 ? ['counted-records'] : ['counted-records', 'records']);
    },
  );

  it.runIf(isWhole)('leaves chosen types, and columns without a field of the file, as they are', async () => {
    const chosen = [
      column('id', 0, { type: 'REAL' }),
      open('n', 1),
      column('at', null, { type: 'TEXT', defaultSql: "'now'" }),
    ];
    await run(fileOf({ [ROWS - 1]: '1.5' }), newTable('found'), chosen);
    expect(all("SELECT type FROM pragma_table_info('found')")).toEqual([['REAL'], ['NUMERIC'], ['TEXT']]);
  });

  it('does not end a STRICT import early for rows that fit the type that is found later', async () => {
    const odd = Object.fromEntries(
      Array.from({ length: STRICT_ROWS }, (_, at) => [ROWS - STRICT_ROWS - 500 + at, 'x']),
    );
    await expectSame(fileOf(odd), COLUMNS, true);
    expect(all("SELECT count(*) FROM found WHERE n = 'x'")).toEqual([[STRICT_ROWS]]);
  });

  it.runIf(isWhole)('sees a surprise while it reads, not only at the end', async () => {
    const wide = fileOf({ [HALF]: 'x' }, WIDE);
    await run(wide, newTable('found'), COLUMNS);
    expect(facts).toBeGreaterThanOrEqual(1);
    expect(tasks).toEqual(['counted-records', 'records']);
  });

  // Each in one of the two places; in the long tests in both.
  describe.each(LONG ? ['', 'STRICT'] : [disk === libraryDisk ? 'STRICT' : ''])(
    'new columns of a table that is there %s',
    (strict) => {
      const columns = [column('id', 0), open('n', 1, { isNew: true }), open('note', 3, { isNew: true })];
      const into = (table: string): ImportTarget => {
        fixture.connection.run(`CREATE TABLE ${table} (id INTEGER PRIMARY KEY) ${strict}`);
        fixture.connection.run(`INSERT INTO ${table} VALUES (-5)`);
        return append(table);
      };

      it.each([
        ['plain', {}, 'INTEGER'],
        ['odd at the end', { [ROWS - 1]: '007' }, 'TEXT'],
        ['of both kinds of numbers', { [ROWS - 1]: '1.5' }, strict === '' ? 'NUMERIC' : 'ANY'],
      ])('get the types that the whole file suggests: %s', async (_what, odd, type) => {
        const [found, expected] = [into('found'), into('expected')];
        const reply = await run(fileOf(odd), found, columns);
        expect(reply).toMatchObject({ added: ROWS, problems: 0, notes: ['New in “found”: “n”, “note”.'] });
        expect(tasks).toEqual(type === 'INTEGER' ? ['counted-records'] : ['counted-records', 'records']);
        expect(all("SELECT name, type FROM pragma_table_info('found')")).toEqual([['id', 'INTEGER'], ['n', type], ['note', 'TEXT']]); // prettier-ignore
        expect((await fixture.steps())[0]!.title).toBe('Import orders.csv into found');
        const counted = withTypes(plan(fileOf(odd), expected, columns), reply.analysis!.columns);
        await fixture.call('import.run', { plan: counted });
        expect(schemaOf('found')).toBe(schemaOf('expected'));
        expect(JSON.stringify(rowsOf('found')) === JSON.stringify(rowsOf('expected'))).toBe(true);
      });

      it('leave nothing behind when the import is undone', async () => {
        const target = into('found');
        const before = fixture.dump;
        await run(fileOf({ [ROWS - 1]: '007' }), target, columns);
        await fixture.undo();
        expect(fixture.dump).toBe(before);
      });
    },
  );

  it.runIf(isWhole)('is previewed with the types of the rows that are shown', async () => {
    const preview = await fixture.call('import.preview', {
      plan: plan(fileOf({ 5: '007' }), newTable('found'), COLUMNS),
    });
    expect(preview.rows[4]).toEqual([4, '4', '', PADDING]);
    expect(preview.rows).toHaveLength(1000);
    expect(all("SELECT count(*) FROM sqlite_schema WHERE name = 'found'")).toEqual([[0]]);
  });

  it.each([
    ['a thread, once', 0, ['counted-records']],
    ['a command, first to count, then to import', 1 << 20, []],
  ])('lets a small file be read by %s', async (_reader, leastBytes, expected) => {
    useThreads(leastBytes);
    await run('id,n,empty,note\n1,2,,x\n2,007,,y\n', newTable('found'), COLUMNS);
    expect(tasks).toEqual(expected);
    expect(rowsOf('found')).toEqual([
      [1, '2', '', 'x'],
      [2, '007', '', 'y'],
    ]);
  });

  it.each([
    ['the beginning', 100_000, 0],
    ['more records', 4_500_000, 0],
    ['the rest, to count it', 20_000_000, HALF],
  ])('can be stopped while it waits for %s, with everything as before', async (_what, answersTo, odd) => {
    const before = fixture.dump;
    fixture.filesAnswerTo = answersTo;
    const running = failureOf(run(fileOf({ [odd]: 'x' }, WIDE), newTable('found'), COLUMNS));
    await expect.poll(() => tasks).toEqual(['counted-records']);
    if (odd > 0) await expect.poll(() => facts).toBe(1);
    fixture.cancelAll();
    expect(await running).toMatchObject({
      code: 'stopped',
      message: expect.stringContaining('The import was stopped.'),
    });
    fixture.filesAnswerTo = Infinity;
    expect(fixture.dump).toBe(before);
    expect(fixture.connection.autocommit).toBe(true);
    expect(await fixture.steps()).toEqual([]);
  });

  it('gives the same table as counting first, wherever fields of other kinds are', async () => {
    const kinds = fc.constantFrom('007', '1.5', '1.50', 'x', '', '""', '9223372036854775808', '2026-01-31', 'true');
    const places = fc.dictionary(fc.integer({ min: 0, max: ROWS - 1 }).map(String), kinds, { maxKeys: 3 });
    await fc.assert(
      fc
        .asyncProperty(places, fc.boolean(), async (odd, strict) => expectSame(fileOf(odd), COLUMNS, strict))
        .beforeEach(() => {
          fixture.connection.run('DROP TABLE IF EXISTS found');
          fixture.connection.run('DROP TABLE IF EXISTS expected');
        }),
      { seed: 11, numRuns: isWhole ? seedCount(10) : 1, endOnFailure: true },
    );
  });
});

const textOfBigInt = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value);

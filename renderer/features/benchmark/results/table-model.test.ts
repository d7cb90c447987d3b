import { describe, expect, test } from 'vitest';
import { madeCell, madeResult } from '#shared/bench/made-result.test-suite.ts';
import { processorMsOf } from '#shared/processor-time.test-suite.ts';
import { cellLabel, moveInTable, referenceCell, tableModel } from './table-model.ts';
import type { TestRow } from './table-model.ts';
import { standingOf, formatTime } from './labels.ts';
import { warningsOf } from './findings.ts';

const RESULT = madeResult([
  { suite: 'sqlite16', test: '5', size: 25_000, times: { 'opfs-balanced': 10, 'native-balanced': 20 } },
  { suite: 'wasm-run', test: 'insert', size: 10_000, times: { 'native-balanced': 20, 'opfs-balanced': 40, memory: 3 } },
  { suite: 'wasm-run', test: 'insert', size: 1_000, times: { 'native-balanced': 2, 'opfs-balanced': 2 } },
]);
const ALL = { timing: 'engine', suite: null } as const;

test('columns and suites come in the order of the house, rows as they were measured', () => {
  const { columns, rows } = tableModel(RESULT, ALL);
  expect(columns.map(({ engine }) => engine)).toEqual(['memory', 'opfs-balanced', 'native-balanced']);
  expect(columns.map(({ isReference }) => isReference)).toEqual([false, false, true]);
  expect(rows.map(({ key }) => key)).toEqual([
    'wasm-run',
    'wasm-run/insert/10000',
    'wasm-run/insert/1000',
    'sqlite16',
    'sqlite16/5/25000',
  ]);
  expect(tableModel(RESULT, { ...ALL, suite: 'sqlite16' }).rows).toHaveLength(2);
});

test('a column says in which settings all its cells differ, and PostgreSQL which it has in their place', () => {
  const cell = (engine: string, test: string, pragmas: object) =>
    madeCell({ engine: engine as never, test, pragmas, samples: [1] });
  const made = madeResult([]);
  const own = ['fsync is off'];
  const { columns } = tableModel(
    {
      ...made,
      env: { ...made.env, engines: [{ ...made.env.engines[0]!, engine: 'pglite-opfs', settings: own }] },
      cells: [
        cell('sahpool', 'a', { journal_mode: 'delete', page_size: 4_096 }),
        cell('sahpool', 'b', { journal_mode: 'delete' }),
        cell('turso-wasm', 'a', { page_size: 4_096 }),
        cell('turso-wasm', 'b', {}),
        cell('pglite-opfs', 'a', {}),
      ],
    },
    ALL,
  );
  const settings = Object.fromEntries(columns.map((column) => [column.engine, column.settings]));
  expect(settings).toEqual({
    sahpool: ['journal_mode is delete instead of wal'],
    'turso-wasm': [],
    'pglite-opfs': own,
  });
});

test('published figures stand beside the rows they are of, the best first', () => {
  const { rows, contenders } = tableModel(RESULT, ALL);
  expect(rows.map(({ published }) => published[0]?.value)).toEqual([undefined, 3.9, 6.2, 2.75, 1.1]);
  expect(contenders).toContain('wa-sqlite, OPFS handle pool');
});

test.each([
  ['engine', 2, 'slower'],
  ['delivered', 2, 'slower'],
  ['first', 2, 'unknown'],
] as const)('%s has a ratio of its own', (timing, ratio, standing) => {
  const { rows } = tableModel(RESULT, { timing, suite: 'wasm-run' });
  const { shown } = (rows[1] as TestRow).cells['opfs-balanced']!;
  expect(shown.ratio!.value).toBeCloseTo(ratio, 0);
  expect(standingOf(shown.ratio)).toBe(standing);
  const [suite] = rows;
  if (suite!.kind === 'suite') expect(suite!.means['opfs-balanced']).toMatchObject({ cells: 2 });
});

test('a ratio whose interval spans 1 is no difference, and better-sqlite3 is compared with nothing', () => {
  const { rows } = tableModel(RESULT, ALL);
  const { cells } = rows[2] as TestRow;
  expect(standingOf(cells['opfs-balanced']!.shown.ratio)).toBe('same');
  expect(cells['native-balanced']!.shown.ratio).toBeNull();
  expect(referenceCell(RESULT, cells['opfs-balanced']!.cell)).toBe(cells['native-balanced']!.cell);
});

test('engines and suites of later versions are shown, too', () => {
  const cell = madeCell({ engine: 'quantum' as never, suite: 'teleport' as never, samples: [1, 2] });
  const { columns, rows } = tableModel({ ...RESULT, cells: [...RESULT.cells, cell] }, ALL);
  expect(columns.at(-1)).toMatchObject({ engine: 'quantum', label: 'quantum' });
  expect(rows.at(-1)).toMatchObject({ suite: 'teleport' });
});

test('20,000 cells become a table in no time that grows with their square', async () => {
  const cells = Array.from({ length: 20_000 }, (_, index) =>
    madeCell({ test: `t${index % 2_000}`, engine: `e${Math.floor(index / 2_000)}` as never, samples: [1] }),
  );
  const spentMs = await processorMsOf(() => expect(tableModel({ ...RESULT, cells }, ALL).rows).toHaveLength(2_001));
  expect(spentMs).toBeLessThan(5_000);
});

describe('words', () => {
  test.each([
    [0, 'ms', '0 µs'],
    [0.000_84, 'ms', '840 ns'],
    [12.34, 'us', '12.3 µs'],
    [0.999_6, 'ms', '1,000 µs'],
    [3.1, 'ms', '3.10 ms'],
    [1240, 'ms', '1.24 s'],
    [123_456, 'ms', '123 s'],
    [84_200_000, 'bytes', '84.2 MB'],
  ] as const)('%s %s is %s', (value, unit, text) => {
    expect(formatTime(value, unit)).toBe(text);
  });

  test('a cell is said in full', () => {
    const { rows } = tableModel(RESULT, ALL);
    const { cells } = rows[4] as TestRow;
    expect(cellLabel('5', 'Sidelite', cells['opfs-balanced'])).toMatch(
      /^5, Sidelite: \d+\.\d+ ms, 0\.\d+× \(0\.\d+ to 0\.\d+\), faster than better-sqlite3$/,
    );
    const wrong = madeCell({ status: 'void', why: 'It read 3 rows instead of 4.' });
    expect(cellLabel('5', 'Turso', { cell: wrong, shown: { samples: [], median: null, p95: null, ratio: null } })).toBe(
      '5, Turso: void. It read 3 rows instead of 4.',
    );
  });
});

test('arrow keys pass over suites and stay inside', () => {
  const { rows } = tableModel(RESULT, ALL);
  const shape = { rows, width: 3, page: 2 };
  expect(moveInTable('ArrowDown', { row: 2, column: 1 }, shape)).toEqual({ row: 4, column: 1 });
  expect(moveInTable('ArrowUp', { row: 1, column: 1 }, shape)).toEqual({ row: 1, column: 1 });
  expect(moveInTable('ArrowRight', { row: 1, column: 2 }, shape)).toEqual({ row: 1, column: 2 });
  expect(moveInTable('End', { row: 1, column: 0 }, shape)).toEqual({ row: 4, column: 0 });
  expect(moveInTable('PageUp', { row: 4, column: 0 }, shape)).toEqual({ row: 2, column: 0 });
  expect(moveInTable('x', { row: 1, column: 2 }, shape)).toBeNull();
});

test('what disturbs belief is badged', () => {
  expect(warningsOf(RESULT)).toEqual([]);
  const { env } = RESULT;
  const [cell] = RESULT.cells;
  const badges = warningsOf({
    ...RESULT,
    cells: [
      { ...cell!, pragmas: { page_size: 4096 } },
      madeCell({ engine: 'memory', samples: [0.01] }),
      madeCell({ samples: [5], median: 4 }),
    ],
    env: {
      ...env,
      onBattery: true,
      crossOriginIsolated: false,
      events: [{ kind: 'hidden', atMs: 5, what: 'The window was hidden: its timers may be slowed down.' }],
      engines: env.engines.map((facts, index) => ({ ...facts, version: `SQLite 3.5${index}` })),
    },
  }).map(({ badge }) => badge);
  expect(badges).toEqual([
    'inconsistent figures',
    'settings differ',
    'on battery',
    'not isolated',
    'window hidden',
    'coarse timer',
    'versions differ',
  ]);
});

test('settings that a test asks for are no difference: every engine has them', () => {
  const asked = (native: string) => ({
    ...RESULT,
    cells: [
      madeCell({ engine: 'opfs-balanced', samples: [5], pragmas: { journal_mode: 'truncate' } }),
      madeCell({ engine: 'native-balanced', samples: [5], pragmas: { journal_mode: native as 'truncate' } }),
    ],
  });
  expect(warningsOf(asked('truncate'))).toEqual([]);
  expect(warningsOf(asked('delete'))).toMatchObject([{ badge: 'settings differ' }]);
});

test('a run that never came to its end says so', () => {
  const warnings = warningsOf({ ...RESULT, env: { ...RESULT.env, unfinished: true } });
  expect(warnings.map(({ badge }) => badge)).toEqual(['not finished']);
});

test('what cells have in common is found in time that grows with the cells', async () => {
  const settings = Array.from({ length: 200 }, (_, at) => `setting ${at}`);
  const made = madeResult([]);
  const cells = Array.from({ length: 4000 }, () => madeCell({ engine: 'memory', samples: [1], median: 1 }));
  const env = { ...made.env, engines: [{ ...made.env.engines[0]!, engine: 'memory' as const, settings }] };
  const result = { ...made, env, cells };
  // Each cell with each other one would take minutes.
  const ms = await processorMsOf(() => {
    expect(warningsOf(result).map(({ badge }) => badge)).not.toContain('settings differ');
    expect(tableModel(result, ALL).columns[0]!.settings).toEqual(settings);
  });
  expect(ms).toBeLessThan(5000);
});

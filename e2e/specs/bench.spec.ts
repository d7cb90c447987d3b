// The benchmark as the command line starts it: the real app measures, writes what it found and ends.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readResult } from '../../shared/bench/result.ts';
import type { BenchResult } from '../../shared/bench/result.ts';
import type { BenchPlan } from '../../shared/bench/shell.ts';
import { expect, test } from '../fixtures.ts';
import type { SideliteApp } from '../sidelite-app.ts';

const PLAN: BenchPlan = {
  suites: ['wasm-run', 'rtt'],
  engines: ['opfs-balanced', 'memory'],
  sizes: [100, 1_000],
  rounds: 3,
  profile: 'balanced',
  quick: false,
  seed: 1,
  tests: ['insert-wal', 'read', 'smalltx-16k', 'scalar-js', 'series-rows', 'insert-number', 'select-number'],
};

/** One small test of an engine alone, one of its messages, and one of each kind of work that the window measures of the app itself. */
const SMALL: BenchPlan = {
  ...PLAN,
  suites: ['wasm-run', 'rtt', 'live', 'browse', 'import', 'export'],
  engines: ['opfs-balanced'],
  sizes: { 'wasm-run': [1_000], rtt: [100], live: [1], browse: [100_000], import: [10_000], export: [10_000] },
  rounds: 1,
  quick: true,
  tests: ['read', 'insert-number', 'change-to-rows', 'first-rows', 'csv-new', 'csv'],
};

/** The app's own suites at their quick size, as durable as can be. */
const FULL: BenchPlan = { ...PLAN, engines: ['opfs-full'], profile: 'full', sizes: null, quick: true, tests: null };

// The app ends when it has measured, and its process with it.
test.use({ isAlone: true });

/** Starts the app with the plan and waits for what it writes. */
async function measured(
  app: SideliteApp,
  plan: BenchPlan,
  timeout = 300_000,
  sql: string | null = null,
): Promise<BenchResult> {
  const resultFile = join(app.folder, 'result.json');
  const jobFile = join(app.folder, 'job.json');
  writeFileSync(jobFile, JSON.stringify({ plan, sql, database: null, dropsCaches: false, resultFile }));
  // It may be through, and gone, before the driver has looked at its window; without a result this fails below.
  const started = app.start(`--bench=${jobFile}`).catch(() => undefined);
  await expect.poll(() => existsSync(resultFile), { timeout }).toBe(true);
  await started;
  return readResult(JSON.parse(readFileSync(resultFile, 'utf8')));
}

test(
  'one small test of each kind is measured on both engines, which do the same, and nothing of it is left',
  { tag: '@long' },
  async ({ idleApp }) => {
    test.setTimeout(300_000);
    const { cells, env } = await measured(idleApp, SMALL);
    expect(cells.map(({ suite, test: name, engine, status }) => [suite, name, engine, status])).toEqual(
      SMALL.suites.flatMap((suite, at) =>
        ['opfs-balanced', 'native-balanced'].map((engine) => [suite, SMALL.tests![at], engine, 'ok']),
      ),
    );
    for (const { test: name, engine, samples, checksum, ratio } of cells) {
      expect(Math.min(...samples), name).toBeGreaterThan(0);
      expect(checksum, name).toBe(cellOf(cells, name, 'native-balanced').checksum);
      expect(ratio === null, name).toBe(engine === 'native-balanced');
    }
    expectEngines(env, ['native-balanced', 'opfs-balanced']);
    expect(leftBehind(idleApp)).toEqual([]);
  },
);

test('every engine reads the same, and every cell has its number', { tag: '@long' }, async ({ idleApp }) => {
  test.setTimeout(300_000);
  const { cells, env } = await measured(idleApp, PLAN);
  expect(cells.filter(({ status }) => status !== 'ok')).toEqual([]);
  // Two that were asked for, and the two they are compared with.
  const engines = ['memory', 'native-balanced', 'native-memory', 'opfs-balanced'];
  expect([...new Set(cells.map(({ engine }) => engine))].sort()).toEqual(engines);
  expectEngines(env, engines);
  for (const { test: name, engine, ratio, ratioLow, ratioHigh, delivered } of cells) {
    expect(delivered.length, name).toBeGreaterThan(0);
    if (engine.startsWith('native')) continue;
    expect(ratioLow!).toBeLessThanOrEqual(ratio!);
    expect(ratioHigh!).toBeGreaterThanOrEqual(ratio!);
  }
});

test(
  'engines of others read the same, and say with which settings, or why they cannot run here',
  { tag: '@long' },
  async ({ idleApp }) => {
    test.setTimeout(400_000);
    const able = [
      ...['sahpool', 'wa-sqlite-memory', 'wa-sqlite-pool', 'wa-sqlite-coop', 'wa-sqlite-idb'],
      ...['pglite-memory', 'libsql-wasm', 'libsql', 'turso', 'turso-wasm', 'sql-js', 'kvvfs'],
    ] as const;
    // It is no dependency. Where it was added it has to do what the others do.
    const hasSqlite3 = existsSync(
      join(import.meta.dirname, '../../node_modules/sqlite3/build/Release/node_sqlite3.node'),
    );
    if (!hasSqlite3)
      test.info().annotations.push({
        type: 'node-sqlite3 is not installed and was not measured',
        description: 'npm run add-engine -- sqlite3',
      });
    const unable = ['wa-sqlite-write-ahead', ...(hasSqlite3 ? [] : ['sqlite3' as const])] as const;
    const plan = { ...PLAN, suites: ['wasm-run'], tests: ['insert-wal', 'read'], rounds: 1 } as const;
    const engines = [...able, ...(hasSqlite3 ? ['sqlite3' as const] : []), ...unable];
    const { cells, env } = await measured(idleApp, { ...plan, engines });
    const withoutNumber = cells.filter(({ status }) => status !== 'ok');
    expect(withoutNumber.filter(({ engine }) => !unable.some((id) => id === engine))).toEqual([]);
    expect(withoutNumber.map(({ status }) => status)).toEqual(unable.flatMap(() => ['skipped', 'skipped']));
    expect(env.engines.filter(({ code }) => !code).map(({ engine }) => engine)).toEqual([]);
    // Differences from the requested settings are reported.
    const whyOf = (engine: string): string => cells.find((cell) => cell.engine === engine)!.why ?? '';
    expect(whyOf('sahpool')).toContain('journal_mode is delete instead of wal');
    expect(whyOf('pglite-memory')).toContain('fsync is off');
    expect(whyOf('wa-sqlite-pool')).toBe('');
    expect(whyOf('turso-wasm')).toBe('');
  },
);

test(
  'readers are measured beside a writer on both engines, and one that cannot run here says why',
  { tag: '@long' },
  async ({ idleApp }) => {
    const engines = ['opfs-balanced', 'wa-sqlite-write-ahead'] as const;
    const plan: BenchPlan = { ...PLAN, suites: ['readers'], engines, sizes: [2], tests: null, rounds: 1, quick: true };
    const { cells } = await measured(idleApp, plan);
    const names = ['reads', 'read-latency', 'commits', 'commit-latency'];
    const ways = { 'opfs-balanced': /2 readers take turns/, 'native-balanced': /each of the 2 readers has a thread/ };
    for (const [engine, way] of Object.entries(ways)) {
      const own = cells.filter((cell) => cell.engine === engine);
      expect(own.map(({ test: name, status, why }) => [name, status, why])).toEqual(
        names.map((name) => [name, 'ok', null]),
      );
      for (const { samples, transaction, pragmas } of own) {
        expect(Math.min(...samples)).toBeGreaterThan(0);
        expect(transaction).toMatch(way);
        // Equally durable on both; only the locking mode differs.
        expect(pragmas).toEqual(engine === 'opfs-balanced' ? {} : { locking_mode: 'normal' });
      }
    }
    expect(new Set(cells.filter(({ status }) => status === 'ok').map(({ checksum }) => checksum)).size).toBe(1);
    const unable = cells.filter(({ engine }) => engine === 'wa-sqlite-write-ahead');
    expect(unable.map(({ status, why }) => [status, why])).toEqual(
      names.map(() => ['skipped', expect.stringContaining('which Chromium can from version 121 on')]),
    );
  },
);

/** Only the wasm build is compiled for one thread: it never finishes there, or only there. */
const ENDLESS = (where: string): string =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9 OR ${where}) SELECT max(i) FROM n`;
const IS_WASM = "sqlite_compileoption_used('THREADSAFE=0')";

for (const [silent, other, where, place] of [
  ['memory', 'native-memory', IS_WASM, 'worker'],
  ['native-memory', 'memory', `NOT ${IS_WASM}`, 'process'],
] as const) {
  test(
    `an engine that never answers (${silent}) is given up, says so, and the others go on`,
    { tag: '@long' },
    async ({ idleApp }) => {
      test.slow();
      const plan: BenchPlan = {
        ...PLAN,
        suites: ['own-query', 'rtt'],
        engines: ['memory'],
        sizes: null,
        quick: true,
        tests: null,
        // Longer than a busy machine takes for a turn of the others.
        timeoutSeconds: 10,
      };
      const { cells, env } = await measured(idleApp, plan, 100_000, ENDLESS(where));
      const ofQuery = (engine: string) => cells.find((cell) => cell.suite === 'own-query' && cell.engine === engine)!;
      expect(ofQuery(silent)).toMatchObject({ status: 'failed', samples: [] });
      expect(ofQuery(silent).why).toContain(
        `did not respond for 10 seconds, so it was stopped and its ${place} ended.`,
      );
      expect(ofQuery(other)).toMatchObject({ status: 'ok', rows: 1 });
      expect(cells.filter(({ suite, status }) => suite === 'rtt' && status !== 'ok')).toEqual([]);
      expect(env.events.map(({ what }) => what)).toContainEqual(
        expect.stringMatching(/did not respond and was restarted/),
      );
    },
  );
}

test(
  'browsing a large table is measured on both engines, in a database that is gone afterwards',
  { tag: '@long' },
  async ({ idleApp }) => {
    test.setTimeout(300_000);
    const plan: BenchPlan = {
      ...PLAN,
      suites: ['browse'],
      engines: ['opfs-balanced'],
      sizes: null,
      quick: true,
      tests: null,
      rounds: 1,
    };
    const { cells, geomeans } = await measured(idleApp, plan);
    expect(cells.filter(({ status }) => status !== 'ok')).toEqual([]);
    const ofEngines = ['first-rows', 'jump', 'scroll', 'drag', 'sort', 'filter', 'memory-engine'];
    const ofApp = ['memory-window', 'memory-others'];
    expect([...new Set(cells.map(({ test: name }) => name))]).toEqual([...ofEngines, ...ofApp]);
    expect(cells.filter(({ scope }) => scope === 'app').map(({ test: name }) => name)).toEqual(ofApp);
    for (const { unit, median } of cells.filter(({ test: name }) => name.startsWith('memory'))) {
      expect(unit).toBe('bytes');
      expect(median).toBeGreaterThan(5e6);
      expect(median).toBeLessThan(4e9);
    }
    expect(geomeans[0]!.cells).toBe(ofEngines.length - 1);
    for (const name of ofEngines) {
      const [ours, native] = cells.filter((cell) => cell.test === name);
      expect([ours!.engine, native!.engine]).toEqual(['opfs-balanced', 'native-balanced']);
      expect(ours!.checksum).toBe(native!.checksum);
      expect(ours!.rows).toBe(native!.rows);
      expect(ours!.rows).toBeGreaterThan(0);
      expect(Math.min(...ours!.samples, ...native!.samples), name).toBeGreaterThan(0);
    }
    expect(cells.find(({ test: name }) => name === 'scroll')!.samples.length).toBe(45);
    expect(leftBehind(idleApp)).toEqual([]);
  },
);

test(
  'scripts are measured in a real SQL tab and on the engine alone, and leave the same',
  { tag: '@long' },
  async ({ idleApp }) => {
    test.setTimeout(300_000);
    const plan: BenchPlan = {
      ...PLAN,
      suites: ['sql-tab'],
      engines: ['opfs-balanced'],
      sizes: [5],
      tests: ['speedtest1-tab', 'speedtest1-engine'],
      rounds: 1,
    };
    const { cells, env } = await measured(idleApp, plan, 160_000);
    expect(
      cells.filter(({ status }) => status !== 'ok').map(({ test: name, engine, why }) => [name, engine, why]),
    ).toEqual([]);
    expect([...new Set(cells.map(({ test: name }) => name))]).toEqual(plan.tests);
    const left = cellOf(cells, 'speedtest1-tab', 'opfs-balanced').checksum;
    expect(left).not.toBeNull();
    expect(cellOf(cells, 'speedtest1-tab', 'native-balanced').checksum).toBe(left);
    for (const { test: name, samples } of cells) expect(Math.min(...samples), name).toBeGreaterThan(0);
    expect(env.engines.map(({ engine }) => engine).sort()).toEqual(['native-balanced', 'opfs-balanced']);
    expect(leftBehind(idleApp)).toEqual([]);
  },
);

test(
  'imports and exports are measured on both engines, and bring the same rows',
  { tag: '@long' },
  async ({ idleApp }) => {
    test.setTimeout(300_000);
    const { cells } = await measured(idleApp, { ...FULL, suites: ['import', 'export'], rounds: 1 });
    const names = ['csv-new', 'csv-append', 'ndjson-new', 'csv', 'json', 'xlsx'];
    expectBothEngines(cells, names);
    expect([...new Set(cells.map(({ test: name }) => name))]).toEqual(names);
    expect(leftBehind(idleApp)).toEqual([]);
  },
);

test('live queries are measured on both engines', { tag: '@long' }, async ({ idleApp }) => {
  test.setTimeout(300_000);
  const { cells } = await measured(idleApp, { ...FULL, suites: ['live'], rounds: 1 });
  const names = ['change-to-paint', 'change-to-rows', 'commits', 'change-to-other-window'];
  expectBothEngines(cells, names);
  expect([...new Set(cells.map(({ test: name }) => name))]).toEqual(names);
  expect(medianOf(cells, 'change-to-rows')).toBeLessThan(1_000);
  expect(medianOf(cells, 'change-to-other-window')).toBeLessThan(1_000);
  expect(leftBehind(idleApp)).toEqual([]);
});

test('the start is measured on both engines', { tag: '@long' }, async ({ idleApp }) => {
  test.setTimeout(300_000);
  const { cells, env, geomeans } = await measured(idleApp, { ...FULL, suites: ['startup'], rounds: 2 });
  const ofApp = ['window-cold', 'window'];
  const started = ['rows-cold', 'rows', ...ofApp, 'engine', 'compile', 'open-rows', 'query-first', 'query-fourth'];
  expect([...new Set(cells.map(({ test: name }) => name))]).toEqual(started);
  // Measured for the whole app: once, beside no other engine, and in no mean.
  const whole = cells.filter(({ scope }) => scope === 'app');
  expect(whole).toMatchObject(ofApp.map((name) => ({ test: name, engine: 'opfs-full', ratio: null })));
  expect(geomeans.find(({ suite }) => suite === 'startup')!.cells).toBe(started.length - whole.length);
  expect(env.engines.map(({ engine }) => engine)).toEqual(['opfs-full', 'native-full']);
  expect(env.engines[0]!.sourceId).toBe(env.engines[1]!.sourceId);
  expect(env.engines.every(({ sha256 }) => /^[\da-f]{64}$/.test(sha256 ?? ''))).toBe(true);
  const ofEngines = started.filter((name) => !ofApp.includes(name));
  expectBothEngines(cells, ofEngines);
  // Each sample is a start of its own.
  for (const name of ['rows-cold', 'rows']) {
    for (const cell of cells.filter((each) => each.test === name)) {
      expect(new Set(cell.samples).size, name).toBe(cell.samples.length);
      expect(cell.samples.length).toBeGreaterThanOrEqual(2);
      expect(cell.rows).toBe(1);
    }
  }
  expect(medianOf(cells, 'window')).toBeGreaterThan(50);
  // Window and rows are of the same starts, so each window is there before its rows; and so are an engine and its code.
  const pairs = [
    ...['', '-cold'].map((temperature) => [cellOf(cells, `window${temperature}`), cellOf(cells, `rows${temperature}`)]),
    ...env.engines.map(({ engine }) => ['compile', 'engine'].map((name) => cellOf(cells, name, engine))),
  ];
  for (const [part, whole] of pairs) {
    expect(part!.samples).toHaveLength(whole!.samples.length);
    for (const [index, ms] of part!.samples.entries()) expect(ms, part!.test).toBeLessThan(whole!.samples[index]!);
  }
  expect(leftBehind(idleApp)).toEqual([]);
});

/** Each says which code it is, of the same version. */
function expectEngines(env: BenchResult['env'], engines: readonly string[]): void {
  expect(env.engines.map(({ engine }) => engine).sort()).toEqual(engines);
  expect(env.engines.map(({ sourceId }) => sourceId)).toEqual(engines.map(() => env.engines[0]!.sourceId));
  expect(env.engines.every(({ sha256 }) => /^[\da-f]{64}$/.test(sha256 ?? ''))).toBe(true);
  // No code may count as compiled because the library’s worker has compiled it before.
  for (const { engine, code } of env.engines) {
    expect(code!.files, engine).toEqual([expect.stringMatching(engine.startsWith('native') ? /\.node$/ : /\.wasm$/)]);
    expect(code!.gzipBytes).toBeLessThan(code!.bytes);
    expect(code!.gzipBytes).toBeGreaterThan(300_000);
    expect(code!.instantiateMs).toBeGreaterThan(0);
    if (engine.startsWith('native')) expect(code!.compileMs).toBeNull();
    else expect(code!.compileMs).toBeGreaterThan(1);
  }
}

type Cells = BenchResult['cells'];

const cellOf = (cells: Cells, name: string, engine?: string): Cells[number] =>
  cells.find((cell) => cell.test === name && (engine === undefined || cell.engine === engine))!;

const medianOf = (cells: Cells, name: string): number => cellOf(cells, name).median!;

function expectBothEngines(cells: Cells, names: readonly string[]): void {
  expect(cells.filter(({ status }) => status !== 'ok')).toEqual([]);
  for (const name of names) {
    const [ours, native] = cells.filter((cell) => cell.test === name);
    expect([ours!.engine, native!.engine]).toEqual(['opfs-full', 'native-full']);
    expect(ours!.pragmas.synchronous, name).toBeUndefined();
    expect(ours!.checksum, name).toBe(native!.checksum);
    expect(Math.min(...ours!.samples, ...native!.samples), name).toBeGreaterThan(0);
  }
}

/** Files left of what was measured. */
function leftBehind({ profile }: SideliteApp): readonly string[] {
  return ['comparison-copies', 'history-of-files', 'bench-starts']
    .map((name) => join(profile, name))
    .flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : []))
    .filter((name) => name.includes('comparison-copy') || name.includes('opfs') || name.includes('native'));
}

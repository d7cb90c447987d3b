// `npm run bench`: measures in the real app, without anybody watching; prints a table and writes the result as JSON.
import { spawn } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { ENGINES, engineNamed, usualEngines } from '#shared/bench/engines.ts';
import { PROFILE_NAMES } from '#shared/bench/profile.ts';
import type { ProfileName } from '#shared/bench/profile.ts';
import { parseResult } from '#shared/bench/result.ts';
import type { BenchResult, BenchCell, EngineCode } from '#shared/bench/result.ts';
import type { BenchJobProgress, BenchPlan } from '#shared/bench/shell.ts';
import { quantile, spansOne } from '#shared/bench/statistics.ts';
import { SUITES, suiteOf, VECTOR } from '#shared/bench/suites.ts';
import { ensureBundle } from './bundle.ts';
import { DIST, ROOT } from './paths.ts';
import { resolveRuntime } from './runtime.ts';
import { hasScreen, openVirtualScreen } from './screen.ts';
import { command, endTogether } from './tool.ts';

// Parses the options of `npm run bench`, with a sentence for each word that it does not know.

const USAGE = `npm run -s bench -- --suite ID[,ID] [--engine ID[,ID]] [--size N[,N]] [--rounds N]
    [--profile full|balanced|memory] [--test ID[,ID]] [--seed N] [--json FILE] [--quick]
    [--timeout SECONDS] [--drop-caches]
    own-query also takes: --sql TEXT --database FILE (without: an example that makes its own rows)

Suites:  ${SUITES.map(({ id }) => id).join(', ')}
         or vector for the vectors of crud alone.
Engines: ${ENGINES.map(({ id }) => id).join(', ')}
         or opfs, native, node-sqlite for the one of the profile; without --engine: Sidelite's own path.
         better-sqlite3 of the same storage and profile is always measured along.

--timeout is how long an engine may not answer before it is given up, 120 seconds without it.
--drop-caches empties the system’s cache of files before each cold start of --suite startup. It slows down everything else
on the machine for a while, needs root, and exists on Linux only.`;

interface BenchOptions {
  readonly plan: BenchPlan;
  readonly json: string | null;
  readonly sql: string | null;
  readonly database: string | null;
  readonly dropsCaches: boolean;
}

class UsageError extends Error {}

const MOST_ROUNDS = 1_000;
const MOST_TIMEOUT = 86_400;
const DEFAULT_SEED = 20_240_229;
/** Default SQL of `own-query`; it needs no table. */
export const EXAMPLE = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
SELECT i % 7 AS part, count(*), sum(i), max(printf('%x', i)) FROM n GROUP BY part`;

/** @throws UsageError */
export function parseBenchOptions(args: readonly string[]): BenchOptions {
  const given = readOptions(args);
  const profile = profileOf(given.profile ?? 'balanced');
  const words = list(given.suite);
  const part = words.length === 1 && words[0] === VECTOR.id ? VECTOR : null;
  const suites = [...new Set(words.map((word) => (word === VECTOR.id ? VECTOR.suite : word)))].map(
    (word) => suiteOf(word) ?? unknown('suite', word, SUITES),
  );
  if (suites.length === 0) throw new UsageError('Say which suite: --suite ID');
  const engines = list(given.engine).map((word) => engineNamed(word, profile) ?? unknown('engine', word, ENGINES));
  const sizes = list(given.size).map((word) => whole('size', word, Number.MAX_SAFE_INTEGER));
  for (const size of sizes) {
    if (suites.some((suite) => suite.sizes.includes(size))) continue;
    const known = suites.map((suite) => `${suite.id}: ${suite.sizes.join(', ')}`).join('; ');
    throw new UsageError(`No suite has the size ${size}. ${known}`);
  }
  const tests = part && given.test === undefined ? part.tests : list(given.test);
  const { rounds, timeout } = given;
  const options = {
    plan: {
      suites: suites.map(({ id }) => id),
      engines: (engines.length > 0 ? engines : usualEngines(profile)).map(({ id }) => id),
      sizes: sizes.length > 0 ? sizes : null,
      rounds: rounds === undefined ? null : whole('rounds', rounds, MOST_ROUNDS),
      profile,
      quick: given.quick === true,
      seed: whole('seed', given.seed ?? String(DEFAULT_SEED), 2 ** 31),
      tests: tests.length > 0 ? tests : null,
      ...(timeout !== undefined && { timeoutSeconds: whole('timeout', timeout, MOST_TIMEOUT) }),
    },
    json: given.json ?? null,
    sql: given.sql ?? null,
    database: given.database ?? null,
    dropsCaches: given['drop-caches'] === true,
  };
  if (options.dropsCaches && !options.plan.suites.includes('startup')) {
    throw new UsageError('--drop-caches is for --suite startup');
  }
  const isOwn = options.plan.suites.includes('own-query');
  if (isOwn && options.sql === null && options.database !== null) {
    throw new UsageError('A database needs a query: --sql "SELECT …"');
  }
  if (isOwn && options.sql === null) return { ...options, sql: EXAMPLE };
  if (!isOwn && (options.sql !== null || options.database !== null)) {
    throw new UsageError('--sql and --database are for --suite own-query');
  }
  return options;
}

const VALUES = [
  'suite',
  'engine',
  'size',
  'rounds',
  'profile',
  'test',
  'seed',
  'json',
  'sql',
  'database',
  'timeout',
] as const;
const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean' } as const;
const OPTIONS = {
  ...(Object.fromEntries(VALUES.map((name) => [name, TEXT])) as Record<(typeof VALUES)[number], typeof TEXT>),
  quick: FLAG,
  'drop-caches': FLAG,
};

function readOptions(args: readonly string[]) {
  try {
    const { values, tokens } = parseArgs({ args: [...args], options: OPTIONS, tokens: true });
    const names = tokens.map((token) => (token.kind === 'option' ? token.name : null));
    const twice = names.find((name, at) => names.indexOf(name) < at);
    if (twice) throw new Error(`--${twice} is there twice`);
    return values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function list(words = ''): readonly string[] {
  return [...new Set(words.split(',').filter((word) => word !== ''))];
}

function profileOf(word: string): ProfileName {
  const known = PROFILE_NAMES.map((id) => ({ id }));
  return known.find(({ id }) => id === word)?.id ?? unknown('profile', word, known);
}

function whole(name: string, word: string, most: number): number {
  if (!/^\d+$/.test(word) || Number(word) < 1 || Number(word) > most) {
    throw new UsageError(`--${name} takes whole numbers from 1 on, not “${word}”`);
  }
  return Number(word);
}

function unknown(what: string, word: string, known: readonly { readonly id: string }[]): never {
  throw new UsageError(`There is no ${what} “${word}”. Known: ${known.map(({ id }) => id).join(', ')}`);
}

const HEAD = ['test', 'size', 'engine', 'median', 'p95', 'p99', 'ratio', '95%', 'delivered', 'ratio', 'first use', 'n'];

/** A result as a terminal shows it: one block a suite, one line a test and engine, ratios with their intervals. */
function benchTable(result: BenchResult): string {
  const suites = [...new Set(result.cells.map(({ suite }) => suite))];
  return [environment(result), ...suites.map((suite) => suiteBlock(result, suite))].join('\n\n');
}

function environment({ env, profile }: BenchResult): string {
  const engines = env.engines.map(
    ({ engine, version, runtime, code }) => `  ${engine}: ${versionText(version)}, ${runtime}${codeText(code)}`,
  );
  const lines = [
    `${env.os} · ${env.cpu} × ${env.cores} · ${env.disk ?? 'disk unknown'} · Electron ${env.electron ?? '-'} · Chromium ${env.chromium}`,
    `profile ${profile.name}: ${profile.journal_mode}, synchronous ${profile.synchronous}, pages of ${profile.page_size}, cache ${profile.cache_size} · seed ${env.seed} · ${env.seconds.toFixed(0)} s`,
    ...engines,
    ...env.events.map(({ atMs, what }) => `  after ${(atMs / 1000).toFixed(0)} s: ${what}`),
  ];
  return lines.join('\n');
}

function codeText(code: EngineCode | undefined): string {
  if (!code) return '';
  const size = (bytes: number): string => `${(bytes / 1e6).toFixed(2)} MB`;
  const step = (what: string, ms: number | null): string => (ms === null ? '' : `, ${what} ${ms.toFixed(2)} ms`);
  const { files, bytes, gzipBytes, compileMs, instantiateMs } = code;
  const name = files.join(' and ');
  return `; ${name} ${size(bytes)}, gzip ${size(gzipBytes)}${step('compile', compileMs)}${step('instantiate', instantiateMs)}`;
}

/** A version that is a bare number is one of SQLite. */
const versionText = (version: string): string => (/^\d/.test(version) ? `SQLite ${version}` : version);

function suiteBlock(result: BenchResult, suite: string): string {
  const cells = result.cells.filter((cell) => cell.suite === suite);
  const rows = cells.map((cell) => (cell.status === 'ok' ? numbers(cell) : withoutNumbers(cell)));
  const notes = cells
    .filter(({ why }) => why !== null)
    .map(({ test, size, engine, status, why }) => `  ${test} ${size} ${engine}: ${status}. ${why}`);
  const means = result.geomeans
    .filter((mean) => mean.suite === suite)
    .map((mean) => `  geometric mean of ${mean.cells}, ${mean.engine}: ${ratio(mean.ratio)} (${between(mean)})`);
  return [suite, ...aligned([HEAD, ...rows]), ...means, ...notes].join('\n');
}

function numbers(cell: BenchCell): readonly string[] {
  return [
    cell.test,
    String(cell.size),
    cell.engine,
    time(cell.median, cell),
    time(cell.p95, cell),
    cell.kind === 'latency' ? time(quantile(cell.samples, 0.99), cell) : '',
    cell.ratio === null ? (cell.scope === 'app' ? 'app' : '') : ratio(cell.ratio),
    cell.ratio === null ? '' : between(cell),
    cell.delivered.length === 0 ? '' : time(middle(cell.delivered), cell),
    cell.deliveredRatio === null ? '' : ratio(cell.deliveredRatio),
    time(cell.firstUse, cell),
    String(cell.samples.length),
  ];
}

function withoutNumbers({ test, size, engine, status }: BenchCell): readonly string[] {
  return [test, String(size), engine, status, '', '', '', '', '', '', '', ''];
}

function between(mean: { readonly ratioLow: number | null; readonly ratioHigh: number | null }): string {
  if (mean.ratioLow === null || mean.ratioHigh === null) return '';
  const [low, high] = [mean.ratioLow, mean.ratioHigh];
  return `${ratio(low)}–${ratio(high)}${spansOne({ low, high }) ? ', no difference' : ''}`;
}

const ratio = (value: number): string => value.toFixed(2);

function time(value: number | null, { unit }: Pick<BenchCell, 'unit'>): string {
  if (value === null) return '';
  if (unit === 'bytes') return `${(value / 1e6).toFixed(1)} MB`;
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
  return `${value.toFixed(digits)} ${unit === 'us' ? 'µs' : 'ms'}`;
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

/** Words to the left, numbers to the right. */
function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 || column === 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
      )
      .join('  ')
      .trimEnd(),
  );
}

/** Emptied by main, before each start. */
const DROP_CACHES = '/proc/sys/vm/drop_caches';

/** A log gets one line per test. */
let lastShown = '';

await command(import.meta, async (args) => {
  let options: BenchOptions;
  try {
    options = parseBenchOptions(args);
    if (options.database !== null && !existsSync(from(options.database))) {
      throw new UsageError(`There is no file ${options.database}`);
    }
    if (options.dropsCaches && !isWritable(DROP_CACHES)) {
      throw new UsageError(`--drop-caches needs root on Linux: ${DROP_CACHES} cannot be written here`);
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n\n${USAGE}`);
    return 2;
  }
  const result = await measure(options);
  if (options.json !== null) writeFileSync(from(options.json), `${JSON.stringify(result, null, 1)}\n`);
  console.log(benchTable(result));
  const bad = result.cells.filter(({ status }) => status !== 'ok');
  if (bad.length > 0) console.error(`${bad.length} of ${result.cells.length} cells have no number.`);
  return bad.length > 0 ? 1 : 0;
});

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** npm runs scripts in the repository's folder; a file is meant from where the user stands. */
function from(path: string): string {
  return resolve(process.env['INIT_CWD'] ?? process.cwd(), path);
}

async function measure({ plan, sql, database, dropsCaches }: BenchOptions): Promise<BenchResult> {
  const [runtime, screen] = await Promise.all([
    resolveRuntime(),
    hasScreen() ? null : openVirtualScreen(),
    ensureBundle(),
  ]);
  mkdirSync(DIST, { recursive: true });
  // Use the disk of the sources: a folder for temporary files may be in memory.
  const folder = mkdtempSync(join(DIST, 'bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const resultFile = join(folder, 'result.json');
  const jobFile = join(folder, 'job.json');
  const job = { plan, sql, database: database === null ? null : from(database), dropsCaches, resultFile };
  writeFileSync(jobFile, JSON.stringify(job));
  const args = [ROOT, `--user-data-dir=${join(folder, 'profile')}`, `--bench=${jobFile}`];
  if (process.getuid?.() === 0) args.push('--no-sandbox');
  await runApp(runtime.executable, args, { ...process.env, ...(screen && { DISPLAY: screen.display }) });
  screen?.close();
  if (!existsSync(resultFile)) throw new Error('The app ended before it had measured everything.');
  const text = readFileSync(resultFile, 'utf8');
  const { failure } = JSON.parse(text) as { readonly failure?: string };
  if (failure !== undefined) throw new Error(failure);
  return parseResult(text);
}

async function runApp(executable: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const app = spawn(executable, args, { env, stdio: ['ignore', 'pipe', process.env['DEBUG'] ? 'inherit' : 'ignore'] });
  endTogether(app);
  createInterface({ input: app.stdout! }).on('line', (line) => {
    if (line.startsWith('bench ')) showProgress(JSON.parse(line.slice('bench '.length)) as BenchJobProgress);
  });
  await new Promise<void>((done, fail) => {
    app.once('error', fail);
    app.once('exit', () => done());
  });
  if (process.stderr.isTTY) process.stderr.write('\n');
}

function showProgress({ text, share, secondsLeft }: BenchJobProgress): void {
  const left = secondsLeft === null ? '' : `, about ${Math.ceil(secondsLeft)} s left`;
  const line = `${Math.floor(share * 100)} % · ${text}${left}`;
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${line}`);
  else {
    const [test = ''] = text.split(':', 1);
    if (test !== lastShown) console.error(line);
    lastShown = test;
  }
}

// Parses the options of `npm run bench`, with a sentence for each word that it does not know.
import { parseArgs } from 'node:util';
import { ENGINES, engineNamed, usualEngines } from '#shared/bench/engines.ts';
import { PROFILE_NAMES } from '#shared/bench/profile.ts';
import type { ProfileName } from '#shared/bench/profile.ts';
import type { BenchPlan } from '#shared/bench/shell.ts';
import { SUITES, suiteOf, VECTOR } from '#shared/bench/suites.ts';

export const USAGE = `npm run -s bench -- --suite ID[,ID] [--engine ID[,ID]] [--size N[,N]] [--rounds N]
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

export interface BenchOptions {
  readonly plan: BenchPlan;
  readonly json: string | null;
  readonly sql: string | null;
  readonly database: string | null;
  readonly dropsCaches: boolean;
}

export class UsageError extends Error {}

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

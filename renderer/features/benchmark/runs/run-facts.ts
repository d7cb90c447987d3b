// What is known of runs without showing one: what a list says of each, derived from the result, stored with it as JSON and checked when read; and
// what became faster or slower from one to another, and how certain that is.
import * as v from 'valibot';
import type { BenchCell, BenchResult } from '#shared/bench/result.ts';
import type { BenchPlan } from '#shared/bench/shell.ts';
import { each, eachEntry, flag, forgiving, parsedJson, text } from '#shared/stored.ts';
import { enginesOf } from '../runner/measure-unit.ts';
import { suitesOf, indexOf } from '../results/table-model.ts';
import { plural } from '../../../ui/format.ts';
import { engineLabel, suiteTitle } from '../results/labels.ts';
import { independentRatio, roundMeans } from '#shared/bench/statistics.ts';
import type { Interval } from '#shared/bench/statistics.ts';
import { createRandom } from '#shared/random.ts';

const number = v.fallback(v.number(), 0);

const FACTS = forgiving({
  suites: each(v.string()),
  engines: each(v.string()),
  cells: number,
  /** Cells without a number that should have one. */
  failed: number,
  profile: text,
  seconds: number,
  tests: eachEntry(v.number()),
  quick: flag(false),
  cpu: text,
  appVersion: text,
  startedAt: text,
  unfinished: flag(false),
});

export type RunFacts = Readonly<v.InferOutput<typeof FACTS>>;

export function factsOf({ cells, env, profile }: BenchResult): RunFacts {
  return {
    suites: suitesOf(cells),
    engines: [...new Set(cells.map(({ engine }) => engine as string))],
    cells: cells.length,
    failed: cells.filter(({ status }) => status === 'failed' || status === 'void').length,
    profile: profile.name,
    seconds: env.seconds,
    tests: Object.fromEntries(
      suitesOf(cells).map((suite) => [
        suite,
        new Set(cells.filter((cell) => cell.suite === suite).map(({ test }) => test)).size,
      ]),
    ),
    quick: Math.max(0, ...cells.map(roundCount)) <= QUICK_ROUNDS,
    cpu: env.cpu,
    appVersion: env.appVersion,
    startedAt: env.startedAt,
    unfinished: env.unfinished === true,
  };
}

/** Limit of a quick run. */
const QUICK_ROUNDS = 7;

const roundCount = ({ samples, perRound }: BenchCell): number => samples.length / Math.max(1, perRound);

export const readFacts = (json: string): RunFacts => v.parse(FACTS, parsedJson(json));

/** “speedtest1, Round trips: 4 engines, balanced”. */
export function titleOf(result: BenchResult): string {
  return titleFor(factsOf(result));
}

/** The same, before anything was measured. */
export function titleOfPlan(plan: Pick<BenchPlan, 'suites' | 'engines' | 'profile'>): string {
  return titleFor({ ...plan, engines: enginesOf(plan) });
}

function titleFor({ suites, engines, profile }: Pick<RunFacts, 'suites' | 'engines' | 'profile'>): string {
  const few = (names: readonly string[], most: number): string => {
    const rest = names.length - most;
    return names.slice(0, most).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  };
  const on = engines.length === 1 ? engineLabel(engines[0]!) : plural(engines.length, 'engine');
  return `${few(suites.map(suiteTitle), 2)}: ${on}, ${profile}`;
}

export type Verdict = 'improved' | 'same' | 'regressed' | 'not-comparable';

export interface ComparedCell {
  readonly key: string;
  readonly before: BenchCell | null;
  readonly now: BenchCell | null;
  /** Time now over time before; null if it cannot be determined. */
  readonly change: Interval | null;
  readonly verdict: Verdict;
  readonly why: string | null;
}

interface Comparison {
  readonly cells: readonly ComparedCell[];
  readonly counts: Readonly<Record<Verdict, number>>;
  /** Conditions that differ between the runs, so that a change may not be due to the engine. */
  readonly differences: readonly string[];
}

/**
 * A change counts when it is at least `threshold` (0.1: 10 %) and its interval does not span 1.
 * The two runs are resampled separately for each cell: their rounds are independent.
 */
export function compareRuns(before: BenchResult, now: BenchResult, threshold: number): Comparison {
  const [old, fresh] = [indexOf(before), indexOf(now)];
  const keys = [...new Set([...fresh.keys(), ...old.keys()])];
  const cells = keys.map((key) => compareCells(key, old.get(key) ?? null, fresh.get(key) ?? null, threshold));
  const counts = { improved: 0, same: 0, regressed: 0, 'not-comparable': 0 };
  for (const { verdict } of cells) counts[verdict]++;
  return { cells: cells.sort(byChange), counts, differences: differencesOf(before, now) };
}

function compareCells(key: string, before: BenchCell | null, now: BenchCell | null, threshold: number): ComparedCell {
  const why = obstacle(before, now);
  const change = why === null ? changeOf(key, before!, now!) : null;
  return { key, before, now, change, verdict: change ? verdictOf(change, threshold) : 'not-comparable', why };
}

export function verdictOf({ value, low, high }: Interval, threshold: number): Verdict {
  if (low > 1 && value >= 1 + threshold) return 'regressed';
  return high < 1 && value <= 1 / (1 + threshold) ? 'improved' : 'same';
}

function obstacle(before: BenchCell | null, now: BenchCell | null): string | null {
  if (!before) return 'Only in this run.';
  if (!now) return 'Only in the earlier run.';
  if (before.status !== 'ok') return `Before: ${before.why ?? before.status}`;
  if (now.status !== 'ok') return `Now: ${now.why ?? now.status}`;
  if (before.samples.length === 0 || now.samples.length === 0) return 'One of them has no samples.';
  if (before.unit !== now.unit) return 'They are measured in different units.';
  if (before.rows !== now.rows) return `They worked on ${before.rows ?? 'unknown'} and ${now.rows ?? 'unknown'} rows.`;
  return null;
}

const drawn = new WeakMap<BenchCell, WeakMap<BenchCell, Interval | null>>();

/** Cached, so that moving the threshold does not resample. */
function changeOf(key: string, before: BenchCell, now: BenchCell): Interval | null {
  const known = drawn.get(before)?.get(now);
  if (known !== undefined) return known;
  const rounds = (cell: BenchCell): readonly number[] => roundMeans(cell.samples, cell.perRound);
  const change = independentRatio({ ours: rounds(now), theirs: rounds(before) }, createRandom(key.length));
  const finite = change && Number.isFinite(change.value) ? change : null;
  const own = drawn.get(before) ?? new WeakMap<BenchCell, Interval | null>();
  drawn.set(before, own.set(now, finite));
  return finite;
}

/** Sorts slower cells first, then faster ones, each by the size of the change; cells that cannot be compared come last. */
function byChange(a: ComparedCell, b: ComparedCell): number {
  const rank: Readonly<Record<Verdict, number>> = { regressed: 0, improved: 1, same: 2, 'not-comparable': 3 };
  const size = ({ change }: ComparedCell): number => (change ? Math.abs(Math.log(change.value)) : 0);
  return rank[a.verdict] - rank[b.verdict] || size(b) - size(a) || (a.key < b.key ? -1 : 1);
}

function differencesOf(before: BenchResult, now: BenchResult): readonly string[] {
  const facts: readonly (readonly [string, (result: BenchResult) => unknown])[] = [
    ['Processor', ({ env }) => env.cpu],
    ['Cores', ({ env }) => env.cores],
    ['System', ({ env }) => env.os],
    ['Disk', ({ env }) => env.disk],
    ['Power', ({ env }) => (env.onBattery ? 'battery' : 'mains')],
    ['Chromium', ({ env }) => env.chromium],
    ['Node', ({ env }) => env.node],
    ['Sidelite', ({ env }) => env.appVersion],
    ['Commit', ({ env }) => env.commit],
    ['Profile', ({ profile }) => profile.name],
    ['Seed', ({ env }) => env.seed],
  ];
  const changed = facts.filter(([, read]) => read(before) !== read(now));
  const versions = now.env.engines.flatMap(({ engine, version }) => {
    const old = before.env.engines.find((other) => other.engine === engine);
    return old && old.version !== version ? [`${engine}: ${old.version} before, ${version} now`] : [];
  });
  return [
    ...changed.map(
      ([name, read]) => `${name}: ${String(read(before) ?? 'unknown')} before, ${String(read(now) ?? 'unknown')} now`,
    ),
    ...versions,
  ];
}

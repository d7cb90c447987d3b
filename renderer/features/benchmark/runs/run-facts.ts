// What a list shows of a run without reading its result: derived from the result, stored with it as JSON, checked when read.
import * as v from 'valibot';
import type { BenchCell, BenchResult } from '#shared/bench/result.ts';
import type { BenchPlan } from '#shared/bench/shell.ts';
import { each, eachEntry, flag, forgiving, text } from '#shared/stored.ts';
import { enginesOf } from '../runner/units.ts';
import { suitesOf } from '../results/table-model.ts';
import { plural } from '../../../ui/format.ts';
import { engineLabel, suiteTitle } from '../results/labels.ts';

const number = v.fallback(v.number(), 0);

const FACTS = forgiving({
  suites: each(v.string()),
  engines: each(v.string()),
  cells: number,
  /** Cells without a number that should have one. */
  failed: number,
  profile: text,
  seconds: number,
  /** How many tests each suite has. */
  tests: eachEntry(v.number()),
  /** Few rounds. */
  quick: flag(false),
  cpu: text,
  appVersion: text,
  startedAt: text,
  /** The run did not finish. */
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

export const readFacts = (json: string): RunFacts => v.parse(FACTS, parsed(json));

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

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

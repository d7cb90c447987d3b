// What a list shows of a run without reading it: kept beside it as JSON, made anew from a result, read back with care.
import type { BenchCell, BenchResult } from '#shared/bench/result.ts';
import type { BenchPlan } from '#shared/bench/shell.ts';
import { enginesOf } from '../runner/units.ts';
import { suitesOf } from '../results/table-model.ts';
import { plural } from '../../../ui/format.ts';
import { engineLabel, suiteTitle } from '../results/words.ts';

export interface RunFacts {
  readonly suites: readonly string[];
  readonly engines: readonly string[];
  readonly cells: number;
  /** Cells without a number that should have one. */
  readonly failed: number;
  readonly profile: string;
  readonly seconds: number;
  /** How many tests each suite has. */
  readonly tests: Readonly<Record<string, number>>;
  /** Few rounds. */
  readonly quick: boolean;
  readonly cpu: string;
  readonly appVersion: string;
  readonly startedAt: string;
  /** It never came to its end. */
  readonly unfinished: boolean;
}

const NOTHING: RunFacts = {
  suites: [],
  engines: [],
  cells: 0,
  failed: 0,
  profile: '',
  seconds: 0,
  tests: {},
  quick: false,
  cpu: '',
  appVersion: '',
  startedAt: '',
  unfinished: false,
};

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

/** A quick run takes no more. */
const QUICK_ROUNDS = 7;

const roundCount = ({ samples, perRound }: BenchCell): number => samples.length / Math.max(1, perRound);

export function readFacts(json: string): RunFacts {
  let stored: unknown;
  try {
    stored = JSON.parse(json);
  } catch {
    return NOTHING;
  }
  if (typeof stored !== 'object' || stored === null) return NOTHING;
  const own = stored as Readonly<Record<string, unknown>>;
  const text = (name: string): string => (typeof own[name] === 'string' ? own[name] : '');
  const count = (name: string): number => (typeof own[name] === 'number' ? own[name] : 0);
  const words = (name: string): string[] =>
    Array.isArray(own[name]) ? own[name].filter((word) => typeof word === 'string') : [];
  return {
    suites: words('suites'),
    engines: words('engines'),
    cells: count('cells'),
    failed: count('failed'),
    profile: text('profile'),
    seconds: count('seconds'),
    tests: numbersOf(own['tests']),
    quick: own['quick'] === true,
    cpu: text('cpu'),
    appVersion: text('appVersion'),
    startedAt: text('startedAt'),
    unfinished: own['unfinished'] === true,
  };
}

function numbersOf(value: unknown): Readonly<Record<string, number>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter(([, count]) => typeof count === 'number')) as Record<
    string,
    number
  >;
}

/** “speedtest1, Round trips: 4 engines, balanced”. */
export function titleOf(result: BenchResult): string {
  return titleFor(factsOf(result));
}

/** The same before anything was measured. */
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

// What a list shows of a run without reading it: kept beside it as JSON, made anew from a result, read back with care.
import type { BenchResult } from '#shared/bench/result.ts';
import { suitesOf } from '../results/table-model.ts';
import { engineLabel, suiteTitle } from '../results/words.ts';

export interface RunFacts {
  readonly suites: readonly string[];
  readonly engines: readonly string[];
  readonly cells: number;
  /** Cells without a number that should have one. */
  readonly failed: number;
  readonly profile: string;
  readonly cpu: string;
  readonly appVersion: string;
  readonly startedAt: string;
}

const NOTHING: RunFacts = {
  suites: [],
  engines: [],
  cells: 0,
  failed: 0,
  profile: '',
  cpu: '',
  appVersion: '',
  startedAt: '',
};

export function factsOf({ cells, env, profile }: BenchResult): RunFacts {
  return {
    suites: suitesOf(cells),
    engines: [...new Set(cells.map(({ engine }) => engine as string))],
    cells: cells.length,
    failed: cells.filter(({ status }) => status === 'failed' || status === 'void').length,
    profile: profile.name,
    cpu: env.cpu,
    appVersion: env.appVersion,
    startedAt: env.startedAt,
  };
}

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
    cpu: text('cpu'),
    appVersion: text('appVersion'),
    startedAt: text('startedAt'),
  };
}

/** “speedtest1, Round trips: Sidelite and 3 more”. */
export function titleOf(result: BenchResult): string {
  const { suites, engines } = factsOf(result);
  const few = (names: readonly string[], most: number): string => {
    const rest = names.length - most;
    return names.slice(0, most).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  };
  return `${few(suites.map(suiteTitle), 2)}: ${few(engines.map(engineLabel), 2)}`;
}

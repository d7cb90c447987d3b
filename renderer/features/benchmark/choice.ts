// What a person has chosen in the benchmark: kept with the tab, so that it comes back with the session.
import { useCallback } from 'react';
import { ENGINES, usualEngines } from '#shared/bench/engines.ts';
import type { EngineId } from '#shared/bench/engines.ts';
import { PROFILE_NAMES } from '#shared/bench/profile.ts';
import type { ProfileName } from '#shared/bench/profile.ts';
import { SUITES } from '#shared/bench/suites.ts';
import type { SuiteId } from '#shared/bench/suites.ts';
import type { BenchmarkTab } from '../../state/slices/tabs.ts';
import { updateTab, useStore } from '../../state/store.ts';
import { TIMINGS } from './results/timing.ts';
import type { Timing } from './results/timing.ts';

const SCREENS = ['setup', 'result', 'runs'] as const;
const VIEWS = ['table', 'plots', 'scaling', 'environment'] as const;
const PUBLISHED = ['none', 'best', 'all'] as const;

export type ResultView = (typeof VIEWS)[number];

export interface BenchChoice {
  readonly screen: (typeof SCREENS)[number];
  /** The kept run that is looked at; null: the one that is being measured. */
  readonly run: string | null;
  /** The kept run it is compared with. */
  readonly against: string | null;
  /** 0.1: changes below 10 % count as none. */
  readonly threshold: number;
  readonly view: ResultView;
  readonly timing: Timing;
  /** Only this suite; null: all. */
  readonly suite: string | null;
  readonly published: (typeof PUBLISHED)[number];
  readonly setup: BenchSetup;
}

export interface BenchSetup {
  readonly suites: readonly SuiteId[];
  readonly engines: readonly EngineId[];
  /** By suite; those that are usual where a suite is missing. */
  readonly sizes: Readonly<Partial<Record<SuiteId, readonly number[]>>>;
  readonly profile: ProfileName;
  /** Null: as many as the length of a test asks for. */
  readonly rounds: number | null;
  /** One size, few rounds. */
  readonly quick: boolean;
  /** For one's own query. */
  readonly sql: string;
}

export const FIRST_CHOICE: BenchChoice = {
  screen: 'setup',
  run: null,
  against: null,
  threshold: 0.1,
  view: 'table',
  timing: 'engine',
  suite: null,
  published: 'best',
  setup: {
    suites: ['wasm-run'],
    engines: usualEngines('balanced').map(({ id }) => id),
    sizes: {},
    profile: 'balanced',
    rounds: null,
    quick: true,
    sql: '',
  },
};

export const MOST_ROUNDS = 1_000;

/** Whatever was stored, by whichever version, becomes a choice that can be made now. */
export function readChoice(stored: unknown): BenchChoice {
  const own = asRecord(stored);
  const first = FIRST_CHOICE;
  const threshold = own['threshold'];
  return {
    screen: oneOf(SCREENS, own['screen'], first.screen),
    run: asText(own['run']),
    against: asText(own['against']),
    threshold: typeof threshold === 'number' && threshold >= 0 && threshold <= 1 ? threshold : first.threshold,
    view: oneOf(VIEWS, own['view'], first.view),
    timing: oneOf(
      TIMINGS.map(({ id }) => id),
      own['timing'],
      first.timing,
    ),
    suite: asText(own['suite']),
    published: oneOf(PUBLISHED, own['published'], first.published),
    setup: readSetup(own['setup']),
  };
}

function readSetup(stored: unknown): BenchSetup {
  if (stored === undefined || stored === null) return FIRST_CHOICE.setup;
  const own = asRecord(stored);
  const words = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
  const sizes = asRecord(own['sizes']);
  const rounds = own['rounds'];
  return {
    suites: SUITES.map(({ id }) => id).filter((id) => words(own['suites']).includes(id)),
    engines: ENGINES.map(({ id }) => id).filter((id) => words(own['engines']).includes(id)),
    sizes: Object.fromEntries(
      SUITES.flatMap(({ id, sizes: all }) => {
        const chosen = all.filter((size) => words(sizes[id]).includes(size));
        return Array.isArray(sizes[id]) ? [[id, chosen]] : [];
      }),
    ),
    profile: oneOf(PROFILE_NAMES, own['profile'], FIRST_CHOICE.setup.profile),
    rounds: typeof rounds === 'number' && rounds >= 1 && rounds <= MOST_ROUNDS ? Math.floor(rounds) : null,
    quick: own['quick'] !== false,
    sql: asText(own['sql']) ?? '',
  };
}

export type Choose = (patch: Partial<BenchChoice>) => void;

/** Reads the newest choice when it is called, so that two changes in a row both count. */
export function useChoose(tab: BenchmarkTab): Choose {
  return useCallback(
    (patch) => {
      const now = useStore.getState().tabs.find(({ id }) => id === tab.id);
      if (now?.kind === 'benchmark') updateTab(tab.id, { choice: { ...readChoice(now.choice), ...patch } });
    },
    [tab.id],
  );
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function oneOf<T>(words: readonly T[], value: unknown, fallback: T): T {
  return words.find((word) => word === value) ?? fallback;
}

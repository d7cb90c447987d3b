// The user's choices in the benchmark, stored with the tab so that they are restored with the session.
import { useCallback } from 'react';
import * as v from 'valibot';
import { ENGINES, usualEngines } from '#shared/bench/engines.ts';
import type { EngineId } from '#shared/bench/engines.ts';
import { PROFILE_NAMES } from '#shared/bench/profile.ts';
import type { ProfileName } from '#shared/bench/profile.ts';
import { SUITES } from '#shared/bench/suites.ts';
import type { SuiteId } from '#shared/bench/suites.ts';
import { isBenchmarkTab } from '../../workbench/tabs/benchmark.ts';
import type { BenchmarkTab } from '../../workbench/tabs/benchmark.ts';
import { each, eachEntry, flag, forgiving, oneOf, text, textOrNull } from '#shared/stored.ts';
import { updateTab, useStore } from '../../state/store.ts';
import { TIMINGS } from './results/labels.ts';
import type { Timing } from './results/labels.ts';

const SCREENS = ['setup', 'result', 'runs'] as const;
const VIEWS = ['table', 'plots', 'scaling', 'environment'] as const;
const PUBLISHED = ['none', 'best', 'all'] as const;

export type ResultView = (typeof VIEWS)[number];

export interface BenchChoice {
  readonly screen: (typeof SCREENS)[number];
  /** The saved run being viewed; null: the one that is being measured. */
  readonly run: string | null;
  /** The saved run it is compared with. */
  readonly against: string | null;
  /** 0.1: changes below 10 % are ignored. */
  readonly threshold: number;
  readonly view: ResultView;
  readonly timing: Timing;
  /** Show only this suite; null: all. */
  readonly suite: string | null;
  readonly published: (typeof PUBLISHED)[number];
  readonly setup: BenchSetup;
}

export interface BenchSetup {
  readonly suites: readonly SuiteId[];
  readonly engines: readonly EngineId[];
  /** Sizes by suite; a suite that is missing uses its usual sizes. */
  readonly sizes: Readonly<Partial<Record<SuiteId, readonly number[]>>>;
  readonly profile: ProfileName;
  /** Null: as many as the length of a test requires. */
  readonly rounds: number | null;
  /** Measures one size, with few rounds. */
  readonly quick: boolean;
  /** The user's own query. */
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

/** Turns stored choices, from whatever version, into choices that are possible now. */
export const readChoice = (stored: unknown): BenchChoice => v.parse(CHOICE, stored);

const chosen = each(v.unknown());

const SETUP = v.pipe(
  forgiving({
    suites: chosen,
    engines: chosen,
    sizes: eachEntry(v.array(v.unknown())),
    profile: oneOf(PROFILE_NAMES, FIRST_CHOICE.setup.profile),
    rounds: v.fallback(
      v.nullable(v.pipe(v.number(), v.minValue(1), v.maxValue(MOST_ROUNDS), v.transform(Math.floor))),
      null,
    ),
    quick: flag(true),
    sql: text,
  }),
  // Keeps only suites and engines that still exist, in display order.
  v.transform(({ suites, engines, sizes, ...rest }): BenchSetup => ({
    ...rest,
    suites: SUITES.map(({ id }) => id).filter((id) => suites.includes(id)),
    engines: ENGINES.map(({ id }) => id).filter((id) => engines.includes(id)),
    sizes: Object.fromEntries(
      SUITES.flatMap(({ id, sizes: all }) => {
        const own = sizes[id];
        return own ? [[id, all.filter((size) => own.includes(size))]] : [];
      }),
    ),
  })),
);

const CHOICE = forgiving({
  screen: oneOf(SCREENS, FIRST_CHOICE.screen),
  run: textOrNull,
  against: textOrNull,
  threshold: v.fallback(v.pipe(v.number(), v.minValue(0), v.maxValue(1)), FIRST_CHOICE.threshold),
  view: oneOf(VIEWS, FIRST_CHOICE.view),
  timing: oneOf(
    TIMINGS.map(({ id }) => id),
    FIRST_CHOICE.timing,
  ),
  suite: textOrNull,
  published: oneOf(PUBLISHED, FIRST_CHOICE.published),
  setup: v.nullish(SETUP, () => FIRST_CHOICE.setup),
});

export type Choose = (patch: Partial<BenchChoice>) => void;

export interface ScreenProps {
  readonly choice: BenchChoice;
  readonly choose: Choose;
}

/** Reads the newest choice when called, so that two changes in a row both count. */
export function useChoose(tab: BenchmarkTab): Choose {
  return useCallback(
    (patch) => {
      const now = useStore.getState().tabs.find(({ id }) => id === tab.id);
      if (isBenchmarkTab(now)) updateTab<BenchmarkTab>(tab.id, { choice: { ...readChoice(now.choice), ...patch } });
    },
    [tab.id],
  );
}

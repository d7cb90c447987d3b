// The user's choices in the benchmark, stored with the tab so that they are restored with the session.
import { useCallback } from 'react';
import * as v from 'valibot';
import { ENGINES, usualEngines } from '#shared/bench/engines.ts';
import type { EngineId } from '#shared/bench/engines.ts';
import { PROFILE_NAMES } from '#shared/bench/profile.ts';
import { SUITES } from '#shared/bench/suites.ts';
import type { SuiteId } from '#shared/bench/suites.ts';
import { isBenchmarkTab } from '../../workbench/tabs/benchmark.ts';
import type { BenchmarkTab } from '../../workbench/tabs/benchmark.ts';
import { each, eachEntry, flag, forgiving, oneOf, text, textOrNull } from '#shared/stored.ts';
import { updateTab, useStore } from '../../state/store.ts';
import { TIMINGS } from './results/labels.ts';

const SCREENS = ['setup', 'result', 'runs'] as const;
const VIEWS = ['table', 'plots', 'scaling', 'environment'] as const;
const PUBLISHED = ['none', 'best', 'all'] as const;

export type ResultView = (typeof VIEWS)[number];

export const MOST_ROUNDS = 1_000;

const chosen = each(v.unknown());

const SETUP = v.pipe(
  forgiving({
    suites: chosen,
    engines: chosen,
    sizes: eachEntry(v.array(v.unknown())),
    profile: oneOf(PROFILE_NAMES, 'balanced'),
    /** Null: as many as the length of a test requires. */
    rounds: v.fallback(
      v.nullable(v.pipe(v.number(), v.minValue(1), v.maxValue(MOST_ROUNDS), v.transform(Math.floor))),
      null,
    ),
    /** Measures one size, with few rounds. */
    quick: flag(true),
    sql: text,
  }),
  // Keeps only suites and engines that still exist, in display order.
  v.transform(({ suites, engines, sizes, ...rest }) => ({
    ...rest,
    suites: SUITES.map(({ id }) => id).filter((id) => suites.includes(id)) as readonly SuiteId[],
    engines: ENGINES.map(({ id }) => id).filter((id) => engines.includes(id)) as readonly EngineId[],
    /** A suite that is missing uses its usual sizes. */
    sizes: Object.fromEntries(
      SUITES.flatMap(({ id, sizes: all }) => {
        const own = sizes[id];
        return own ? [[id, all.filter((size) => own.includes(size))]] : [];
      }),
    ) as Readonly<Partial<Record<SuiteId, readonly number[]>>>,
  })),
);

export type BenchSetup = Readonly<v.InferOutput<typeof SETUP>>;

const FIRST_SETUP: BenchSetup = {
  ...v.parse(SETUP, {}),
  suites: ['wasm-run'],
  engines: usualEngines('balanced').map(({ id }) => id),
};

const CHOICE = forgiving({
  screen: oneOf(SCREENS, 'setup'),
  /** The saved run being viewed; null: the one that is being measured. */
  run: textOrNull,
  /** The saved run it is compared with. */
  against: textOrNull,
  /** 0.1: changes below 10 % are ignored. */
  threshold: v.fallback(v.pipe(v.number(), v.minValue(0), v.maxValue(1)), 0.1),
  view: oneOf(VIEWS, 'table'),
  timing: oneOf(
    TIMINGS.map(({ id }) => id),
    'engine',
  ),
  /** Show only this suite; null: all. */
  suite: textOrNull,
  published: oneOf(PUBLISHED, 'best'),
  setup: v.nullish(SETUP, () => FIRST_SETUP),
});

export type BenchChoice = Readonly<v.InferOutput<typeof CHOICE>>;

/** Turns stored choices, from whatever version, into choices that are possible now. */
export const readChoice = (stored: unknown): BenchChoice => v.parse(CHOICE, stored);

export const FIRST_CHOICE = readChoice({});

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

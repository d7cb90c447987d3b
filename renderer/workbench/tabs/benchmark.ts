// The kind of tab that measures engines. It belongs to the window, which has one at most.
import { Gauge } from 'lucide-react';
import * as v from 'valibot';
import type { Tab } from '../../state/slices/tabs.ts';
import { openSingleTab } from '../../state/store.ts';
import type { TabDescription } from '../../state/tab-kinds.ts';

/** The choices for the next run, and which result is shown. */
export interface BenchmarkTab extends Tab {
  readonly kind: 'benchmark';
  readonly database: null;
  /** Validated carefully where it is used (choice.ts): it outlives changes to the possible choices. */
  readonly choice: unknown;
}

export const BENCHMARK_TAB: TabDescription<BenchmarkTab> = {
  kind: 'benchmark',
  belongsTo: 'window',
  icon: Gauge,
  hasDetails: false,
  title: () => 'Benchmark',
  isSame: () => true,
  fields: v.object({ choice: v.nullish(v.unknown(), null) }),
};

export const isBenchmarkTab = (tab: Tab | null | undefined): tab is BenchmarkTab => tab?.kind === 'benchmark';

/** Brings the benchmark to the front. Returns the tab's id. */
export const openBenchmark = (): string =>
  openSingleTab<BenchmarkTab>({ kind: 'benchmark', database: null, choice: null });

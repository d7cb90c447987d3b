// The last line of the live counters.
import type { LiveCounters } from '#shared/protocol/index.ts';

export type Figures = Omit<LiveCounters, 'reader' | 'windowId' | 'title' | 'state'>;

/** Sums, except for latencies: a sum of them means nothing, so the worst is shown. */
export function totalOf(counters: readonly Figures[]): Figures {
  const sum = (pick: (each: Figures) => number): number => counters.reduce((total, each) => total + pick(each), 0);
  const worst = (pick: (each: Figures) => number): number => Math.max(0, ...counters.map(pick));
  return {
    runs: sum(({ runs }) => runs),
    skips: sum(({ skips }) => skips),
    unchanged: sum(({ unchanged }) => unchanged),
    patches: sum(({ patches }) => patches),
    bytes: sum(({ bytes }) => bytes),
    latencyP50Ms: worst(({ latencyP50Ms }) => latencyP50Ms),
    latencyP95Ms: worst(({ latencyP95Ms }) => latencyP95Ms),
  };
}

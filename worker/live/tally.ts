// Counts what it costs to keep one reader up to date. Counting takes a few additions; sums are computed only on request.
import type { LiveCounters } from '#shared/protocol/live.ts';

const KEPT_LATENCIES = 100;

export class Tally {
  runs = 0;
  skips = 0;
  unchanged = 0;
  #patches = 0;
  #bytes = 0;
  readonly #latencies: number[] = [];

  notePatch(bytes: number, latencyMs: number): void {
    this.#latencies[this.#patches % KEPT_LATENCIES] = latencyMs;
    this.#patches++;
    this.#bytes += bytes;
  }

  get counters(): Omit<LiveCounters, 'reader' | 'windowId' | 'title' | 'state'> {
    const sorted = [...this.#latencies].sort((a, b) => a - b);
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return {
      runs: this.runs,
      skips: this.skips,
      unchanged: this.unchanged,
      patches: this.#patches,
      bytes: this.#bytes,
      latencyP50Ms: at(0.5),
      latencyP95Ms: at(0.95),
    };
  }
}

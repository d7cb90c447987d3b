import type { EngineId } from '#shared/bench/engines.ts';
import type { BenchCell, BenchResult } from '#shared/bench/result.ts';
import type { SuiteId } from '#shared/bench/suites.ts';
export interface MadeTest {
  readonly suite: SuiteId;
  readonly test: string;
  readonly size: number;
  /** Median in ms by engine. */
  readonly times: Readonly<Partial<Record<EngineId, number>>>;
  readonly kind?: BenchCell['kind'];
}
export declare function madeResult(tests: readonly MadeTest[], seed?: number): BenchResult;
export declare function madeCell(own: Partial<BenchCell>): BenchCell;

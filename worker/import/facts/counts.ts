// What is counted of a column, some of which only its type and the reason for it depend on.
import type { ColumnFacts } from '#shared/protocol/import.ts';

/** The counts that people see. */
export type ShownCounts = Omit<ColumnFacts, 'name' | 'longest' | 'suggested' | 'content' | 'reason' | 'readings'>;

export interface Counts extends ShownCounts {
  readonly records: number;
  /** Those of the reals that are like `1.0`. */
  readonly wholeReals: number;
  /** Those of the inexact reals that have more digits than a double has. */
  readonly longReals: number;
  /** Those of the inexact reals that are like `2E10`. */
  readonly wholeExponents: number;
  /** Those of all reals that are like `1.234`, which can also be 1234. */
  readonly threeDecimals: number;
  /** Those of the numbers with thousands separators that have decimals. */
  readonly groupedReals: number;
  /** Those of the numbers with thousands separators that are like `1,234`, in which the comma may be a decimal one. */
  readonly oneGroups: number;
  /** Those of all numbers that the format says are text. */
  readonly numbersInText: number;
  /** Those of the booleans that belong to the format itself and are not words. */
  readonly trueFalse: number;
}

export const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

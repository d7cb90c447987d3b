// The counts of a column. People see some of them; only the suggested type and its reason depend on the others.
import type { ColumnFacts } from '#shared/protocol/import.ts';

/** The counts that people see. */
export type ShownCounts = Omit<ColumnFacts, 'name' | 'longest' | 'suggested' | 'content' | 'reason' | 'readings'>;

export interface Counts extends ShownCounts {
  readonly records: number;
  /** Reals such as `1.0`. */
  readonly wholeReals: number;
  /** Inexact reals with more digits than a double has. */
  readonly longReals: number;
  /** Inexact reals such as `2E10`. */
  readonly wholeExponents: number;
  /** Reals such as `1.234`, which can also be 1234. */
  readonly threeDecimals: number;
  /** Numbers with thousands separators and decimals. */
  readonly groupedReals: number;
  /** Numbers such as `1,234`, whose thousands separator may be a decimal comma. */
  readonly oneGroups: number;
  /** Numbers that are text in the file's format. */
  readonly numbersInText: number;
  /** Booleans of the format itself, not words such as “yes”. */
  readonly trueFalse: number;
}

export const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

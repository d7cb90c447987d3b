// Common to all tests of the window: each measures how long its content takes to appear, on databases that it leaves unchanged.
import type { TestFacts } from '#shared/bench/protocol.ts';

/** A test of the window. `own` overrides the defaults. */
export const appTest = <Id extends string>(
  id: Id,
  title: string,
  transaction: string,
  own: Partial<TestFacts> = {},
): TestFacts & { readonly id: Id } => ({
  title,
  kind: 'latency',
  unit: 'ms',
  transaction,
  database: 'kept',
  sequence: null,
  sizes: null,
  pragmas: {},
  measures: 'delivery',
  unavailable: null,
  ...own,
  id,
});

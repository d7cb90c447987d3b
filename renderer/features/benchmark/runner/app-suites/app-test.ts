// What all tests of the window have in common: each measures how long what it shows takes to be there, on databases it leaves as they are.
import type { TestFacts } from '#shared/bench/protocol.ts';

/** A test of the window. `own` is in what it differs from the others. */
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

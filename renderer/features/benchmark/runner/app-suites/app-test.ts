// What all tests of the window have in common: each measures how long what it shows takes to be there, on databases it leaves as they are.
import type { TestFacts } from '#shared/bench/protocol.ts';

export const APP_TEST = {
  database: 'kept',
  sequence: null,
  sizes: null,
  pragmas: {},
  measures: 'delivery',
  unavailable: null,
} as const satisfies Partial<TestFacts>;

// Judges tests that failed: one that passes each time when it is repeated alone is intermittent. It is reported and its evidence kept, so that
// somebody finds its cause, but the run has not failed because of it.
import { nameOf, type Counts, type FailedTest, type Outcome } from './counts.ts';

/** How often a test is repeated on a quiet machine, and how often on a busy one. */
export const TIMES = 5;
/** More failures than these have one cause, which is no accident. */
const MOST = 2;

export type Load = 'quiet' | 'busy';
const LOADS: readonly Load[] = ['quiet', 'busy'];

/** Runs the test alone up to {@link TIMES} times, until it fails. Returns how often it passed. */
export type Repeat = (test: FailedTest, load: Load) => Promise<number>;

export interface Verdict extends Counts {
  readonly intermittent: readonly FailedTest[];
  /** A line for each test that failed again, or the reason why none was repeated. */
  readonly why: readonly string[];
}

export async function judge({ passed, failed, failedTests }: Outcome, repeat: Repeat): Promise<Verdict> {
  const asItIs = { passed, failed, intermittent: [] };
  if (failedTests.length === 0) return { ...asItIs, why: [] };
  const others = failed - failedTests.length;
  if (others > 0) return { ...asItIs, why: ['Not repeated: more than single tests failed'] };
  if (failed > MOST) return { ...asItIs, why: [`Not repeated: more than ${MOST} tests failed`] };
  const why: string[] = [];
  for (const load of LOADS)
    for (const test of failedTests) {
      if (why.length > 0) break;
      const times = await repeat(test, load).catch((error: unknown) => String(error));
      if (times !== TIMES) why.push(`Failed again (${load}, after ${times} of ${TIMES}): ${nameOf(test)}`);
    }
  if (why.length > 0) return { ...asItIs, why };
  return { passed: passed + failed, failed: 0, intermittent: failedTests, why };
}

export function intermittentLine(test: FailedTest): string {
  const times = LOADS.length * TIMES;
  return `Intermittent (${times} of ${times} when repeated): ${nameOf(test)}`;
}

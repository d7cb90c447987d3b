// Makes the thread that calls it lose time between any two of its steps on shared memory, as a busy machine would: for tests over real
// threads. The code under test stays as it is, because what is replaced is the thread's own `Atomics`.
import { createRandom } from '#shared/random.ts';

const STEPS = ['load', 'store', 'add', 'exchange', 'notify', 'wait'] as const;
/** Most steps follow at once, some after the time in which the other thread takes several. */
const SHARE_DELAYED = 0.1;
const LONGEST_MS = 1.5;

/** Returns a function that does the same between steps that do not use `Atomics`. */
export function loseTime(seed: number): () => void {
  const random = createRandom(seed);
  const nobodyWakes = new Int32Array(new SharedArrayBuffer(4));
  const { wait } = Atomics;
  const pause = (): void => {
    if (random.chance(SHARE_DELAYED)) wait(nobodyWakes, 0, 0, random.next() * LONGEST_MS);
  };
  for (const name of STEPS) {
    const step = Atomics[name] as (...args: unknown[]) => unknown;
    Object.assign(Atomics, {
      [name]: (...args: unknown[]) => {
        pause();
        const result = step(...args);
        pause();
        return result;
      },
    });
  }
  return pause;
}

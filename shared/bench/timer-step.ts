// The smallest step of this thread's clock: anything close to it cannot be measured directly.

declare const performance: { now(): number };

const LOOKS = 20;

export function timerStepMs(): number {
  let step = Infinity;
  for (let look = 0; look < LOOKS; look++) {
    const from = performance.now();
    let to = performance.now();
    while (to === from) to = performance.now();
    step = Math.min(step, to - from);
  }
  return step;
}

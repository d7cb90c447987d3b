// The smallest step of this thread's clock: what is shorter than some of them cannot be measured by itself.

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

// One clock for two windows.

const LOOKS = 15;

/** In milliseconds since 1970, in small steps. Those of two windows agree but for what {@link aheadOf} tells. */
export const clockNow = (): number => performance.timeOrigin + performance.now();

/** How far another clock is ahead of this one: by the answer that came quickest, which is half a way old. */
export async function aheadOf(ask: () => Promise<{ readonly atMs: number }>, now = clockNow): Promise<number> {
  let quickest = Infinity;
  let aheadMs = 0;
  for (let look = 0; look < LOOKS; look++) {
    const asked = now();
    const { atMs } = await ask();
    const answered = now();
    if (answered - asked >= quickest) continue;
    quickest = answered - asked;
    aheadMs = atMs - (asked + answered) / 2;
  }
  return aheadMs;
}

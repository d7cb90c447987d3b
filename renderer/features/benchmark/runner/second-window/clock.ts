// One clock for two windows.

const LOOKS = 15;

/** Milliseconds since 1970, in small steps. The clocks of two windows differ only by what {@link aheadOf} returns. */
export const clockNow = (): number => performance.timeOrigin + performance.now();

/** How far another clock is ahead of this one, judged by the quickest answer, which is assumed to be half a round trip old. */
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

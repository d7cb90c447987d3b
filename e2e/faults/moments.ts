// How often the app is killed, and when: the same moments for the same seed.
const SEED = Number(process.env['SIDELITE_SEED'] ?? 1);
const LONGEST_LIFE_MS = 1_500;

export const killCount = Number(process.env['SIDELITE_KILLS'] ?? 30);
/** No round may take longer, whatever else the machine does. */
export const ROUND_MS = 60_000;

/** Milliseconds until the next kill. A linear congruential generator is random enough for moments. */
export function randomMoments(): () => number {
  let state = SEED >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * LONGEST_LIFE_MS);
  };
}

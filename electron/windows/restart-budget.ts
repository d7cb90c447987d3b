// How often a crashed process is restarted before the user is asked.

const MAX_RESTARTS = 3;
const WITHIN_MS = 60_000;

/** Returns a function that tells whether one more restart is allowed at time `nowMs`. */
export function createRestartBudget(): (nowMs: number) => boolean {
  let restarts: number[] = [];
  return (nowMs) => {
    restarts = restarts.filter((at) => nowMs - at < WITHIN_MS);
    if (restarts.length >= MAX_RESTARTS) return false;
    restarts.push(nowMs);
    return true;
  };
}

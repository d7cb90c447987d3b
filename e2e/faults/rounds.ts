// Determines which kills this run does, at which moments, and where it notes how each ended: the same moments for the same seed.
import { appendFileSync } from 'node:fs';

const SEED = Number(process.env['SIDELITE_SEED'] ?? 1);
const LONGEST_LIFE_MS = 1_500;
const FILE = process.env['SIDELITE_ROUNDS_FILE'];

export const killCount = Number(process.env['SIDELITE_KILLS'] ?? 30);
/** Counts from 0 over all runs with one seed. */
const firstRound = Number(process.env['SIDELITE_FIRST_ROUND'] ?? 0);
/** No round may take longer, whatever else the machine does. */
export const ROUND_MS = 60_000;

/** How one kill ended. */
interface Round {
  readonly workload: 'data' | 'library';
  readonly round: number;
  /** The killed process, and how durable the database was. */
  readonly kind: string;
  readonly afterMs: number;
  readonly acknowledged: number;
  /** Finished, but the kill came before the answer. */
  readonly unanswered: number;
  /** Each one sentence; empty when nothing was lost and nothing is wrong. */
  readonly lost: readonly string[];
}

/** The rounds of this run, each with the milliseconds until its kill. A linear congruential generator is random enough for moments. */
export function* plannedRounds(): Generator<{ readonly round: number; readonly lifeMs: number }> {
  let state = SEED >>> 0;
  for (let round = 0; round < firstRound + killCount; round++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    if (round >= firstRound) yield { round, lifeMs: Math.floor((state / 0x1_0000_0000) * LONGEST_LIFE_MS) };
  }
}

/** Writes synchronously, so that nothing later can undo it. */
export function note(round: Round): void {
  const { workload, kind, afterMs, acknowledged, lost } = round;
  console.log(
    `${workload} ${round.round + 1}: ${kind}, after ${afterMs} ms: ${acknowledged} acknowledged`,
    ...lost.map((what) => `LOST: ${what}`),
  );
  if (FILE) appendFileSync(FILE, `${JSON.stringify(round)}\n`);
}

// How many cases a test tries that has many of a kind: a fifth of them in `npm test`, all of them in `npm run test:long`.
import { createRandom } from './random.ts';

/** Whether what takes long runs too: in `npm run test:long`, and in `npm run unit -- x.long.test.ts`. */
export const LONG = process.env['SIDELITE_LONG'] === '1';

/**
 * Number of seeds or of runs of a property, of which there are `full` in the long tests. `SIDELITE_SEEDS` asks every test for as many as
 * it says.
 */
export function seedCount(full: number): number {
  const asked = process.env['SIDELITE_SEEDS'];
  if (asked !== undefined) return Number(asked);
  return LONG ? full : Math.ceil(full / 5);
}

/** The seeds themselves, from `SIDELITE_SEED` on. */
export function seeds(full: number): readonly number[] {
  const first = Number(process.env['SIDELITE_SEED'] ?? 1);
  return Array.from({ length: seedCount(full) }, (_, index) => first + index);
}

/** One of each five cases, chosen by `SIDELITE_SEED`; all of them in the long tests. */
export function sampled<T>(cases: readonly T[]): readonly T[] {
  if (LONG) return cases;
  const random = createRandom(Number(process.env['SIDELITE_SEED'] ?? 1));
  const chosen: T[] = [];
  for (let from = 0; from < cases.length; from += 5) chosen.push(random.pick(cases.slice(from, from + 5)));
  return chosen;
}

// How many cases a test tries that has many of a kind: some fifth of them in `npm test`, all of them in `npm run test:long`.
import { createRandom } from './random.ts';

/** Whether what takes long runs too: in `npm run test:long`, and in `npm run unit -- x.long.test.ts`. */
export const LONG = process.env['SIDELITE_LONG'] === '1';

/** Number of cases of which `npm test` tries one. */
const PART = 5;
const FIRST_SEED = Number(process.env['SIDELITE_SEED'] ?? 1);

/**
 * Number of seeds or of runs of a property, of which there are `full` in the long tests. `SIDELITE_SEEDS` asks every test for as many as
 * it says.
 *
 * @param part number of cases of which `npm test` tries one
 */
export function seedCount(full: number, part = PART): number {
  const asked = process.env['SIDELITE_SEEDS'];
  if (asked !== undefined) return Number(asked);
  return LONG ? full : Math.ceil(full / part);
}

/** The seeds themselves, from `SIDELITE_SEED` on. */
export function seeds(full: number, part = PART): readonly number[] {
  return Array.from({ length: seedCount(full, part) }, (_, index) => FIRST_SEED + index);
}

/** One of each `part` cases, chosen by `SIDELITE_SEED`; all of them in the long tests. */
export function sampled<T>(cases: readonly T[], part = PART): readonly T[] {
  if (LONG) return cases;
  const random = createRandom(FIRST_SEED);
  const chosen: T[] = [];
  for (let from = 0; from < cases.length; from += part) chosen.push(random.pick(cases.slice(from, from + part)));
  return chosen;
}

/** Whether a test is one of the fifth that run, told by its name, so that it is the same one when it is run alone; all are in the long tests. */
export function isSampled(name: string): boolean {
  return LONG || numberOf(name) % PART === 0;
}

/** Which of several variants a test runs with in `npm test`, told by its name. */
export function sampledVariant(name: string, variants: number): number {
  return numberOf(name) % variants;
}

const numberOf = (name: string): number =>
  [...name].reduce((hash, letter) => (hash * 31 + letter.codePointAt(0)!) % 65_521, FIRST_SEED);

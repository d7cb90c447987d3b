// Row keys that exist, drawn from a seed.
import type { Random } from '#shared/random.ts';
import type { ParamRow } from '../program.ts';

/** `count` keys of 1 to `highest`; some may come more than once. */
export function randomIds(random: Random, count: number, highest: number): readonly ParamRow[] {
  return Array.from({ length: count }, () => [random.between(1, highest)]);
}

/** `count` keys of 1 to `highest`, each once: what is deleted must have been there. */
export function distinctIds(random: Random, count: number, highest: number): readonly ParamRow[] {
  const ids = Array.from({ length: highest }, (_, index) => index + 1);
  for (let at = 0; at < count; at++) {
    const other = random.between(at, highest - 1);
    [ids[at], ids[other]] = [ids[other]!, ids[at]!];
  }
  return ids.slice(0, count).map((id) => [id]);
}

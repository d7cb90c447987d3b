// Common interface of sources of values: as many values as they have, each by its number, or without an end.
import type { CellRandom } from './cell-random.ts';

/** A value to insert. BigInts and reals only come from rows that are there already. */
export type SampleValue = null | string | number | bigint | Uint8Array;

/** Numbers of values are exact up to here, and {@link shuffled} works. */
const MOST_COUNTED = 2 ** 52;

export type Values =
  /** `at` returns a different value for each number below `size`. */
  | { readonly kind: 'counted'; readonly size: number; at(index: number): SampleValue }
  /** So many that two are hardly ever the same, or dependent on the row. */
  | { readonly kind: 'open'; make(random: CellRandom, row: number): SampleValue };

export const oneOf = (list: readonly SampleValue[]): Values => ({
  kind: 'counted',
  size: list.length,
  at: (index) => list[index]!,
});

/**
 * One value of each part, combined: as many as the product of the parts, counted as long as that is exact.
 * @param sizes of the parts
 * @param make gets the number of a value for each part
 */
export function combined(sizes: readonly number[], make: (indexes: readonly number[]) => SampleValue): Values {
  const size = sizes.reduce((product, one) => product * one, 1);
  // Used again for each value.
  const indexes: number[] = sizes.map(() => 0);
  if (size > MOST_COUNTED)
    return {
      kind: 'open',
      make(random) {
        for (let at = 0; at < sizes.length; at++) indexes[at] = random.below(sizes[at]!);
        return make(indexes);
      },
    };
  return {
    kind: 'counted',
    size,
    at(index) {
      let rest = index;
      const last = sizes.length - 1;
      for (let at = 0; at < last; at++) {
        const more = Math.floor(rest / sizes[at]!);
        indexes[at] = rest - more * sizes[at]!;
        rest = more;
      }
      if (last >= 0) indexes[last] = rest;
      return make(indexes);
    },
  };
}

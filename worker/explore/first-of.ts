// The first few of many items in some order, without ordering them all: a report on 200,000 values must not hold up an edit.

/** @param count 1 or more. @returns at most as many items, in order */
export function firstOf<T>(items: Iterable<T>, count: number, order: (a: T, b: T) => number): readonly T[] {
  const first: T[] = [];
  for (const item of items) {
    if (first.length === count && order(item, first[count - 1]!) >= 0) continue;
    first.splice(placeOf(first, item, order), 0, item);
    if (first.length > count) first.pop();
  }
  return first;
}

/** The place after equal items. */
function placeOf<T>(ordered: readonly T[], item: T, order: (a: T, b: T) => number): number {
  let [low, high] = [0, ordered.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (order(item, ordered[middle]!) < 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

// Binary searches in ordered sequences.

/** The greatest number below `length` for which `holds` is true, if it is true for all smaller numbers; −1 if it is true for none. */
export function lastWhere(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Index of the piece of a long list that a position lies in. */
export function chunkAt(chunks: readonly { readonly start: number }[], position: number): number {
  return lastWhere(chunks.length, (index) => chunks[index]!.start <= position);
}

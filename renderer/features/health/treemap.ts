// Lays out the rectangles of a treemap: areas in proportion to the sizes, as close to squares as possible
// (Bruls, Huizing, van Wijk, “Squarified treemaps”, 2000).

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** One rectangle for each of `sizes`, which must be positive and in descending order. */
export function squarify(sizes: readonly number[], width: number, height: number): readonly Rectangle[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const found: Rectangle[] = [];
  if (!(total > 0) || width <= 0 || height <= 0) return found;
  const areas = sizes.map((size) => (size / total) * width * height);
  let free: Rectangle = { x: 0, y: 0, width, height };
  for (let from = 0; from < areas.length;) {
    const side = Math.min(free.width, free.height);
    let to = from + 1;
    let sum = areas[from]!;
    let worst = worstRatio(areas[from]!, areas[from]!, sum, side);
    for (; to < areas.length; to++) {
      const next = worstRatio(areas[from]!, areas[to]!, sum + areas[to]!, side);
      if (next > worst) break;
      worst = next;
      sum += areas[to]!;
    }
    free = layRow(found, areas.slice(from, to), sum, free);
    from = to;
  }
  return found;
}

/** Worst aspect ratio in a row with these largest and smallest areas along a side of this length. */
function worstRatio(largest: number, smallest: number, sum: number, side: number): number {
  return Math.max((side * side * largest) / (sum * sum), (sum * sum) / (side * side * smallest));
}

function layRow(found: Rectangle[], areas: readonly number[], sum: number, free: Rectangle): Rectangle {
  const isColumn = free.width >= free.height;
  const side = isColumn ? free.height : free.width;
  const depth = Math.min(sum / side, isColumn ? free.width : free.height);
  let along = 0;
  for (const area of areas) {
    const length = (area / sum) * side;
    found.push(
      isColumn
        ? { x: free.x, y: free.y + along, width: depth, height: length }
        : { x: free.x + along, y: free.y, width: length, height: depth },
    );
    along += length;
  }
  return isColumn
    ? { ...free, x: free.x + depth, width: free.width - depth }
    : { ...free, y: free.y + depth, height: free.height - depth };
}

// The bins of a histogram: of equal width, with round edges. Pure.

const MOST_BINS = 50;
const FEWEST_BINS = 5;

/** @returns where each bin begins, and at the end where the last one ends */
export function binEdges(least: number, greatest: number, count: number, areIntegers: boolean): Float64Array {
  const spread = greatest - least;
  if (spread === Infinity) return binEdges(least / 2, greatest / 2, count, false).map((edge) => finite(edge * 2));
  if (!(spread > 0)) return singleBin(least, greatest);
  // The Rice rule: enough bins to see a shape, few enough to have rows in each.
  const wanted = Math.max(FEWEST_BINS, Math.min(MOST_BINS, Math.ceil(2 * Math.cbrt(count))));
  const rough = roundUp(spread / wanted);
  const step = areIntegers ? Math.max(1, rough) : rough;
  const first = Math.floor(least / step);
  const last = Math.floor(greatest / step) + 1;
  const edges = Float64Array.from({ length: last - first + 1 }, (_, index) =>
    finite(Number(((first + index) * step).toPrecision(12))),
  );
  // Beyond the precision of a double, edges fall together.
  return edges.every((edge, index) => index === 0 || edge > edges[index - 1]!) &&
    edges[0]! <= least &&
    (edges.at(-1)! > greatest || edges.at(-1) === Number.MAX_VALUE)
    ? edges
    : singleBin(least, greatest);
}

function singleBin(least: number, greatest: number): Float64Array {
  const half = Math.max(0.5, Math.abs(least) / 1e6);
  return least === greatest
    ? Float64Array.of(finite(least - half), finite(greatest + half))
    : Float64Array.of(least, greatest);
}

const finite = (edge: number): number => Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, edge));

/** 1, 2, or 5 times a power of ten. */
function roundUp(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const lead = rough / power;
  return (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10) * power;
}

/** The bin of a value between the first and the last edge. An edge belongs to the bin it begins; the last one to the last bin. */
export function binOf(edges: Float64Array, value: number): number {
  const last = edges.length - 2;
  // Computed from halves, because the difference of two doubles may exceed a double.
  const width = (edges[last + 1]! / 2 - edges[0]! / 2) / (last + 1);
  let bin = Math.max(0, Math.min(last, Math.floor((value / 2 - edges[0]! / 2) / width) || 0));
  // The division may round to a neighbor.
  while (bin > 0 && value < edges[bin]!) bin--;
  while (bin < last && value >= edges[bin + 1]!) bin++;
  return bin;
}

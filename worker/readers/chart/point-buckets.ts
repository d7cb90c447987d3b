// Points of lines, reduced to what a screen can show: the extremes of every series in each step along X. Pure.

export interface Points {
  /** Ascending. */
  readonly x: Float64Array;
  readonly y: readonly Float64Array[];
}

/** Every point, in the order of X; points with the same X stay in the order in which they came. */
export function sortedPoints(x: readonly number[], y: readonly (readonly number[])[]): Points {
  const isInOrder = x.every((value, index) => index === 0 || value >= x[index - 1]!);
  if (isInOrder) return { x: Float64Array.from(x), y: y.map((series) => Float64Array.from(series)) };
  const order = x.map((_, index) => index).sort((a, b) => x[a]! - x[b]! || a - b);
  const ordered = (values: readonly number[]): Float64Array => Float64Array.from(order, (index) => values[index]!);
  return { x: ordered(x), y: y.map(ordered) };
}

/**
 * Steps of equal width between two X values. A step becomes two points, at the least and at the greatest X in it, that have the least and the
 * greatest Y of each series, in the order in which those occur along X: a line through them covers what a line through all points does.
 */
export class PointBuckets {
  readonly #steps: EqualSteps;
  readonly #count: number;
  /** Least X by step. */
  readonly #leastX: Float64Array;
  readonly #greatestX: Float64Array;
  readonly #series: readonly SeriesBuckets[];

  /** @param to greater than `from` */
  constructor(from: number, to: number, count: number, seriesCount: number) {
    this.#steps = new EqualSteps(from, to, count);
    this.#count = count;
    this.#leastX = new Float64Array(count).fill(Infinity);
    this.#greatestX = new Float64Array(count).fill(-Infinity);
    this.#series = Array.from({ length: seriesCount }, () => new SeriesBuckets(count));
  }

  /** @returns its step, for {@link addY}; `x` is within the bounds */
  addX(x: number): number {
    const step = this.#steps.at(x);
    if (x < this.#leastX[step]!) this.#leastX[step] = x;
    if (x > this.#greatestX[step]!) this.#greatestX[step] = x;
    return step;
  }

  addY(series: number, step: number, x: number, y: number): void {
    this.#series[series]!.add(step, x, y);
  }

  finish(): Points {
    const x: number[] = [];
    const y: number[][] = this.#series.map(() => []);
    for (let step = 0; step < this.#count; step++) {
      const [least, greatest] = [this.#leastX[step]!, this.#greatestX[step]!];
      if (least > greatest) continue;
      x.push(least, greatest);
      this.#series.forEach((series, index) => y[index]!.push(...series.pair(step)));
    }
    return { x: Float64Array.from(x), y: y.map((series) => Float64Array.from(series)) };
  }
}

class SeriesBuckets {
  readonly #least: Float64Array;
  readonly #greatest: Float64Array;
  readonly #leastAt: Float64Array;
  readonly #greatestAt: Float64Array;

  constructor(count: number) {
    this.#least = new Float64Array(count).fill(NaN);
    this.#greatest = new Float64Array(count).fill(NaN);
    this.#leastAt = new Float64Array(count);
    this.#greatestAt = new Float64Array(count);
  }

  add(step: number, x: number, y: number): void {
    if (!(y >= this.#least[step]!)) {
      this.#least[step] = y;
      this.#leastAt[step] = x;
    }
    if (!(y <= this.#greatest[step]!)) {
      this.#greatest[step] = y;
      this.#greatestAt[step] = x;
    }
  }

  pair(step: number): readonly [number, number] {
    const [least, greatest] = [this.#least[step]!, this.#greatest[step]!];
    return this.#leastAt[step]! <= this.#greatestAt[step]! ? [least, greatest] : [greatest, least];
  }
}

/** Steps of equal width between two numbers, and the step that contains a number. Pure. */
export class EqualSteps {
  readonly count: number;
  readonly #from: number;
  readonly #scale: number;
  readonly #perUnit: number;

  /** @param count at least 1 */
  constructor(from: number, to: number, count: number) {
    this.count = count;
    // Computed from halves where the difference of two doubles exceeds a double.
    this.#scale = Number.isFinite(to - from) ? 1 : 0.5;
    this.#from = from * this.#scale;
    const width = to * this.#scale - this.#from;
    this.#perUnit = width > 0 ? count / width : 0;
  }

  /** @param value within the bounds */
  at(value: number): number {
    const step = Math.floor((value * this.#scale - this.#from) * this.#perUnit);
    // A difference of almost nothing between bounds that are almost nothing apart is 0 times infinity.
    return step > 0 ? Math.min(this.count - 1, step) : 0;
  }
}

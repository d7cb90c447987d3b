// The bars of a bar chart: the numbers of the rows that have the same value, combined. Pure.
import { MAX_BARS } from '#shared/protocol/chart.ts';
import type { Combination } from '#shared/protocol/chart.ts';

export class Categories {
  readonly #bars = new Map<string, number>();
  readonly labels: (string | null)[] = [];
  readonly #sums: Combined[][] = [];
  readonly #seriesCount: number;
  /** Some categories have no bar. */
  isCut = false;

  constructor(seriesCount: number) {
    this.#seriesCount = seriesCount;
  }

  /** @returns the bar of a category, which `key` identifies; −1 if it has none */
  bar(key: string, label: () => string | null): number {
    const known = this.#bars.get(key);
    if (known !== undefined) return known;
    if (this.labels.length === MAX_BARS) {
      this.isCut = true;
      return -1;
    }
    this.#bars.set(key, this.labels.length);
    this.#sums.push(Array.from({ length: this.#seriesCount }, () => new Combined()));
    return this.labels.push(label()) - 1;
  }

  add(bar: number, series: number, value: number): void {
    this.#sums[bar]![series]!.add(value);
  }

  count(bar: number, series: number): void {
    this.#sums[bar]![series]!.count++;
  }

  values(series: number, combine: Combination): Float64Array {
    return Float64Array.from(this.#sums, (sums) => sums[series]!.value(combine));
  }
}

class Combined {
  count = 0;
  #numbers = 0;
  #sum = 0;
  /** Rounding error of the sum (Neumaier), as SQLite's own sum() keeps it. */
  #lost = 0;
  #least = Infinity;
  #greatest = -Infinity;

  add(value: number): void {
    this.#numbers++;
    const sum = this.#sum + value;
    this.#lost += Math.abs(this.#sum) >= Math.abs(value) ? this.#sum - sum + value : value - sum + this.#sum;
    this.#sum = sum;
    if (value < this.#least) this.#least = value;
    if (value > this.#greatest) this.#greatest = value;
  }

  /** NaN if there is no number to combine. */
  value(combine: Combination): number {
    if (combine === 'count') return this.count;
    if (this.#numbers === 0) return NaN;
    const sum = this.#sum + this.#lost;
    return { sum, mean: sum / this.#numbers, least: this.#least, greatest: this.#greatest }[combine];
  }
}

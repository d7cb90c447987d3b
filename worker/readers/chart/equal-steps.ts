// Steps of equal width between two numbers, and the step that contains a number. Pure.

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

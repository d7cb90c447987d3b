// Points of a scatter chart, reduced to what a screen can show: the first point of each small square of the picture. Pure.
import { EqualSteps } from './equal-steps.ts';
import { sortedPoints } from './point-buckets.ts';
import type { Points } from './point-buckets.ts';

interface Bounds {
  readonly from: number;
  readonly to: number;
}

/** A point is about as large as a square of this many pixels. */
const SQUARE = 3;

export class PlaneCells {
  readonly #across: EqualSteps;
  readonly #up: EqualSteps;
  /** A bit for each square of each series. */
  readonly #taken: Uint8Array;
  readonly #seriesCount: number;
  readonly #x: number[] = [];
  readonly #y: number[][];
  /** Points that fell on an existing one. */
  covered = 0;

  constructor(x: Bounds, y: Bounds, width: number, height: number, seriesCount: number) {
    this.#across = new EqualSteps(x.from, x.to, Math.max(1, Math.ceil(width / SQUARE)));
    this.#up = new EqualSteps(y.from, y.to, Math.max(1, Math.ceil(height / SQUARE)));
    this.#seriesCount = seriesCount;
    this.#taken = new Uint8Array(Math.ceil((this.#across.count * this.#up.count * seriesCount) / 8));
    this.#y = Array.from({ length: seriesCount }, () => []);
  }

  add(series: number, x: number, y: number): void {
    const square = (this.#up.at(y) * this.#across.count + this.#across.at(x)) * this.#seriesCount + series;
    const bit = 1 << (square & 7);
    if (this.#taken[square >> 3]! & bit) return void this.covered++;
    this.#taken[square >> 3]! |= bit;
    this.#x.push(x);
    this.#y.forEach((values, index) => values.push(index === series ? y : NaN));
  }

  finish(): Points {
    return sortedPoints(this.#x, this.#y);
  }
}

// The short animation in which rows make room for an added row and close the gap of a removed one.
import { ROW_HEIGHT } from '../layout/geometry.ts';
import type { RangeChange } from './row-patch.ts';

const MOTION_MS = 160;
/** Changes that follow each other faster than this are a stream: constantly moving rows would be unreadable. */
const CALM_MS = 300;
/** The eye could not follow more rows than this. */
export const MAX_MOVED_ROWS = 20;

export interface ComingAndGoing {
  /** Positions of added rows. */
  readonly inserted: readonly number[];
  /** Positions before which rows were removed, one entry each. */
  readonly removed: readonly number[];
}

/**
 * The rows added and removed inside a range that has room for `count` rows. Rows at its ends are left out if they may only have been pushed
 * over the edge: at the start unless the range begins with the first row of the table, at the end if the range is full.
 */
export function comingAndGoing(change: RangeChange, count: number): ComingAndGoing {
  const { start, before, after, origins } = change;
  const next = nextKept(change);
  const inserted: number[] = [];
  const removed: number[] = [];
  let waiting: number[] = [];
  let last = -1;
  let isKnown = start === 0;
  after.forEach((_row, index) => {
    const origin = origins[index]!;
    // A row that moved past others counts as added here and removed there.
    if (origin <= last || origin > next[index]!) return void waiting.push(start + index);
    if (isKnown) {
      inserted.push(...waiting);
      for (let gone = last + 1; gone < origin; gone++) removed.push(start + index);
    }
    isKnown = true;
    waiting = [];
    last = origin;
  });
  if (last < 0) return { inserted: [], removed: [] };
  if (before.length < count) inserted.push(...waiting);
  if (after.length < count) for (let gone = last + 1; gone < before.length; gone++) removed.push(start + after.length);
  return { inserted, removed };
}

/** The former position of the nearest unchanged row at or after each index. */
function nextKept({ before, kept }: RangeChange): Int32Array {
  const next = new Int32Array(kept.length);
  let nearest = before.length;
  for (let index = kept.length - 1; index >= 0; index--) {
    if (kept[index]! >= 0) nearest = kept[index]!;
    next[index] = nearest;
  }
  return next;
}

export class RowMotion {
  #moves: ComingAndGoing = { inserted: [], removed: [] };
  #startedAtMs = -Infinity;
  #lastChangeAtMs = -Infinity;

  /** Starts the animation for rows added or removed between two positions that are on screen. */
  start(moves: ComingAndGoing, first: number, last: number, nowMs: number): void {
    const isSeen = (row: number): boolean => row >= first && row <= last;
    const seen = { inserted: moves.inserted.filter(isSeen), removed: moves.removed.filter(isSeen) };
    const count = seen.inserted.length + seen.removed.length;
    if (count === 0) return;
    const isCalm = nowMs - this.#lastChangeAtMs > CALM_MS;
    this.#lastChangeAtMs = nowMs;
    this.#startedAtMs = isCalm && count <= MAX_MOVED_ROWS ? nowMs : -Infinity;
    this.#moves = seen;
  }

  stop(): void {
    this.#startedAtMs = -Infinity;
  }

  isMoving(nowMs: number): boolean {
    return nowMs - this.#startedAtMs < MOTION_MS;
  }

  /** How many more rows to paint below the last one while those above do not have their full height yet. */
  rowsMissing(nowMs: number): number {
    return this.isMoving(nowMs) ? this.#moves.inserted.length : 0;
  }

  /** How far below its place a row is painted; the row after an appearing row is nearer than its height. */
  offset(row: number, nowMs: number): number {
    if (!this.isMoving(nowMs)) return 0;
    const rest = (1 - (nowMs - this.#startedAtMs) / MOTION_MS) ** 3 * ROW_HEIGHT;
    const coming = this.#moves.inserted.filter((position) => position < row).length;
    const going = this.#moves.removed.filter((position) => position <= row).length;
    return (going - coming) * rest;
  }
}

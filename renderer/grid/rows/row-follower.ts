// Follows the rows under the cursor (corners of the selection, an open editor) by key, wherever they move.
import type { WatchedRange } from '#shared/protocol/live.ts';
import type { CachedRow } from './row-cache.ts';
import { destinationsOf } from './row-patch.ts';
import type { RangeChange } from './row-patch.ts';

/** One row. Two of them can have one position for a moment: another row may have moved to the place of a row that is being located. */
export interface FollowedRow {
  /** Position of the row; while the row is being located, its last known position. */
  readonly position: number;
  /** The row as it was when it was last seen; null until it is loaded, and for the draft row. */
  readonly row: CachedRow | null;
  /** The row no longer exists. The row that took its place is followed instead. */
  readonly isGone: boolean;
}

interface FollowerHost {
  row(position: number): CachedRow | null;
  /** Whether both are the same row, at different times. */
  isSame(a: CachedRow, b: CachedRow): boolean;
  /** Null if rows cannot be located. */
  locate(row: CachedRow): Promise<number | null> | null;
  /** Positions of followed rows have changed, or a row is gone. */
  onMoved(): void;
  /** A followed row is no longer where it was shown, and is searched for until `search` resolves. */
  onSearch(search: Promise<void>): void;
}

interface Followed extends FollowedRow {
  position: number;
  isGone: boolean;
  row: CachedRow | null;
  /** The row that was here and is gone; its page may not have been read again. */
  gone: CachedRow | null;
  /** Whether `position` is where the row is now. */
  isKnown: boolean;
  /** The answer under way may be from before the row moved. */
  isAnswerOld: boolean;
  /** Ends the search that the host was told of. */
  found: (() => void) | null;
}

export class RowFollower {
  readonly #host: FollowerHost;
  #followed: ReadonlySet<Followed> = new Set();
  /** In the order in which they were lost. */
  readonly #lost = new Set<Followed>();
  /** The row whose position has been asked for. */
  #askedFor: Followed | null = null;
  #state: 'idle' | 'looking' | 'disposed' = 'idle';

  constructor(host: FollowerHost) {
    this.#host = host;
  }

  dispose(): void {
    this.#state = 'disposed';
    this.follow([]);
  }

  /** The row that is at `position` now. The row is followed once it is passed to {@link follow}. */
  at(position: number): FollowedRow {
    const row = this.#host.row(position);
    const followed: Followed = {
      ...{ position, row, isGone: false, gone: null },
      ...{ isKnown: true, isAnswerOld: false, found: null },
    };
    return followed;
  }

  /** Whether the row that is loaded at its position is the row itself. */
  isLoaded(followed: FollowedRow): boolean {
    const { row, position } = followed as Followed;
    const there = this.#host.row(position);
    return row === null || (there !== null && this.#host.isSame(row, there));
  }

  /** Replaces the followed rows; loaded rows are remembered. */
  follow(rows: readonly FollowedRow[]): void {
    const before = this.#followed;
    this.#followed = new Set(rows as readonly Followed[]);
    for (const each of this.#followed) each.row ??= this.#loadedAt(each);
    for (const each of before) if (!this.#followed.has(each)) this.#drop(each);
    // A row that was dropped while it was being located may be anywhere.
    for (const each of this.#followed) if (!before.has(each) && !each.isKnown) this.#search(each);
    void this.#findLost();
  }

  /** Rows of the watched range were added, removed or changed. */
  patched(change: RangeChange): void {
    const { start, after } = change;
    const destinationOf = destinationsIn(change);
    let hasMoved = false;
    for (const each of this.#followed) {
      if (each.row === null) continue; // a draft row is none of these rows
      const destination = destinationOf(each.position);
      if (destination === 'elsewhere') this.#search(each);
      else if (!each.isKnown) this.#lose(each); // the answer may be from before this change
      else if (destination !== 'outside') {
        each.row = after[destination]!;
        hasMoved ||= start + destination !== each.position;
        each.position = start + destination;
      }
    }
    if (hasMoved) this.#host.onMoved();
    void this.#findLost();
  }

  /** Anything may have changed, except rows in `kept`, which are up to date. */
  changed(kept: WatchedRange | null): void {
    for (const each of this.#followed) {
      const isKept = kept && each.position >= kept.start && each.position < kept.start + kept.count;
      if (each.row && (!isKept || !each.isKnown)) this.#lose(each);
    }
    void this.#findLost();
  }

  /** The host waits until the row is located. */
  #search(each: Followed): void {
    each.isAnswerOld ||= each === this.#askedFor;
    if (!each.found) this.#host.onSearch(new Promise((resolve) => (each.found = resolve)));
    this.#lose(each);
  }

  #lose(each: Followed): void {
    each.isKnown = false;
    this.#lost.add(each);
  }

  #drop(each: Followed): void {
    this.#lost.delete(each);
    each.isAnswerOld = false;
    each.found?.();
    each.found = null;
  }

  async #findLost(): Promise<void> {
    if (this.#state !== 'idle') return;
    this.#state = 'looking';
    for (const each of this.#lost) {
      this.#lost.delete(each);
      this.#askedFor = each;
      const position = await (each.row && this.#host.locate(each.row))?.catch(() => undefined);
      this.#askedFor = null;
      if (!this.#followed.has(each)) continue;
      this.#found(each, position);
    }
    if (!this.#isDisposed()) this.#state = 'idle';
  }

  /** @param position null if the row does not exist, undefined if that is unknown */
  #found(each: Followed, position: number | null | undefined): void {
    const isLostAgain = this.#lost.has(each);
    each.isKnown = !isLostAgain;
    const before = each.position;
    if (position === null) {
      each.gone = each.row;
      each.row = this.#loadedAt(each);
      each.isGone = true;
    } else if (position !== undefined) each.position = position;
    if (position !== undefined && position !== before) this.#host.onMoved();
    // Changes may follow each other forever, so nothing waits for a second answer unless the first one may be from before the row moved.
    const isOld = each.isAnswerOld && isLostAgain && position === before;
    each.isAnswerOld = false;
    if (isOld) return;
    each.found?.();
    each.found = null;
  }

  #loadedAt({ position, gone }: Followed): CachedRow | null {
    const there = this.#host.row(position);
    return there && gone && this.#host.isSame(there, gone) ? null : there;
  }

  #isDisposed(): boolean {
    return this.#state === 'disposed';
  }
}

/**
 * Where rows went: an index in `after`; `outside`: not in the watched range, and not known to have moved; `elsewhere`: out of the range,
 * or beyond an edge of it where rows moved.
 */
function destinationsIn(change: RangeChange): (position: number) => number | 'outside' | 'elsewhere' {
  const { start, before } = change;
  const destinations = destinationsOf(change);
  const last = before.length - 1;
  return (position) => {
    const index = position - start;
    const edge = index < 0 ? 0 : last;
    if (index < 0 || index > last) return last < 0 || destinations[edge] === edge ? 'outside' : 'elsewhere';
    return destinations[index]! < 0 ? 'elsewhere' : destinations[index]!;
  };
}

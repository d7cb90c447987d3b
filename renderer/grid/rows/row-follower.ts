// Follows the rows under the cursor (corners of the selection, an open editor) by key, wherever they move.
import type { WatchedRange } from '#shared/protocol/live.ts';
import type { CachedRow } from './row-cache.ts';
import { destinationsOf } from './row-patch.ts';
import type { RangeChange } from './row-patch.ts';

/** New position of a row by its former position; null if it no longer exists. */
export type RowMoves = ReadonlyMap<number, number | null>;

export interface FollowerHost {
  row(position: number): CachedRow | null;
  /** Null if rows cannot be located. */
  locate(row: CachedRow): Promise<number | null> | null;
  onMoved(moves: RowMoves): void;
}

interface Followed {
  position: number;
  row: CachedRow | null;
  isLost: boolean;
}

export class RowFollower {
  readonly #host: FollowerHost;
  #followed: readonly Followed[] = [];
  #state: 'idle' | 'asking' | 'disposed' = 'idle';

  constructor(host: FollowerHost) {
    this.#host = host;
  }

  dispose(): void {
    this.#state = 'disposed';
  }

  /** Replaces the followed rows; a position that was followed before still refers to the same row. */
  follow(positions: Iterable<number>): void {
    const known = new Map(this.#followed.map((each) => [each.position, each]));
    this.#followed = [...new Set(positions)].map((position) => {
      const before = known.get(position);
      return before?.row ? before : { position, row: this.#host.row(position), isLost: false };
    });
  }

  /** Rows of the watched range were added, removed or changed. */
  patched(change: RangeChange): void {
    const { start, before, after } = change;
    const destinations = destinationsOf(change);
    const moves = new Map<number, number | null>();
    for (const each of this.#followed) {
      const index = each.position - start;
      // Positions outside the range may have shifted too: `changed` handles those, by locating them.
      if (index < 0 || index >= before.length) continue;
      const destination = destinations[index]!;
      if (destination < 0) {
        each.isLost = true;
        continue;
      }
      each.row = after[destination]!;
      if (destination !== index) moves.set(each.position, (each.position = start + destination));
    }
    if (moves.size > 0) this.#host.onMoved(moves);
    void this.#findLost();
  }

  /** Anything may have changed, except rows in `kept`, which are up to date. */
  changed(kept: WatchedRange | null): void {
    for (const each of this.#followed) {
      const isKept = kept && each.position >= kept.start && each.position < kept.start + kept.count;
      if (!isKept) each.isLost = true;
    }
    void this.#findLost();
  }

  async #findLost(): Promise<void> {
    if (this.#state !== 'idle') return;
    this.#state = 'asking';
    for (let lost = this.#nextLost(); lost; lost = this.#nextLost()) {
      lost.isLost = false;
      const found = await (lost.row && this.#host.locate(lost.row))?.catch(() => undefined);
      if (this.#isDisposed() || !this.#followed.includes(lost) || found === undefined) continue;
      const { position } = lost;
      // The next row takes the place of a removed one, and is followed from now on.
      if (found === null) lost.row = this.#host.row(position);
      else lost.position = found;
      if (found !== position) this.#host.onMoved(new Map([[position, found]]));
    }
    if (!this.#isDisposed()) this.#state = 'idle';
  }

  #isDisposed(): boolean {
    return this.#state === 'disposed';
  }

  #nextLost(): Followed | undefined {
    return this.#isDisposed() ? undefined : this.#followed.find(({ isLost, row }) => isLost && row !== null);
  }
}

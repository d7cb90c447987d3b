// Keys of recently read rows by position. Scrolling continues from them, so that pages with estimated positions still join up.

interface TrailPoint<K> {
  readonly position: number;
  readonly key: K;
  readonly exact: boolean;
}

const KEPT = 32;

export class PageTrail<K> {
  #marks: TrailPoint<K>[] = [];

  add(mark: TrailPoint<K>): void {
    this.#marks = this.#marks.filter((other) => other.position !== mark.position);
    this.#marks.push(mark);
    if (this.#marks.length > KEPT) this.#marks.shift();
  }

  /** The mark nearest to `position` that is at most `within` rows away. */
  nearest(position: number, within: number): TrailPoint<K> | null {
    let best: TrailPoint<K> | null = null;
    for (const mark of this.#marks) {
      const distance = Math.abs(mark.position - position);
      if (distance <= within && (!best || distance < Math.abs(best.position - position))) best = mark;
    }
    return best;
  }

  /** The marks between which a key is, by an order of keys; null where there is none. */
  around(isBehind: (mark: K) => boolean): {
    readonly below: TrailPoint<K> | null;
    readonly above: TrailPoint<K> | null;
  } {
    let [below, above]: (TrailPoint<K> | null)[] = [null, null];
    for (const mark of this.#marks)
      if (isBehind(mark.key)) above = !above || mark.position < above.position ? mark : above;
      else below = !below || mark.position > below.position ? mark : below;
    return { below: below ?? null, above: above ?? null };
  }

  clear(): void {
    this.#marks = [];
  }
}

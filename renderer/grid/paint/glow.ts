// Makes cells whose value has just changed, and rows that were just added, glow briefly: users see that the data is live.
import type { CachedRow } from '../rows/row-cache.ts';

const GLOW_MS = 700;

interface Lit {
  /** The row before the change; null for an added row. */
  readonly before: CachedRow | null;
  readonly atMs: number;
}

export class Glow {
  readonly #lit = new Map<CachedRow, Lit>();

  note(row: CachedRow, before: CachedRow | null, nowMs: number): void {
    this.#lit.set(row, { before, atMs: nowMs });
  }

  /** Whether another frame is needed. Forgets what has faded. */
  isGlowing(nowMs: number): boolean {
    for (const [row, { atMs }] of this.#lit) if (nowMs - atMs >= GLOW_MS) this.#lit.delete(row);
    return this.#lit.size > 0;
  }

  /** Whether the row glows, or has faded but is not forgotten yet. */
  isKnown(row: CachedRow): boolean {
    return this.#lit.has(row);
  }

  /** Returns the remaining strength of the glow (0 to 1); null for rows without a change. */
  of(row: CachedRow, nowMs: number): { readonly before: CachedRow | null; readonly strength: number } | null {
    const lit = this.#lit.get(row);
    if (!lit) return null;
    const strength = Math.min(1, Math.max(0, 1 - (nowMs - lit.atMs) / GLOW_MS));
    return strength > 0 ? { before: lit.before, strength } : null;
  }
}

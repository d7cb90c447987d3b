// Cells whose value has just changed, and rows that have just come, glow for a moment: people see that what they look at is live.
import type { CachedRow } from '../rows/row-cache.ts';

const GLOW_MS = 700;

interface Lit {
  /** The row as it was; null for one that was not there. */
  readonly before: CachedRow | null;
  readonly atMs: number;
}

export class Glow {
  readonly #lit = new Map<CachedRow, Lit>();

  note(row: CachedRow, before: CachedRow | null, nowMs: number): void {
    this.#lit.set(row, { before, atMs: nowMs });
  }

  /** Whether another frame is needed. What has faded is forgotten. */
  isGlowing(nowMs: number): boolean {
    for (const [row, { atMs }] of this.#lit) if (nowMs - atMs >= GLOW_MS) this.#lit.delete(row);
    return this.#lit.size > 0;
  }

  /** It glows, or has not been forgotten since. */
  isKnown(row: CachedRow): boolean {
    return this.#lit.has(row);
  }

  /** With how much of the glow is left (0 to 1); null for rows nothing has happened to. */
  of(row: CachedRow, nowMs: number): { readonly before: CachedRow | null; readonly strength: number } | null {
    const lit = this.#lit.get(row);
    if (!lit) return null;
    const strength = Math.min(1, Math.max(0, 1 - (nowMs - lit.atMs) / GLOW_MS));
    return strength > 0 ? { before: lit.before, strength } : null;
  }
}

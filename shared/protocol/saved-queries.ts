// Operations on saved queries and snippets, which are kept in the library for all windows.
import type { DatabaseId } from './database-id.ts';
import type { Op } from './envelope.ts';

/** A longer text belongs in a file. */
export const SAVED_QUERY_CHARS = 200_000;

export interface SavedQuery {
  readonly id: string;
  readonly name: string;
  /** '' for none; parts are separated by slashes. */
  readonly folder: string;
  readonly tags: readonly string[];
  /** `snippet`: inserted into a text rather than opened. */
  readonly kind: 'query' | 'snippet';
  /** The database it is for; null: all. */
  readonly database: DatabaseId | null;
  readonly sql: string;
  /** The digit of its key, 1 to 9; null: none. Queries for the same database, or for all, have different ones. */
  readonly shortcut: number | null;
  readonly savedAtMs: number;
}

export interface SavedQueryOperations {
  /** Sorted by folder, then by name. */
  'savedQuery.list': Op<Readonly<Record<string, never>>, readonly SavedQuery[]>;
  /** Replaces the one with this id, or adds it. Another one with the same shortcut loses it. Durable when answered. Fails with `too-big`, `invalid`. */
  'savedQuery.put': Op<{ readonly query: Omit<SavedQuery, 'savedAtMs'> }, null>;
  /** Changes only what is in `patch`, so that changes made at the same time all stay. Fails with `not-found` and as `put`. */
  'savedQuery.change': Op<{ readonly id: string; readonly patch: Partial<Omit<SavedQuery, 'id' | 'savedAtMs'>> }, null>;
  'savedQuery.delete': Op<{ readonly id: string }, null>;
}

// Rows that this window has just saved, so that the tab of their table can say where they went.
import { create } from 'zustand';
import type { DatabaseId, Value } from '#shared/protocol/index.ts';

interface SavedRows {
  readonly database: DatabaseId;
  readonly table: string;
  /** Keys that the rows have now. */
  readonly keys: readonly (readonly Value[])[];
}

export const useSavedRows = create<{ readonly rows: SavedRows | null }>()(() => ({ rows: null }));

export const noteSavedRows = (rows: SavedRows): void => useSavedRows.setState({ rows });

// Key of work on the rows of a table or view: a window finds the work of its own tabs with it.
import type { DatabaseId } from './protocol/database-id.ts';

/** Limit of the work status buffer: tables whose names differ only after this length are taken for one another. */
export const ROWS_KEY_UNITS = 200;

export const rowsKey = (database: DatabaseId, table: string): string => `${database} ${table}`.slice(0, ROWS_KEY_UNITS);

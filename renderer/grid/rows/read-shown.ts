// Rows of a source read as they are shown: with their unsaved values, and with rows that are not saved yet after the last one.
import type { GridSource } from '../grid-source.ts';
import { rowsOfPage } from './row-cache.ts';
import type { CachedRow } from './row-cache.ts';

/** Fewer at the end. @throws what the source fails with */
export async function readShown(source: GridSource, start: number, count: number): Promise<readonly CachedRow[]> {
  const { unsaved } = source;
  const stored = Math.min(count, source.extent.rows - start);
  const rows = await readStored(source, start, stored);
  if (!unsaved) return rows;
  const first = Math.max(0, start - source.extent.rows);
  return [...rows, ...unsaved.added.slice(first, first + count - Math.max(0, stored))];
}

/**
 * Reads only stored rows, whatever the source knows of their number at the moment: that is not known while it is opened again. A page of
 * long values has fewer rows than were asked for, so the rest is asked for again.
 */
export async function readStored(source: GridSource, start: number, count: number): Promise<readonly CachedRow[]> {
  const rows: CachedRow[] = [];
  while (rows.length < count) {
    const page = rowsOfPage((await source.read(start + rows.length, count - rows.length)).rows);
    if (page.length === 0) break;
    rows.push(...page);
  }
  const { unsaved } = source;
  return unsaved ? rows.map((row) => unsaved.shown(row)) : rows;
}

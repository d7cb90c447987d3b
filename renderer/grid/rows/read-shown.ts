// Rows of a source read as they are shown: with their unsaved values, and with rows that are not saved yet after the last one.
import { AppError, inParts } from '#shared/protocol/errors.ts';
import type { GridSource } from '../grid-source.ts';
import { rowsOfPage } from './row-cache.ts';
import type { CachedRow } from './row-cache.ts';
import { keyText } from './same-cell.ts';
import type { SeenRows } from './seen-rows.ts';

/** Returns fewer rows at the end. @throws as {@link readStored} */
export async function readShown(
  source: GridSource,
  start: number,
  count: number,
  seen: SeenRows,
): Promise<readonly CachedRow[]> {
  const { unsaved } = source;
  const stored = Math.min(count, source.extent.rows - start);
  const rows = await readStored(source, start, stored, seen);
  if (!unsaved) return rows;
  const first = Math.max(0, start - source.extent.rows);
  return [...rows, ...unsaved.added.slice(first, first + count - Math.max(0, stored))];
}

/**
 * Reads only stored rows, even if the source does not know their number: it is unknown while the source is opened again. A page of long
 * values has fewer rows than requested, so the rest is requested again. Where other rows have moved to these positions, the rows that were
 * seen there are returned.
 * @throws errors of the source; AppError `refused` if other rows have moved there and not all of the rows were seen
 */
export async function readStored(
  source: GridSource,
  start: number,
  count: number,
  seen: SeenRows,
): Promise<readonly CachedRow[]> {
  const rows: CachedRow[] = [];
  while (rows.length < count) {
    const page = rowsOfPage((await source.read(start + rows.length, count - rows.length)).rows);
    if (page.length === 0) break;
    rows.push(...page);
  }
  const { unsaved, keyColumns } = source;
  const shown = unsaved ? rows.map((row) => unsaved.shown(row)) : rows;
  const before = Array.from({ length: Math.max(0, count) }, (_, at) => seen.get(start + at));
  const isElsewhere = before.some((row, at) => {
    const now = shown[at];
    return row && (!now || keyText(row, keyColumns) !== keyText(now, keyColumns));
  });
  if (!isElsewhere) return shown;
  if (before.every((row) => row !== undefined)) return before;
  throw moved();
}

const moved = (): AppError =>
  AppError.refused(
    inParts(
      'Someone else has just added or removed rows, and these ones are elsewhere.',
      'Nothing was changed. Try again.',
    ),
  );

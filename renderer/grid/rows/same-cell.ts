// Compares two cells by their packed bytes, without decoding them.
import { CellType } from '#shared/packed-rows/format.ts';
import type { CachedRow } from './row-cache.ts';

/** Compares the loaded parts: of a long value, only the beginning and the length are loaded. */
export function sameCell(a: CachedRow, b: CachedRow, column: number): boolean {
  const type = a.rows.type(a.index, column);
  if (type !== b.rows.type(b.index, column)) return false;
  if (type === CellType.null) return true;
  if (type === CellType.bigInteger) return a.rows.value(a.index, column) === b.rows.value(b.index, column);
  if (type < CellType.text) return Object.is(a.rows.number(a.index, column), b.rows.number(b.index, column));
  return (
    a.rows.sizeBytes(a.index, column) === b.rows.sizeBytes(b.index, column) &&
    sameBytes(a.rows.bytes(a.index, column), b.rows.bytes(b.index, column))
  );
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

/** Equal for rows with the same values in these columns. */
export function keyText({ rows, index }: CachedRow, columns: readonly number[]): string {
  const parts = columns.map((column) => {
    const type = rows.type(index, column);
    const text =
      type === CellType.blob || type === CellType.blobPreview
        ? String(rows.bytes(index, column))
        : rows.text(index, column);
    return `${rows.storageClass(index, column)}${text.length}:${text}`;
  });
  return parts.join();
}

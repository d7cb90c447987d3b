// One database file read by both engines, and what each of them answers to one statement, down to the packed bytes.
import { readFileSync } from 'node:fs';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { ResultColumn } from '#shared/protocol/rows.ts';
import type { Connection } from '../engine.ts';
import { createNativeEngine } from '../native/native-engine.ts';
import { openLentFile } from '../wasm/storage/lent-file.ts';

export interface BothEngines {
  readonly wasm: Connection;
  readonly native: Connection;
  close(): void;
}

export type Answer =
  | { readonly columns: readonly ResultColumn[]; readonly rows: PackedRows }
  | { readonly error: string };

/** The wasm engine reads the same bytes as the file that the native engine has open. Nothing writes to that file in the meantime. */
export async function openOnBoth(path: string): Promise<BothEngines> {
  const bytes = readFileSync(path);
  const wasm = await openLentFile({
    sizeBytes: bytes.length,
    read(offset, into) {
      into.set(bytes.subarray(offset, offset + into.length));
      return true;
    },
  });
  const native = (await createNativeEngine()).open(path, { durability: 'full' });
  return {
    wasm,
    native,
    close() {
      wasm.close();
      native.close();
    },
  };
}

/** @param chunkRows packed at a time: many go another way through the native engine than few */
export function answer(connection: Connection, sql: string, chunkRows = Infinity): Answer {
  try {
    const statement = connection.prepare(sql);
    try {
      const writer = new PackedRowsWriter(statement.columnCount, { previewBytes: Infinity });
      while (statement.pack(writer, { maxRows: chunkRows }));
      return { columns: statement.columns, rows: writer.finish() };
    } finally {
      statement.finalize();
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { error: `${error.code}: ${error.message}` };
  }
}

export const rowCountOf = (given: Answer): number => ('rows' in given ? given.rows.rowCount : 0);

/**
 * Describes the first difference; null if everything is the same.
 * @param text `as-string`: bytes that are not UTF-8 count as the U+FFFD that a JavaScript string has in their place
 */
export function firstDifference(wasm: Answer, native: Answer, text: 'exact' | 'as-string' = 'exact'): string | null {
  if ('error' in wasm || 'error' in native) {
    const [one, other] = [wasm, native].map((given) => ('error' in given ? given.error : 'rows'));
    return one === other ? null : `wasm: ${one}; native: ${other}`;
  }
  const [columns, others] = [wasm, native].map((given) => JSON.stringify(given.columns));
  if (columns !== others) return `columns ${columns}; native: ${others}`;
  if (sameBytes(wasm.rows, native.rows)) return null;
  const packing = text === 'exact' ? 'the same cells, packed into other bytes' : null;
  return firstCell(wasm.rows, native.rows, text) ?? packing;
}

/** The rows whatever their order, as text. */
export function rowsInAnyOrder(given: Answer): string {
  if ('error' in given) return given.error;
  const reader = new PackedRowsReader(given.rows);
  const rows = Array.from({ length: given.rows.rowCount }, (_, row) =>
    Array.from({ length: given.rows.columnCount }, (_cell, column) => describeCell(reader, row, column, 'exact')).join(
      ' | ',
    ),
  );
  return rows.toSorted().join('\n');
}

function sameBytes(one: PackedRows, other: PackedRows): boolean {
  return (
    one.rowCount === other.rowCount &&
    Buffer.compare(one.types, other.types) === 0 &&
    Buffer.compare(new Uint8Array(one.slots), new Uint8Array(other.slots)) === 0 &&
    Buffer.compare(one.heap, other.heap) === 0
  );
}

function firstCell(wasm: PackedRows, native: PackedRows, text: 'exact' | 'as-string'): string | null {
  const [one, other] = [new PackedRowsReader(wasm), new PackedRowsReader(native)];
  for (let row = 0; row < Math.min(wasm.rowCount, native.rowCount); row++) {
    for (let column = 0; column < wasm.columnCount; column++) {
      const [mine, theirs] = [describeCell(one, row, column, text), describeCell(other, row, column, text)];
      if (mine !== theirs) return `row ${row}, column ${column}: wasm ${mine}; native ${theirs}`;
    }
  }
  return wasm.rowCount === native.rowCount ? null : `rows: wasm ${wasm.rowCount}; native ${native.rowCount}`;
}

/** Storage class and every bit of the value. */
function describeCell(reader: PackedRowsReader, row: number, column: number, text: 'exact' | 'as-string'): string {
  const kind = reader.storageClass(row, column);
  if (kind === 'null') return kind;
  if (kind === 'text' && text === 'as-string') return `text ${reader.text(row, column)}`;
  if (kind === 'text' || kind === 'blob') return `${kind} ${Buffer.from(reader.bytes(row, column)).toString('hex')}`;
  const value = reader.value(row, column);
  const number = typeof value === 'object' && value !== null && 'real' in value ? value.real : value;
  return `${kind} ${Object.is(number, -0) ? '-0' : String(number)}`;
}

// What a transaction did to `sqlite_sequence`: no hook reports how AUTOINCREMENT counts, so the rows before and after are compared.
import { isRawText, isReal } from '#shared/protocol/values.ts';
import type { Value } from '#shared/protocol/values.ts';
import { Entry, Tag } from './format.ts';
import { RowLogWriter } from './writer.ts';

/** Row id, name, number. Whoever writes to the table by hand can store anything in it. */
export type SequenceRow = readonly Value[];

const encoder = new TextEncoder();

export function sequenceEntries(before: readonly SequenceRow[], after: readonly SequenceRow[]): RowLogWriter {
  const writer = new RowLogWriter(Infinity);
  const [old, now] = [byRowid(before), byRowid(after)];
  for (const rowid of new Set([...old.keys(), ...now.keys()])) {
    const rows = [old.get(rowid), now.get(rowid)] as const;
    if (rows[0] && rows[1] && rows[0].every((value, place) => isSame(value, rows[1]![place]!))) continue;
    writer.begin(Entry.sequence, 0);
    writeValue(writer, rowid);
    for (const row of rows) {
      writer.number(row === undefined ? 0 : 1);
      for (const value of row?.slice(1) ?? []) writeValue(writer, value);
    }
    writer.end();
  }
  return writer;
}

function byRowid(rows: readonly SequenceRow[]): Map<Value, SequenceRow> {
  return new Map(rows.map((row) => [row[0]!, row]));
}

function isSame(a: Value, b: Value): boolean {
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return Object.is(a, b);
  // What nobody stores there is written down rather than compared.
  return isReal(a) && isReal(b) && Object.is(a.real, b.real);
}

function writeValue(writer: RowLogWriter, value: Value): void {
  if (value === null) writer.null();
  else if (typeof value === 'bigint') writer.bigInteger(value);
  else if (typeof value === 'number') Number.isSafeInteger(value) ? writer.integer(value) : writer.real(value);
  else if (typeof value === 'string') writeBytes(writer, Tag.text, encoder.encode(value));
  else if (isReal(value)) writer.real(value.real);
  else if (isRawText(value)) writeBytes(writer, Tag.text, value.textBytes);
  else writeBytes(writer, Tag.blob, value);
}

function writeBytes(writer: RowLogWriter, tag: number, bytes: Uint8Array): void {
  writer.bytes(tag, bytes, 0, bytes.length);
}

// Changes of a transaction to `sqlite_sequence`: no hook reports how AUTOINCREMENT counts, so the rows before and after are compared.
import { groupBy } from '#shared/group-by.ts';
import { isRawText, isReal, type Value } from '#shared/protocol/values.ts';
import { asciiText } from '#shared/ascii-text.ts';
import { Entry, Tag } from './format.ts';
import { RowLogWriter } from './writer.ts';

/** Name, row id, number. An UPDATE by hand can store anything in this table. */
export type SequenceRow = readonly Value[];

const encoder = new TextEncoder();

/**
 * @param names AUTOINCREMENT tables with rows that came or went: putting rows back counts, so the sequences are kept even where they are
 *   unchanged
 */
export function sequenceEntries(
  before: readonly SequenceRow[],
  after: readonly SequenceRow[],
  names: readonly string[],
): RowLogWriter {
  const [old, now] = [byName(before), byName(after)];
  const all = new Map<string, Value>(names.map((name) => [encoded([name]), name]));
  for (const [name] of [...before, ...after]) all.set(encoded([name!]), name!);
  const writer = new RowLogWriter(Infinity);
  for (const [key, name] of all) {
    const rows = [old.get(key) ?? [], now.get(key) ?? []];
    if (!names.includes(name as string) && encoded(rows[0]!.flat()) === encoded(rows[1]!.flat())) continue;
    writer.begin(Entry.sequence, 0);
    writeValue(writer, name);
    for (const list of rows) {
      writer.number(list.length);
      for (const row of list) for (const value of row.slice(1)) writeValue(writer, value);
    }
    writer.end();
  }
  return writer;
}

const byName = (rows: readonly SequenceRow[]): Map<string, SequenceRow[]> =>
  groupBy(rows, ([name]) => encoded([name!]));

/** A text that is equal for equal values in the same storage classes. */
function encoded(values: readonly Value[]): string {
  const writer = new RowLogWriter(Infinity);
  for (const value of values) writeValue(writer, value);
  const bytes = writer.contents();
  return asciiText(bytes, 0, bytes.length);
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

// Writes a value in memory as a cell of packed rows.
import type { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { isRawText, isReal, type Value } from '#shared/protocol/index.ts';

export function writeValue(writer: PackedRowsWriter, value: Value): void {
  if (value === null) writer.null();
  else if (typeof value === 'string') writer.text(value);
  else if (typeof value === 'bigint') writer.bigInteger(value);
  else if (isReal(value)) writer.real(value.real);
  else if (isRawText(value)) writer.textBytes(value.textBytes);
  else if (value instanceof Uint8Array) writer.blob(value);
  else if (Number.isSafeInteger(value) && !Object.is(value, -0)) writer.integer(value);
  else writer.real(value);
}

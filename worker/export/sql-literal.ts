// Writes cells as SQL literals that SQLite's own shell reads back exactly.
import { CellType } from '#shared/packed-rows/format.ts';
import type { ByteWriter } from './byte-writer.ts';
import { isUtf8 } from './cells.ts';
import type { Cells } from './cells.ts';

const QUOTE = 0x27;
const CR = 0x0d;
/** The digits without the sign exceed SQLite's integer range. */
const MIN_INTEGER = -9223372036854775808n;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function writeLiteral(cells: Cells, cell: number, out: ByteWriter): void {
  switch (cells.types[cell]) {
    case CellType.null:
      return out.ascii('NULL');
    case CellType.text:
      return writeText(cells.heap, cells.start(cell), cells.length(cell), out);
    case CellType.blob:
      return writeBlob(cells.heap, cells.start(cell), cells.length(cell), out);
    case CellType.bigInteger:
      return out.ascii(cells.bigint(cell) === MIN_INTEGER ? '(-9223372036854775807 - 1)' : String(cells.bigint(cell)));
    default:
      return cells.writeNumber(cell, out);
  }
}

function writeBlob(heap: Uint8Array, start: number, length: number, out: ByteWriter): void {
  out.ascii("X'");
  out.hex(heap, start, length);
  out.byte(QUOTE);
}

function writeText(heap: Uint8Array, start: number, length: number, out: ByteWriter): void {
  const into = out.reserve(length * 2 + 2);
  const before = out.length;
  let at = before;
  let hasCr = false;
  let isPlain = true;
  let isAscii = true;
  into[at++] = QUOTE;
  for (let index = start; index < start + length; index++) {
    const byte = heap[index]!;
    if (byte === QUOTE) into[at++] = QUOTE;
    else if (byte === CR) hasCr = true;
    else if (byte === 0) isPlain = false;
    else if (byte > 0x7f) isAscii = false;
    into[at++] = byte;
  }
  into[at++] = QUOTE;
  // SQL text ends at a NUL and must be UTF-8.
  if (!isPlain || (!isAscii && !isUtf8(heap, start, length))) {
    out.ascii('CAST(');
    writeBlob(heap, start, length, out);
    return out.ascii(' AS TEXT)');
  }
  if (!hasCr) return out.advance(at - before);
  writeWithCr(decoder.decode(heap.subarray(start, start + length)), out);
}

/** SQLite's shell drops a CR at the end of a line, even inside a string. */
function writeWithCr(text: string, out: ByteWriter): void {
  let mark = '\\r';
  for (let number = 0; text.includes(mark); number++) mark = `\\r${number}_`;
  out.text(`replace('${text.replaceAll("'", "''").replaceAll('\r', mark)}','${mark}',char(13))`);
}

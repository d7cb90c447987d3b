// Writes cells as SQL literals that SQLite's own shell reads back exactly.
import { CellType } from '#shared/packed-rows/format.ts';
import type { ByteWriter } from './byte-writer.ts';
import { isUtf8, type Cells } from './cells.ts';

const QUOTE = 0x27;
const CR = 0x0d;
const LF = 0x0a;
/** The digits without the sign exceed SQLite's integer range. */
const MIN_INTEGER = -9223372036854775808n;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** @param isOneLine line feeds in texts are written as codes, too */
export function writeLiteral(cells: Cells, cell: number, out: ByteWriter, isOneLine = false): void {
  switch (cells.types[cell]) {
    case CellType.null:
      return out.ascii('NULL');
    case CellType.text:
      return writeText(cells.bytes(cell), out, isOneLine);
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

function writeText(text: Uint8Array, out: ByteWriter, isOneLine: boolean): void {
  const { length } = text;
  const into = out.reserve(length * 2 + 2);
  const before = out.length;
  let at = before;
  let hasBreak = false;
  let isPlain = true;
  let isAscii = true;
  into[at++] = QUOTE;
  for (let index = 0; index < length; index++) {
    const byte = text[index]!;
    if (byte === QUOTE) into[at++] = QUOTE;
    else if (byte === CR || (byte === LF && isOneLine)) hasBreak = true;
    else if (byte === 0) isPlain = false;
    else if (byte > 0x7f) isAscii = false;
    into[at++] = byte;
  }
  into[at++] = QUOTE;
  // SQL text ends at a NUL and must be UTF-8.
  if (!isPlain || (!isAscii && !isUtf8(text, 0, length))) {
    out.ascii('CAST(');
    writeBlob(text, 0, length, out);
    return out.ascii(' AS TEXT)');
  }
  if (!hasBreak) return out.advance(at - before);
  out.text(withoutBreaks(decoder.decode(text), isOneLine ? BREAKS : BREAKS.slice(0, 1)));
}

/** The shell drops a CR at the end of a line, even inside a string. */
const BREAKS = [
  { character: '\r', escape: '\\r', code: 13 },
  { character: '\n', escape: '\\n', code: 10 },
] as const;

/** An expression for a text, in which such characters do not stand themselves. */
function withoutBreaks(text: string, breaks: readonly (typeof BREAKS)[number][]): string {
  let inner = text.replaceAll("'", "''");
  let [before, after] = ['', ''];
  for (const { character, escape, code } of breaks) {
    if (!text.includes(character)) continue;
    let mark: string = escape;
    for (let number = 0; text.includes(mark); number++) mark = `${escape}${number}_`;
    inner = inner.replaceAll(character, mark);
    before = `replace(${before}`;
    after = `${after},'${mark}',char(${code}))`;
  }
  return `${before}'${inner}'${after}`;
}

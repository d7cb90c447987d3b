// Parses text of rows and fields, as spreadsheets copy it: the inverse of `quoted` in clipboard.ts. Turns rows into columns.
import { AppError } from '#shared/protocol/errors.ts';

/** How a text is split; `quote` is empty if fields are never quoted. */
interface BlockFormat {
  readonly delimiter: string;
  readonly quote: string;
}

const COPIED: BlockFormat = { delimiter: '\t', quote: '"' };

/** Each takes some hundred bytes until it is pasted, and a text may have nothing but delimiters. */
const MAX_CELLS = 5_000_000;

/**
 * Parses tab-separated text. A line end after the last row does not start another one. Quotes count only around a whole field.
 * @throws AppError `too-big`
 */
export const parseBlock = (text: string): readonly (readonly string[])[] =>
  fieldsOf(text, COPIED).map((fields) => fields.map((field) => field.text));

/**
 * The block of a copied text with its rows as columns.
 * @param rows the number of rows, because a text does not show empty rows at its end
 */
export const transposedCopy = (text: string, rows: number): string => turned(fieldsOf(text, COPIED), rows, '\t');

/**
 * The text with its rows as columns, each field as it is written. Null if it has more than `maxRows` rows.
 * @throws AppError `too-big`, also when short rows would be filled up with too many fields
 */
export function transposed(text: string, format: BlockFormat, maxRows: number): string | null {
  const block = fieldsOf(text, format, maxRows + 1);
  return block.length > maxRows ? null : turned(block, block.length, format.delimiter);
}

function turned(block: readonly (readonly Field[])[], rows: number, delimiter: string): string {
  const width = block.reduce((most, fields) => Math.max(most, fields.length), 0);
  if (rows * width > MAX_CELLS) throw tooManyCells();
  const lines = Array.from({ length: width }, (_, column) =>
    Array.from({ length: rows }, (_row, row) => block[row]?.[column]?.source ?? '').join(delimiter),
  );
  return lines.join('\n');
}

const tooManyCells = (): AppError =>
  AppError.tooBig(
    `The text has more than ${MAX_CELLS.toLocaleString('en-US')} cells, too many for the clipboard. Nothing was changed. Save it as a file and import that.`,
  );

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Reads up to `maxRows` rows. */
function fieldsOf(text: string, { delimiter, quote }: BlockFormat, maxRows = Infinity): readonly (readonly Field[])[] {
  const rows: Field[][] = [[]];
  const separator = new RegExp(`${escaped(delimiter)}|[\r\n]`, 'g');
  let at = 0;
  for (let count = 1; ; count++) {
    if (count > MAX_CELLS) throw tooManyCells();
    const field = quotedField(text, at, { delimiter, quote }) ?? plainField(text, at, separator);
    rows[rows.length - 1]!.push(field);
    at = field.end;
    if (at >= text.length) return rows;
    if (text.startsWith(delimiter, at)) {
      at += delimiter.length;
      continue;
    }
    at += text.startsWith('\r\n', at) ? 2 : 1;
    if (at >= text.length || rows.length >= maxRows) return rows;
    rows.push([]);
  }
}

interface Field {
  readonly text: string;
  /** The field as written. */
  readonly source: string;
  readonly end: number;
}

function plainField(text: string, start: number, separator: RegExp): Field {
  separator.lastIndex = start;
  const end = separator.exec(text)?.index ?? text.length;
  const source = text.slice(start, end);
  return { text: source, source, end };
}

function quotedField(text: string, start: number, { delimiter, quote }: BlockFormat): Field | null {
  if (quote === '' || text[start] !== quote) return null;
  let at = text.indexOf(quote, start + 1);
  while (at >= 0 && text[at + 1] === quote) at = text.indexOf(quote, at + 2);
  if (at < 0) return null;
  const end = at + 1;
  const isWhole = end === text.length || text.startsWith(delimiter, end) || '\r\n'.includes(text[end]!);
  if (!isWhole) return null;
  return { text: text.slice(start + 1, at).replaceAll(quote + quote, quote), source: text.slice(start, end), end };
}

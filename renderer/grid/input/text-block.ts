// Parses tab-separated text from spreadsheets into rows of fields: the inverse of `quoted` in clipboard.ts.
import { quoted } from './clipboard.ts';

/** A line end after the last row does not start another one. Quotes count only around a whole field. */
export function parseBlock(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  let at = 0;
  for (;;) {
    const field = quotedField(text, at) ?? plainField(text, at);
    rows[rows.length - 1]!.push(field.text);
    at = field.end;
    if (at >= text.length) return rows;
    if (text[at] === '\t') {
      at++;
      continue;
    }
    at += text.startsWith('\r\n', at) ? 2 : 1;
    if (at >= text.length) return rows;
    rows.push([]);
  }
}

/**
 * The block of a copied text with its rows as columns.
 *
 * @param rows how many there are: of empty ones at the end, the text says nothing
 */
export function transposed(text: string, rows: number): string {
  const block = parseBlock(text);
  const width = Math.max(...block.map((fields) => fields.length));
  const lines = Array.from({ length: width }, (_, column) =>
    Array.from({ length: rows }, (_row, row) => quoted(block[row]?.[column] ?? '')).join('\t'),
  );
  return lines.join('\n');
}

interface Field {
  readonly text: string;
  readonly end: number;
}

const SEPARATOR = /[\t\r\n]/g;

function plainField(text: string, start: number): Field {
  SEPARATOR.lastIndex = start;
  const end = SEPARATOR.exec(text)?.index ?? text.length;
  return { text: text.slice(start, end), end };
}

function quotedField(text: string, start: number): Field | null {
  if (text[start] !== '"') return null;
  let at = text.indexOf('"', start + 1);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  if (at < 0) return null;
  const isWhole = at + 1 === text.length || '\t\r\n'.includes(text[at + 1]!);
  return isWhole ? { text: text.slice(start + 1, at).replaceAll('""', '"'), end: at + 1 } : null;
}

// The rows of a sheet whose XML does not have them in order, or has one several times: Excel would repair it, and other programs read it by the
// numbers of its rows.
import type { ZipStream } from './zip-stream.ts';

/** A larger sheet is read in the order of the file, which is said. */
export const MOST_SORTED_BYTES = 4 << 20;

const ROW = /<((?:[\w.-]+:)?row)(?=[\s/>])([^<>]*)>/g;
const NUMBER = /\sr\s*=\s*["'](\d{1,9})["']/;

interface Row {
  readonly number: number;
  readonly tag: string;
  readonly attributes: string;
  readonly cells: string;
}

/** All of the stream, with its rows in order; null: it cannot be read to its end. */
export async function inOrder(stream: ZipStream): Promise<ZipStream | null> {
  const pieces: Uint8Array[] = [];
  try {
    for (let piece = await stream.next(); piece !== null; piece = await stream.next()) pieces.push(piece.slice());
  } catch {
    return null;
  }
  const sorted = sortedRows(await new Blob(pieces as BlobPart[]).text());
  const rest = sorted === null ? pieces : [new TextEncoder().encode(sorted)];
  return { bytesRead: stream.bytesRead, next: async () => rest.shift() ?? null, close: () => (rest.length = 0) };
}

/** Cells of a row that is there several times are put together, in their order. Null: all is in order, or cannot be told. */
export function sortedRows(xml: string): string | null {
  // Rows within them are none.
  if (xml.includes('<!--') || xml.includes('<![CDATA[')) return null;
  const rows: Row[] = [];
  let [from, end, last] = [-1, 0, 0];
  let isInOrder = true;
  for (const { 0: whole, 1: tag = '', 2: attributes = '', index } of xml.matchAll(ROW)) {
    if (index < end) return null;
    const number = Number(NUMBER.exec(attributes)?.[1] ?? last + 1);
    if (number <= last) isInOrder = false;
    last = number;
    if (from < 0) from = index;
    const isEmpty = attributes.endsWith('/');
    const after = index + whole.length;
    const close = isEmpty ? after : xml.indexOf(`</${tag}>`, after);
    if (close < 0) return null;
    rows.push({
      number,
      tag,
      attributes: isEmpty ? attributes.slice(0, -1) : attributes,
      cells: xml.slice(after, close),
    });
    end = isEmpty ? after : close + tag.length + 3;
  }
  if (isInOrder) return null;
  const byNumber = new Map<number, Row[]>();
  for (const row of rows) {
    const same = byNumber.get(row.number);
    if (same) same.push(row);
    else byNumber.set(row.number, [row]);
  }
  const text = [...byNumber]
    .sort(([one], [other]) => one - other)
    .map(([number, same]) => {
      const { tag, attributes } = same[0]!;
      const numbered = NUMBER.test(attributes) ? attributes : ` r="${number}"${attributes}`;
      return `<${tag}${numbered}>${same.map(({ cells }) => cells).join('')}</${tag}>`;
    });
  return xml.slice(0, from) + text.join('') + xml.slice(end);
}

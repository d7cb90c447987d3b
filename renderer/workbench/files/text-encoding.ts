// The bytes of a text file as text and back, with its encoding, its byte order mark, and its line ends. Pure.
import type { LineEnds } from '../cells/line-ends.ts';

export const TEXT_ENCODINGS = [
  'utf-8',
  'utf-8-bom',
  'utf-16le',
  'utf-16le-bom',
  'utf-16be',
  'utf-16be-bom',
  'windows-1252',
] as const;

export type TextEncoding = (typeof TEXT_ENCODINGS)[number];

export interface DecodedText {
  /** Text as stored, including line ends. */
  readonly text: string;
  readonly encoding: TextEncoding;
}

const MARKS: readonly (readonly [TextEncoding, readonly number[]])[] = [
  ['utf-8-bom', [0xef, 0xbb, 0xbf]],
  ['utf-16le-bom', [0xff, 0xfe]],
  ['utf-16be-bom', [0xfe, 0xff]],
];

/** Number of bytes that are examined to tell UTF-16 without a mark from UTF-8. */
const SAMPLE_BYTES = 4096;

/** Null if the bytes are not text in a known encoding, so that they would not come back as they were. */
export function decodeText(bytes: Uint8Array): DecodedText | null {
  const marked = MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte));
  const encodings: readonly TextEncoding[] = marked ? [marked[0]] : [unmarked(bytes), 'windows-1252'];
  for (const encoding of encodings) {
    try {
      const decoder = new TextDecoder(plainName(encoding), { fatal: true, ignoreBOM: true });
      return { text: decoder.decode(bytes.subarray(markOf(encoding).length)), encoding };
    } catch {
      // The bytes are not valid in this encoding.
    }
  }
  return null;
}

/** The bytes, or the first character that the encoding does not have. */
export function encodeText(
  text: string,
  encoding: TextEncoding,
): { readonly bytes: Uint8Array } | { readonly missing: string } {
  const mark = markOf(encoding);
  const name = plainName(encoding);
  if (name === 'utf-8') return { bytes: joined(mark, new TextEncoder().encode(text)) };
  if (name === 'windows-1252') return encodeWindows1252(text);
  const bytes = new Uint8Array(mark.length + text.length * 2);
  bytes.set(mark);
  const view = new DataView(bytes.buffer, mark.length);
  const isLittle = name === 'utf-16le';
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), isLittle);
  return { bytes };
}

/** “UTF-8”, “UTF-16 LE with BOM”. */
export function encodingLabel(encoding: TextEncoding): string {
  const label = { 'utf-8': 'UTF-8', 'utf-16le': 'UTF-16 LE', 'utf-16be': 'UTF-16 BE', 'windows-1252': 'Windows-1252' };
  return label[plainName(encoding)] + (encoding.endsWith('-bom') ? ' with BOM' : '');
}

/** The text as an editor keeps it, which knows only line feeds. */
export const asEdited = (stored: string): string => stored.replace(/\r\n?/g, '\n');

/**
 * An edited text with the line ends of the stored one. Where the line ends are mixed, lines before and after all changes keep theirs, and
 * new lines get the line end that most lines have.
 */
export function asStoredText(edited: string, ends: LineEnds, stored: string | null): string {
  if (ends === 'lf') return edited;
  if (ends === 'crlf') return edited.replaceAll('\n', '\r\n');
  if (stored === null) return edited;
  const [lines, before] = [edited.split('\n'), storedLines(stored)];
  let head = 0;
  const common = Math.min(lines.length, before.length);
  // The last line of either has no line end.
  while (head < common - 1 && lines[head] === before[head]!.text) head++;
  let tail = 0;
  while (tail < common - head && lines.at(-1 - tail) === before.at(-1 - tail)!.text) tail++;
  const usual = mostCommonEnd(before);
  let text = '';
  lines.forEach((line, at) => {
    const fromEnd = lines.length - at;
    const own = at < head ? before[at] : fromEnd <= tail ? before.at(-fromEnd) : null;
    const end = own?.end ?? usual;
    // A lone CR and a line feed after it would be one line end.
    if (at < lines.length - 1) text += line + (line === '' && end === '\n' && text.endsWith('\r') ? '\r\n' : end);
    else text += line;
  });
  return text;
}

export const LINE_END_LABELS: Readonly<Record<LineEnds, string>> = {
  lf: 'LF',
  crlf: 'CRLF',
  mixed: 'mixed line endings',
};

interface StoredLine {
  readonly text: string;
  readonly end: string;
}

function storedLines(stored: string): readonly StoredLine[] {
  const parts = stored.split(/(\r\n?|\n)/);
  const lines: StoredLine[] = [];
  for (let at = 0; at < parts.length; at += 2) lines.push({ text: parts[at]!, end: parts[at + 1] ?? '' });
  return lines;
}

function mostCommonEnd(lines: readonly StoredLine[]): string {
  const counts = new Map<string, number>();
  for (const { end } of lines) if (end !== '') counts.set(end, (counts.get(end) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? '\n';
}

type PlainName = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

const plainName = (encoding: TextEncoding): PlainName => encoding.replace(/-bom$/, '') as PlainName;

const markOf = (encoding: TextEncoding): readonly number[] => MARKS.find(([name]) => name === encoding)?.[1] ?? [];

/** SQL is mostly ASCII, of which every second byte is zero in UTF-16. */
function unmarked(bytes: Uint8Array): TextEncoding {
  if (bytes.length < 2 || bytes.length % 2 !== 0) return 'utf-8';
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = [0, 0];
  sample.forEach((byte, at) => byte === 0 && zeros[at % 2]!++);
  const mostly = (sample.length / 2) * 0.7;
  if (zeros[1]! > mostly && zeros[0] === 0) return 'utf-16le';
  if (zeros[0]! > mostly && zeros[1] === 0) return 'utf-16be';
  return 'utf-8';
}

/** All 256 bytes have a character, so that every file comes back as it was (encoding.spec.whatwg.org/#index-windows-1252). */
function encodeWindows1252(text: string): { readonly bytes: Uint8Array } | { readonly missing: string } {
  const characters = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
  const byteOf = new Map([...characters].map((character, byte) => [character, byte]));
  const bytes = new Uint8Array(text.length);
  let at = 0;
  for (const character of text) {
    const byte = byteOf.get(character);
    if (byte === undefined) return { missing: character };
    bytes[at++] = byte;
  }
  return { bytes };
}

function joined(mark: readonly number[], bytes: Uint8Array): Uint8Array {
  if (mark.length === 0) return bytes;
  const all = new Uint8Array(mark.length + bytes.length);
  all.set(mark);
  all.set(bytes, mark.length);
  return all;
}

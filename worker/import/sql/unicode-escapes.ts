// `U&'d\0061t\+000061'` and `U&"d!0061" UESCAPE '!'` of PostgreSQL (postgresql.org/docs/current/sql-syntax-lexical.html, 4.1.2.3).
import { asText, byteText, isUtf8Text } from './byte-text.ts';

const UESCAPE = /\s+UESCAPE\s+'([^\s\da-f+'"])'/iy;
const LONE_SURROGATE = /\p{Surrogate}/u;

const encoder = new TextEncoder();

export const isUnicodePrefix = (text: string, at: number): boolean => /^U&['"]/i.test(text.slice(at, at + 3));

export interface UnicodeEnd {
  readonly escape: string;
  /** Length of ` UESCAPE '!'`; 0 where there is none. */
  readonly length: number;
}

/** What follows the closing quote before `at`. */
export function unicodeEnd(text: string, at: number): UnicodeEnd {
  UESCAPE.lastIndex = at;
  const [found = '', escape = '\\'] = UESCAPE.exec(text) ?? [];
  return { escape, length: found.length };
}

/** The text that is meant, as bytes; null where an escape is none. @param value between the quotes, of bytes */
export function unicodeText(value: string, escape: string): string | null {
  if (!isUtf8Text(value)) return null;
  const mark = `\\u{${escape.codePointAt(0)!.toString(16)}}`;
  const pattern = new RegExp(`${mark}(?:(${mark})|([\\da-f]{4})|\\+([\\da-f]{6}))?`, 'giu');
  let isValid = true;
  const text = asText(value).replace(pattern, (_found, twice?: string, short?: string, long?: string) => {
    if (twice !== undefined) return escape;
    const code = Number.parseInt(short ?? long ?? '0', 16);
    isValid &&= code > 0 && code <= 0x10ffff;
    return isValid ? String.fromCodePoint(code) : '';
  });
  return isValid ? bytesOfText(text) : null;
}

/** Null where one is no character. */
export function charactersOf(codes: readonly number[]): string | null {
  return codes.every((code) => code > 0 && code <= 0x10ffff) ? bytesOfText(String.fromCodePoint(...codes)) : null;
}

/** Two escapes may be the halves of one character. */
const bytesOfText = (text: string): string | null =>
  LONE_SURROGATE.test(text) ? null : byteText(encoder.encode(text));

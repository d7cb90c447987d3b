// Bytes that PostgreSQL reads from their numbers: `\xff` and `\377`, in rows of COPY and in `E'…'`. They are in the encoding of the file.
import { exactUtf8 } from './byte-text.ts';

const ONE = /\\(?:x([\da-fA-F]{1,2})|([0-7]{1,3}))/g;
/** Escapes of bytes that follow each other, which may be one character; or another escape. */
export const ESCAPES = /(?:\\(?:x[\da-fA-F]{1,2}|[0-7]{1,3}))+|\\([^])/g;
const TEXT = /(?<![\w$])E'((?:[^'\\]|\\[^]|'')*)'/gi;
const MAY_HAVE_BYTES = /\\(?:x[89a-f]|[2-7]\d\d)/i;
/** An escape that PostgreSQL refuses, and SQLite, too. */
const NONE = String.raw`\u0000`;

/** One character for each byte. */
const bytesOfEscapes = (run: string): string =>
  run.replace(ONE, (_found, hex?: string, octal?: string) =>
    String.fromCharCode(hex === undefined ? Number.parseInt(octal!, 8) & 0xff : Number.parseInt(hex, 16)),
  );

/** Databases are in no other encoding than UTF-8 whose dumps are in one of Unicode. */
const isUnicode = (encoding: string): boolean => /^(?:utf|ascii$)/i.test(encoding);

/** The characters that are meant, as UTF-8; null: they are none. In UTF-8, what is beside the escapes may be a part of them, so they stay bytes. */
export const textOfEscapes = (run: string, encoding: string): string | null =>
  isUnicode(encoding) ? bytesOfEscapes(run) : exactUtf8(bytesOfEscapes(run), encoding);

/** A statement that was decoded, with characters in place of such escapes in `E'…'`. */
export function withoutByteEscapes(text: string, encoding: string): string {
  if (isUnicode(encoding) || !MAY_HAVE_BYTES.test(text)) return text;
  return text.replace(TEXT, (quoted: string) =>
    MAY_HAVE_BYTES.test(quoted)
      ? quoted.replace(ESCAPES, (run: string, other?: string) => {
          if (other !== undefined || !MAY_HAVE_BYTES.test(run)) return run;
          return textOfEscapes(run, encoding)?.replace(/['\\]/g, (sign) => `\\${sign}`) ?? NONE;
        })
      : quoted,
  );
}

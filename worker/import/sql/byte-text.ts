// Text made of bytes, one character (0 to 255) for each: SQL files are read this way, so that invalid UTF-8 is not lost before it is known
// whether it is text at all.

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const BEYOND_ASCII = /[\x80-\xff]/;
/** Arguments of one call. */
const PIECE = 8192;

export function byteText(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += PIECE)
    pieces.push(String.fromCharCode.apply(null, bytes.subarray(at, at + PIECE) as unknown as number[]));
  return pieces.join('');
}

export function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** Decodes UTF-8; bytes that are not UTF-8 become U+FFFD. */
export function asText(text: string): string {
  return BEYOND_ASCII.test(text) ? decoder.decode(bytesOf(text)) : text;
}

/**
 * Names and comments in another encoding as the bytes of UTF-8: bytes that are no character become U+FFFD.
 *
 * @throws RangeError for an encoding that is not known
 */
export function asUtf8(text: string, encoding: string): string {
  if (encoding === 'utf-8' || encoding === 'ascii' || !BEYOND_ASCII.test(text)) return text;
  return byteText(encoder.encode(new TextDecoder(encoding).decode(bytesOf(text))));
}

const exactDecoders = new Map<string, TextDecoder>();

/** A value in another encoding as the bytes of UTF-8. Null: some of its bytes are no character. @throws RangeError as {@link asUtf8} */
export function exactUtf8(text: string, encoding: string): string | null {
  if (!BEYOND_ASCII.test(text)) return text;
  const known = exactDecoders.get(encoding) ?? new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  exactDecoders.set(encoding, known);
  try {
    return byteText(encoder.encode(known.decode(bytesOf(text))));
  } catch {
    return null;
  }
}

export function isUtf8Text(text: string): boolean {
  if (!BEYOND_ASCII.test(text)) return true;
  try {
    strict.decode(bytesOf(text));
    return true;
  } catch {
    return false;
  }
}

export function hexOf(text: string): string {
  let hex = '';
  for (let at = 0; at < text.length; at++) hex += text.charCodeAt(at).toString(16).padStart(2, '0');
  return hex;
}

// Bytes as PostgreSQL writes them (postgresql.org/docs/current/datatype-binary.html): `\x00ff`, or text with `\000` and `\\`.

/** One character for each byte. @param text made of bytes */
export function bytesOfBytea(text: string): string {
  if (text.startsWith('\\x') && text.length % 2 === 0 && !/[^\da-f]/i.test(text.slice(2))) {
    const codes: string[] = [];
    for (let at = 2; at < text.length; at += 2)
      codes.push(String.fromCharCode(Number.parseInt(text.slice(at, at + 2), 16)));
    return codes.join('');
  }
  return text.replace(/\\(?:\\|([0-3][0-7]{2}))/g, (_, octal: string | undefined) =>
    octal === undefined ? '\\' : String.fromCharCode(Number.parseInt(octal, 8)),
  );
}

// Bytes that PostgreSQL reads from their numbers: `\xff` and `\377`, in rows of COPY and in `E'…'`. They are in the encoding of the file.

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

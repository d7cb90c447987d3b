// JSON of a server, which is not trusted: what it would take in memory is counted before it is parsed, and checking it ends with the first
// mistake, because a list of all can be as long as the reply.
import * as v from 'valibot';
import { AppError } from '#shared/protocol/errors.ts';
import { malformed } from '../hrana/malformed.ts';

/** So short a text takes little memory, whatever it is. */
const SHORT = 1 << 20;
/**
 * An empty list or object takes three bytes of a reply and 150 of memory, a short value two bytes and about 40: so much each counts. D1
 * answers a query at once, with millions of cells, and a cell of Hrana is an object. A short text, which takes three bytes, counts besides
 * its place: measured, six million different ones took 700 MB. The names in an object are there once, and its values count with it.
 */
const [LIST_BYTES, ITEM_BYTES, TEXT_BYTES] = [160, 40, 80];
const MOST_BYTES = 480e6;
const [QUOTE, BACKSLASH, COMMA, COLON, OPENING_BRACKET, OPENING_BRACE] = [0x22, 0x5c, 0x2c, 0x3a, 0x5b, 0x7b];

/** @throws AppError `too-big`, `unavailable` */
export function parseReply(text: string): unknown {
  if (text.length > SHORT && hasTooManyParts(text)) throw tooManyParts();
  try {
    return JSON.parse(text);
  } catch {
    throw malformed('it is not JSON, or was cut off');
  }
}

/** @param what the whole of the value, in words. @throws AppError `unavailable` */
export function checkReply<T extends v.GenericSchema>(schema: T, value: unknown, what = 'the reply'): v.InferOutput<T> {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  throw malformed(`${v.getDotPath(result.issues[0]) ?? what} has the wrong form`);
}

/** Counts lists, objects, and their items outside of strings: long values are no longer in memory than in the text. */
function hasTooManyParts(text: string): boolean {
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) {
      const end = endOfString(text, at);
      if (text.charCodeAt(at - 1) !== COLON && text.charCodeAt(end + 1) !== COLON) bytes += TEXT_BYTES;
      at = end;
    } else if (char === COMMA) bytes += ITEM_BYTES;
    else if (char === OPENING_BRACKET || char === OPENING_BRACE) bytes += LIST_BYTES;
    if (bytes > MOST_BYTES) return true;
  }
  return false;
}

/** The position of the closing quote, or of the end of the text. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === BACKSLASH) at++;
    else if (char === QUOTE) return at;
  }
  return text.length;
}

const tooManyParts = (): AppError =>
  AppError.tooBig('The server’s response has millions of parts. Nothing was read. Read fewer rows at a time.', {
    detail: { kind: 'reply', sent: true },
  });

// The keys of an object under which there are lists of records: what a JSON file could be read from.
import type { ByteSource } from '../../records/record-batch.ts';
import type { ReadingLimits } from '../reading-limits.ts';
import { ByteWindow } from './byte-window.ts';
import { CUT, JsonScanner } from './json-scanner.ts';
import { JsonSkipper } from './json-skipper.ts';

const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const COMMA = 0x2c;
/** A list after this many bytes of other content is not found, so that a large file does not keep the user waiting. */
const MAX_BYTES = 256 << 20;
const MAX_PARTS = 1000;
/** A longer key is no name that a person could choose. */
const MAX_KEY_CHARACTERS = 10_000;

interface Looked {
  readonly bytes: Uint8Array;
  at: number;
  readonly end: number;
}

/** The part that is the object itself, as one row. */
export const WHOLE_OBJECT = '';

export interface FoundParts {
  readonly parts: string[];
  /** Other keys, at most {@link MAX_PARTS}: what is left out with a part. */
  readonly others: string[];
  /** Another object follows: both are records. */
  isOneOfMany: boolean;
}

/** Searches the beginning of a file. */
export function partsOfSample(bytes: Uint8Array): FoundParts {
  const found = { parts: [], others: [], isOneOfMany: false };
  find({ bytes, at: 0, end: bytes.length }, found).next();
  return found;
}

/** Searches the whole file. The object itself is the last part, where it has any. */
export async function partsOfFile(
  source: ByteSource,
  encoding: string,
  limits?: ReadingLimits,
): Promise<readonly string[]> {
  const window = new ByteWindow(source, encoding, limits);
  const found: FoundParts = { parts: [], others: [], isOneOfMany: false };
  await window.more();
  const search = find(window, found);
  const isEnough = (): boolean => window.isOver || window.isTooMuch || window.bytesRead >= MAX_BYTES;
  while (search.next().done !== true && !isEnough()) await window.more();
  return found.isOneOfMany || found.parts.length === 0 ? [] : [...found.parts, WHOLE_OBJECT];
}

/** Stops where it needs more bytes than there are, and where there is nothing to find. */
function* find(window: Looked, found: FoundParts): Generator<undefined, void> {
  const scanner = new JsonScanner();
  const skipper = new JsonSkipper();
  /** Tries until there are enough bytes. */
  function* enough(step: (from: number) => number): Generator<undefined, number> {
    for (;;) {
      scanner.look(window.bytes, window.end);
      const after = step(window.at);
      if (after !== CUT) return after;
      yield;
    }
  }
  const visible = (from: number): number => {
    const at = scanner.space(from);
    return at < window.end ? at : CUT;
  };
  window.at = yield* enough(visible);
  if (window.bytes[window.at] !== OPEN_BRACE) return;
  window.at++;
  for (;;) {
    window.at = yield* enough(visible);
    if (window.bytes[window.at] === CLOSE_BRACE) break;
    if (window.bytes[window.at] === COMMA) window.at++;
    window.at = yield* enough(visible);
    // The key, its value, and what the value begins with.
    let isList = false;
    let key = '';
    const value = yield* enough((from) => {
      const end = scanner.keyString(from);
      const at = end < 0 ? end : scanner.colon(end);
      if (at < 0 || at >= window.end) return at < 0 ? at : CUT;
      key = JSON.parse(new TextDecoder().decode(window.bytes.subarray(from, end))) as string;
      if (window.bytes[at] !== OPEN_BRACKET) return at;
      const first = visible(at + 1);
      if (first < 0) return first;
      isList = window.bytes[first] === OPEN_BRACE || window.bytes[first] === OPEN_BRACKET;
      return at;
    });
    if (value < 0) return;
    const list = isList && key !== WHOLE_OBJECT ? found.parts : found.others;
    if (list.length < MAX_PARTS && key.length <= MAX_KEY_CHARACTERS) list.push(key);
    window.at = value;
    skipper.begin();
    const after = yield* enough((from) => {
      const end = skipper.skip(window.bytes, from, window.end);
      if (end === CUT) window.at = window.end;
      return end;
    });
    if (after < 0) return;
    window.at = after;
  }
  window.at++;
  window.at = yield* enough(visible);
  found.isOneOfMany = window.bytes[window.at] === OPEN_BRACE;
}

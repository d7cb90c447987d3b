// The lists of records in an object, however deep its keys are nested: what a JSON file could be read from.
import { visibleLine } from '#shared/visible-text.ts';
import type { ByteSource } from '../../records/record-batch.ts';
import type { FileParts } from '../import-format.ts';
import type { ReadingLimits } from '../reading-limits.ts';
import { ByteWindow } from './byte-window.ts';
import { JsonSkipper } from './json-skipper.ts';
import { CUT, JsonScanner, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE, COMMA } from './json-scanner.ts';

const SPACE = 0x20;
/** A list after this many bytes of other content is not found, so that a large file does not keep the user waiting. */
const MAX_BYTES = 256 << 20;
const MAX_PARTS = 1000;
/** A longer key is no name that a person could choose. */
const MAX_KEY_CHARACTERS = 10_000;
/** Objects deeper than that are skipped, and so are all after so many keys: such an object is data, and no frame around a list. */
const MAX_DEPTH = 16;
const MAX_KEYS = 100_000;
/** The beginning of a list that is looked at. */
const SEEN_BYTES = 1000;
/** Names in one sentence. */
const MAX_NAMES = 5;
/** Bytes of a content that are counted: of two that are larger, neither counts as the smaller one. */
const MOST_COUNTED = 1 << 20;

/** The part that is the object itself, as one row. */
export const WHOLE_OBJECT = '';

/** `data.items`: a key that contains a period is in quotation marks. */
export const partName = (path: readonly string[]): string => path.map(nameOfKey).join('.');

const nameOfKey = (key: string): string =>
  key === '' || key.includes('.') || key.startsWith('"') ? JSON.stringify(key) : key;

interface Looked {
  readonly bytes: Uint8Array;
  at: number;
  readonly end: number;
}

/** Bytes but blanks, at most {@link MOST_COUNTED}. */
interface Content {
  bytes: number;
}

interface FoundList extends Content {
  readonly path: readonly string[];
  /** It holds records, as far as its beginning tells, rather than a row of coordinates. */
  readonly isOfRecords: boolean;
}

interface Found {
  readonly lists: FoundList[];
  readonly names: Set<string>;
  /** Names of other keys, at most {@link MAX_PARTS}: what is left out with a list. */
  readonly others: string[];
  /** What is in no list. */
  readonly frame: Content;
  /** Another object follows: both are records. */
  isOneOfMany: boolean;
}

/** Searches the whole file. The first part is the one that is read where nothing else is chosen. */
export async function partsOfFile(source: ByteSource, encoding: string, limits?: ReadingLimits): Promise<FileParts> {
  const window = new ByteWindow(source, encoding, limits);
  const found: Found = { lists: [], names: new Set(), others: [], frame: { bytes: 0 }, isOneOfMany: false };
  await window.more();
  const search = find(window, found);
  const isEnough = (): boolean => window.isOver || window.isTooMuch || window.bytesRead >= MAX_BYTES;
  while (search.next().done !== true && !isEnough()) await window.more();
  return found.isOneOfMany || found.lists.length === 0 ? { names: [], evidence: [] } : chosen(found);
}

/** The list nearest to the top comes first: of the object's own the first one, of nested ones the longest. */
function chosen({ lists, others, frame }: Found): FileParts {
  const sorted = [...lists].sort(
    (a, b) => a.path.length - b.path.length || (a.path.length === 1 ? 0 : recordBytes(b) - recordBytes(a)),
  );
  const names = sorted.map(({ path }) => partName(path));
  const [first] = sorted;
  const isNested = first!.path.length > 1;
  if (!first!.isOfRecords || areLikeEachOther(sorted) || (isNested && !areMost(lists, frame))) {
    const reason = `The whole object is read as one row, because ${inWords(names)} ${names.length === 1 ? 'is' : 'are'} more likely to be its values than rows. Choose a part to read its rows instead.`;
    return { names: [WHOLE_OBJECT, ...names], evidence: [{ option: 'part', reason }] };
  }
  const left = [...names.slice(1), ...others];
  const [are, them] = left.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const leftOut =
    left.length === 0
      ? ''
      : ` ${inWords(left)} ${are} left out: choose another part, or the whole object as one row, to read ${them}.`;
  const reason = `“${visibleLine(names[0]!)}” is the ${isNested && sorted.length > 1 ? 'longest list of rows nearest to the top' : 'first key with a list of rows'}.${leftOut}`;
  return { names: [...names, WHOLE_OBJECT], evidence: [{ option: 'part', reason }] };
}

const recordBytes = ({ isOfRecords, bytes }: FoundList): number => (isOfRecords ? bytes : 0);

/** The object is a frame around its lists, which are two thirds of it or more, rather than something that has a few of its values in lists, such as a person with telephones. */
function areMost(lists: readonly FoundList[], frame: Content): boolean {
  const all = lists.reduce((sum, { bytes }) => sum + bytes, frame.bytes);
  return lists.reduce((sum, list) => sum + recordBytes(list), 0) * 3 >= all * 2;
}

/** Several of the nearest lists have one key in different objects, such as those of different people: none stands for all. */
function areLikeEachOther(sorted: readonly FoundList[]): boolean {
  const depth = sorted[0]!.path.length;
  const nearest = sorted.filter(({ path }) => path.length === depth);
  return nearest.length > 1 && new Set(nearest.map(({ path }) => path.at(-1))).size < nearest.length;
}

function inWords(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => `“${visibleLine(name)}”`);
  const items = names.length > MAX_NAMES ? [...shown, `${names.length - MAX_NAMES} more`] : shown;
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** An object whose keys are looked at, and what was found before it. */
interface OpenObject {
  readonly path: readonly string[];
  readonly lists: number;
  readonly others: number;
}

/** Stops where it needs more bytes than there are, and where there is nothing to find. */
function* find(window: Looked, found: Found): Generator<undefined, void> {
  const reader = new PieceReader(window);
  if ((yield* reader.visible()) !== OPEN_BRACE) return;
  window.at++;
  const open: OpenObject[] = [{ path: [], lists: 0, others: 0 }];
  for (let keys = 0; open.length > 0; keys++) {
    const { path } = open.at(-1)!;
    const first = yield* reader.visible();
    if (first === CLOSE_BRACE) {
      window.at++;
      close(open.pop()!, found);
      continue;
    }
    if (first === COMMA) window.at++;
    const entry = yield* reader.entry();
    if (entry === null) return;
    const isName = entry.key.length <= MAX_KEY_CHARACTERS;
    if (entry.kind === 'object' && isName && path.length < MAX_DEPTH && keys < MAX_KEYS) {
      open.push({ path: [...path, entry.key], lists: found.lists.length, others: found.others.length });
      window.at++;
      continue;
    }
    const list = isName ? add(found, [...path, entry.key], entry.kind) : null;
    if (list === null) found.frame.bytes += entry.key.length;
    if (!(yield* reader.skips(list ?? found.frame))) return;
  }
  found.isOneOfMany = (yield* reader.visible()) === OPEN_BRACE;
}

/** Walks over what is in a window; each method yields until there are enough bytes. */
class PieceReader {
  readonly #window: Looked;
  readonly #scanner = new JsonScanner();
  readonly #skipper = new JsonSkipper();

  constructor(window: Looked) {
    this.#window = window;
  }

  *#enough(step: (from: number) => number): Generator<undefined, number> {
    const window = this.#window;
    for (;;) {
      this.#scanner.look(window.bytes, window.end);
      const after = step(window.at);
      if (after !== CUT) return after;
      yield;
    }
  }

  /** Goes to the next byte that is no space, and returns it. */
  *visible(): Generator<undefined, number> {
    const window = this.#window;
    window.at = yield* this.#enough((from) => {
      const at = this.#scanner.space(from);
      return at < window.end ? at : CUT;
    });
    return window.bytes[window.at]!;
  }

  /** Goes to the value after a key. Null: it is not JSON. */
  *entry(): Generator<undefined, Entry | null> {
    const scanner = this.#scanner;
    let entry: Entry | null = null;
    yield* this.visible();
    const value = yield* this.#enough((from) => {
      const end = scanner.keyString(from);
      const at = end < 0 ? end : scanner.colon(end);
      if (at < 0 || at >= scanner.end) return at < 0 ? at : CUT;
      entry = entryAt(scanner, from, end, at);
      return entry === null ? CUT : at;
    });
    if (value < 0) return null;
    this.#window.at = value;
    return entry;
  }

  /** Goes to the end of a value, and adds its bytes to `content`. False: it is not certain where that is. */
  *skips(content: Content): Generator<undefined, boolean> {
    const window = this.#window;
    this.#skipper.begin();
    const after = yield* this.#enough((from) => {
      const end = this.#skipper.skip(window.bytes, from, window.end);
      if (end >= 0 || end === CUT) count(content, window.bytes, from, end === CUT ? window.end : end);
      if (end === CUT) window.at = window.end;
      return end;
    });
    if (after >= 0) window.at = after;
    return after >= 0;
  }
}

/** Blanks are not counted: indented lists would have more of them than what is around. */
function count(content: Content, bytes: Uint8Array, from: number, end: number): void {
  for (let at = from; at < end && content.bytes < MOST_COUNTED; at++) if (bytes[at]! > SPACE) content.bytes++;
}

interface Entry {
  readonly key: string;
  /** What the value begins as. */
  readonly kind: 'object' | 'records' | 'lists' | 'other';
}

/** Null: more bytes are needed. @param end of the key @param at where the value begins */
function entryAt(scanner: JsonScanner, from: number, end: number, at: number): Entry | null {
  const { bytes } = scanner;
  const key = JSON.parse(new TextDecoder().decode(bytes.subarray(from, end))) as string;
  if (bytes[at] === OPEN_BRACE) return { key, kind: 'object' };
  if (bytes[at] !== OPEN_BRACKET) return { key, kind: 'other' };
  const first = scanner.space(at + 1);
  if (first >= scanner.end) return null;
  if (bytes[first] === OPEN_BRACE) return { key, kind: 'records' };
  if (bytes[first] !== OPEN_BRACKET) return { key, kind: 'other' };
  const beginning = bytes.subarray(first, Math.min(first + SEEN_BYTES, scanner.end));
  const hasMore = beginning.length < SEEN_BYTES && !beginning.includes(CLOSE_BRACKET);
  if (hasMore) return null;
  const values = /^\[([^[\]{}]*)\]/.exec(new TextDecoder().decode(beginning))?.[1] ?? '';
  return { key, kind: /["tfn]/.test(values) ? 'records' : 'lists' };
}

/** Returns the list; null: it is something else. */
function add({ lists, names, others }: Found, path: readonly string[], kind: Entry['kind']): FoundList | null {
  const name = partName(path);
  const isList = (kind === 'records' || kind === 'lists') && !names.has(name);
  // Nested ones leave room for those of the object itself.
  if (isList && lists.length < (path.length === 1 ? 2 * MAX_PARTS : MAX_PARTS)) {
    const list = { path, isOfRecords: kind === 'records' || path.length === 1, bytes: 0 };
    lists.push(list);
    names.add(name);
    return list;
  }
  if (!isList && others.length < MAX_PARTS) others.push(name);
  return null;
}

/** An object without a list in it is left out as a whole. */
function close({ path, lists, others }: OpenObject, found: Found): void {
  if (path.length === 0 || found.lists.length > lists) return;
  found.others.length = Math.min(found.others.length, others);
  add(found, path, 'other');
}

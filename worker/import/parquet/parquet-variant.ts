// Variants as JSON, exactly: values that bring their own types, in bytes (github.com/apache/parquet-format, VariantEncoding.md), in columns of
// their own where a writer has shredded them (VariantShredding.md), or in both.
import { isListLike } from 'hyparquet/src/schema.js';
import type { SchemaTree } from 'hyparquet/src/types.js';
import { decimalText, hex, leafJson, realText, uuidText, type OddParts } from './parquet-values.ts';
import { dayText, timestampText, timeText } from './parquet-times.ts';

/** Deeper, longer, or outside its bytes: a value that no writer makes. */
const MAX_DEPTH = 500;
const MAX_CHARACTERS = 16 << 20;

class Damaged extends Error {}

type Names = readonly string[];

/** A value, or a part of one: in bytes, in columns, or in both. */
interface Holder {
  readonly value?: unknown;
  readonly typed_value?: unknown;
}

/** Undefined where the value is missing, which is not null. */
type ReadHolder = (holder: Holder, names: Names) => string | undefined;

export const isVariant = ({ element }: SchemaTree): boolean => element.logical_type?.type === 'VARIANT';

/** One value of a column of Variants. Bytes that are no Variant are shown as they are, and `odd` says so. */
export function variantWriter(tree: SchemaTree, odd: OddParts): (value: unknown) => string {
  const read = holderReader(tree, odd);
  return (value) => {
    if (value === null || value === undefined) return 'null';
    const { metadata, ...holder } = value as Holder & { readonly metadata?: unknown };
    try {
      return read(holder, metadata instanceof Uint8Array ? namesOf(metadata) : []) ?? 'null';
    } catch (error) {
      if (!(error instanceof Damaged || error instanceof RangeError)) throw error;
      odd.last = 'no-variant';
      const shown = Object.entries(value).filter(([, part]) => part instanceof Uint8Array);
      return JSON.stringify(Object.fromEntries(shown.map(([name, part]) => [name, hex(part as Uint8Array)])));
    }
  };
}

function holderReader(tree: SchemaTree, odd: OddParts): ReadHolder {
  const typed = tree.children.find(({ element }) => element.name === 'typed_value');
  const readTyped = typed && typedReader(typed, odd);
  return ({ value, typed_value: inColumns }, names) => {
    const bytes = value instanceof Uint8Array ? value : null;
    if (readTyped && inColumns !== null && inColumns !== undefined) return readTyped(inColumns, names, bytes);
    return bytes === null ? undefined : new VariantBytes(bytes, names).value(0);
  };
}

/** @returns reads what is in columns; `rest` has the other keys of an object */
function typedReader(
  tree: SchemaTree,
  odd: OddParts,
): (value: unknown, names: Names, rest: Uint8Array | null) => string {
  if (tree.children.length === 0) return leafJson(tree.element, odd);
  if (isListLike(tree)) {
    const item = holderReader(tree.children[0]!.children[0]!, odd);
    return (value, names) =>
      `[${Array.from(value as Iterable<Holder | null>, (one) => item(one ?? {}, names) ?? 'null').join(',')}]`;
  }
  const fields = tree.children.map((child) => [child.element.name, holderReader(child, odd)] as const);
  return (value, names, rest) => {
    const parts = new Map<string, string>();
    for (const [name, read] of fields) {
      const text = read((value as Record<string, Holder | null>)[name] ?? {}, names);
      if (text !== undefined) parts.set(name, text);
    }
    if (rest !== null) for (const [name, text] of new VariantBytes(rest, names).fields(0)) parts.set(name, text);
    return objectOf([...parts]);
  };
}

const objectOf = (parts: readonly (readonly [name: string, text: string])[]): string =>
  `{${parts.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function utf8(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    throw new Damaged();
  }
}

const known = new WeakMap<Uint8Array, Names>();

/** The names of keys, which most rows share. */
function namesOf(bytes: Uint8Array): Names {
  const before = known.get(bytes);
  if (before) return before;
  const header = bytes[0] ?? 0;
  if ((header & 0x0f) !== 1) throw new Damaged();
  const width = (header >> 6) + 1;
  const view = viewOf(bytes);
  const count = unsigned(view, 1, width);
  const base = 1 + width * (count + 2);
  if (base > bytes.length) throw new Damaged();
  const names = Array.from({ length: count }, (_, at) => {
    const [start, end] = [unsigned(view, 1 + width * (at + 1), width), unsigned(view, 1 + width * (at + 2), width)];
    if (end < start || base + end > bytes.length) throw new Damaged();
    return utf8(bytes.subarray(base + start, base + end));
  });
  known.set(bytes, names);
  return names;
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function unsigned(view: DataView, at: number, width: number): number {
  let value = 0;
  for (let byte = width - 1; byte >= 0; byte--) value = value * 256 + view.getUint8(at + byte);
  return value;
}

class VariantBytes {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #names: Names;
  #depth = 0;
  #characters = 0;

  constructor(bytes: Uint8Array, names: Names) {
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
    this.#names = names;
  }

  value(at: number): string {
    const first = this.#view.getUint8(at);
    const kind = first & 3;
    if (kind === 2) return objectOf(this.fields(at));
    if (kind === 3) return `[${this.#items(at).join(',')}]`;
    const text = kind === 1 ? this.#text(at + 1, first >> 2) : this.#primitive(at + 1, first >> 2);
    // Parts may share their bytes, so a few of them can make any number of characters.
    this.#characters += text.length;
    if (this.#characters > MAX_CHARACTERS) throw new Damaged();
    return text;
  }

  /** Keys with their values. */
  fields(at: number): readonly (readonly [name: string, text: string])[] {
    const first = this.#view.getUint8(at);
    if ((first & 3) !== 2) throw new Damaged();
    const header = first >> 2;
    const [offsetWidth, idWidth, sizeWidth] = [(header & 3) + 1, ((header >> 2) & 3) + 1, (header & 16) === 0 ? 1 : 4];
    const count = this.#count(at + 1, sizeWidth, offsetWidth + idWidth);
    const ids = at + 1 + sizeWidth;
    const offsets = ids + count * idWidth;
    const base = offsets + (count + 1) * offsetWidth;
    return this.#deeper(() =>
      Array.from({ length: count }, (_, index) => {
        const name = this.#names[unsigned(this.#view, ids + index * idWidth, idWidth)];
        if (name === undefined) throw new Damaged();
        const offset = unsigned(this.#view, offsets + index * offsetWidth, offsetWidth);
        return [name, this.value(base + offset)] as const;
      }),
    );
  }

  #items(at: number): readonly string[] {
    const header = this.#view.getUint8(at) >> 2;
    const [offsetWidth, sizeWidth] = [(header & 3) + 1, (header & 4) === 0 ? 1 : 4];
    const count = this.#count(at + 1, sizeWidth, offsetWidth);
    const offsets = at + 1 + sizeWidth;
    const base = offsets + (count + 1) * offsetWidth;
    return this.#deeper(() =>
      Array.from({ length: count }, (_, index) =>
        this.value(base + unsigned(this.#view, offsets + index * offsetWidth, offsetWidth)),
      ),
    );
  }

  /** A number of parts, for each of which there are at least so many bytes. */
  #count(at: number, width: number, bytesEach: number): number {
    const count = unsigned(this.#view, at, width);
    if (count * bytesEach > this.#bytes.length) throw new Damaged();
    this.#characters += count;
    return count;
  }

  #deeper<T>(read: () => T): T {
    if (++this.#depth > MAX_DEPTH || this.#characters > MAX_CHARACTERS) throw new Damaged();
    const result = read();
    this.#depth--;
    return result;
  }

  #text(at: number, length: number): string {
    return JSON.stringify(utf8(this.#slice(at, length)));
  }

  #slice(at: number, length: number): Uint8Array {
    if (at + length > this.#bytes.length) throw new Damaged();
    return this.#bytes.subarray(at, at + length);
  }

  /** By the numbers that the format gives its types. */
  #primitive(at: number, type: number): string {
    const view = this.#view;
    const quoted = (text: string | null): string => {
      if (text === null) throw new Damaged();
      return JSON.stringify(text);
    };
    const micros = (): bigint => view.getBigInt64(at, true);
    switch (type) {
      case 0: return 'null';
      case 1: return 'true';
      case 2: return 'false';
      case 3: return String(view.getInt8(at));
      case 4: return String(view.getInt16(at, true));
      case 5: return String(view.getInt32(at, true));
      case 6: return String(view.getBigInt64(at, true));
      case 7: return realText(view.getFloat64(at, true));
      case 8: return this.#decimal(at, BigInt(view.getInt32(at + 1, true)));
      case 9: return this.#decimal(at, view.getBigInt64(at + 1, true));
      case 10: return this.#decimal(at, (view.getBigInt64(at + 9, true) << 64n) | view.getBigUint64(at + 1, true));
      case 11: return quoted(dayText(view.getInt32(at, true)));
      case 12: return quoted(timestampText(micros(), 'MICROS', true));
      case 13: return quoted(timestampText(micros(), 'MICROS', false));
      case 14: return realText(view.getFloat32(at, true));
      case 15: return quoted(hex(this.#slice(at + 4, view.getUint32(at, true))));
      case 16: return this.#text(at + 4, view.getUint32(at, true));
      case 17: return quoted(timeText(micros(), 'MICROS'));
      case 18: return quoted(timestampText(micros(), 'NANOS', true));
      case 19: return quoted(timestampText(micros(), 'NANOS', false));
      case 20: return quoted(uuidText(this.#slice(at, 16)));
      default: throw new Damaged();
    } // prettier-ignore
  }

  #decimal(at: number, unscaled: bigint): string {
    const text = decimalText(unscaled, this.#view.getUint8(at));
    if (text === null) throw new Damaged();
    return text;
  }
}

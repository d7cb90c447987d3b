// The columns of JSON records: keys of objects as they appear, found again by their bytes where records name them in the same order.

/** SQLite's limit for a table (SQLITE_MAX_COLUMN in both engines). */
export const MAX_COLUMNS = 2000;

/** Longer ones are no names, and 2,000 of them would take all memory. */
export const MAX_NAME_BYTES = 10_000;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export class JsonColumns {
  readonly names: string[] = [];
  /** What the file calls them; null: nothing. */
  readonly #given: (string | null)[] = [];
  readonly #taken = new Set<string>();
  readonly #byKey = new Map<string, number>();
  /** Key of each column, as it was between the quotes when it first appeared. */
  readonly #raw: Uint8Array[] = [];
  /** Column that the last object had at each place. */
  readonly #order: number[] = [];

  get count(): number {
    return this.names.length;
  }

  /** The column whose key in quotes begins at `at`, if it is the one the last object had at this place; otherwise -1. */
  expected(bytes: Uint8Array, at: number, place: number): number {
    const column = this.#order[place];
    if (column === undefined) return -1;
    const raw = this.#raw[column]!;
    const { length } = raw;
    if (bytes[at] !== 0x22 || bytes[at + length + 1] !== 0x22) return -1;
    for (let index = 0; index < length; index++) if (bytes[at + 1 + index] !== raw[index]) return -1;
    return column;
  }

  /** Bytes of the key of a column with its quotes. */
  lengthOf(column: number): number {
    return this.#raw[column]!.length + 2;
  }

  /** The column of a key, added if it is new; -1 where there are too many, or the key is too long for a name. `start` and `end` are inside the quotes. */
  find(bytes: Uint8Array, start: number, end: number, place: number): number {
    if (end - start > MAX_NAME_BYTES) return -1;
    const raw = bytes.subarray(start, end);
    const text = decoder.decode(raw);
    // The grammar makes it a string; only its escapes must be undone.
    const key = text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
    const known = this.#byKey.get(key);
    if (known !== undefined) {
      // A key that is there again and again has no place of its own.
      if (place < MAX_COLUMNS) this.#order[place] = known;
      return known;
    }
    if (this.count === MAX_COLUMNS) return -1;
    const column = this.add(key);
    this.#byKey.set(key, column);
    this.#raw[column] = raw.slice();
    if (place < MAX_COLUMNS) this.#order[place] = column;
    return column;
  }

  /** Those from `first` on that cannot have the names that the file gives them. */
  renamed(first: number): readonly string[] {
    return this.names
      .slice(first)
      .filter((name, at) => this.#given[first + at] !== null && name !== this.#given[first + at]);
  }

  /** Named so that SQLite can tell it from the others: it ignores the case of ASCII letters, and a name ends at NUL. Blanks alone are no name. @param given null: none */
  add(given: string | null): number {
    const column = this.names.length;
    const text = (given ?? '').replaceAll('\0', '␀').replace(LONE_SURROGATES, '\ufffd');
    const base = text.trim() === '' ? `column${column + 1}` : text;
    let name = base;
    for (let number = 2; this.#taken.has(folded(name)); number++) name = `${base}_${number}`;
    this.#taken.add(folded(name));
    this.names.push(name);
    this.#given.push(given);
    return column;
  }

  /** Forgets the later columns, such as those that only an unreadable record brought. */
  forgetFrom(count: number): void {
    for (const name of this.names.splice(count)) this.#taken.delete(folded(name));
    this.#given.length = this.names.length;
    for (const [key, column] of this.#byKey) if (column >= count) this.#byKey.delete(key);
    this.#raw.length = Math.min(this.#raw.length, count);
    this.#order.length = 0;
  }
}

const LONE_SURROGATES = /\p{Cs}/gu;
const folded = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

// The parts of an export in order: text that is written unchanged, and the rows of a statement or of a kept result.
import type { RowInterval, SeenRow } from '#shared/protocol/export.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { TableRows, Connection } from '../engines/engine.ts';
import type { KeptRows as RowsByPosition } from '../readers/arrange/arranged-rows.ts';
import type { RowsHead, SchemaObject } from './rows-head.ts';
import type { SmallRows } from './small-tables.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { keyOrderOf, type Key } from '../readers/key-order.ts';
import { keyNames, type TableShape } from '../schema/table-shape.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { toAppError, whatHappened, AppError, inParts } from '#shared/protocol/errors.ts';
import { sameValue } from '../sql/same-value.ts';

export interface StatementRows {
  readonly sql: string;
  readonly params: readonly Value[];
  /** The rows to write, by position among the rows of the statement; null: all. */
  readonly keep: readonly RowInterval[] | null;
  /** What the user sees of the rows to write. */
  readonly seen?: SeenRows | undefined;
  /** Set if they are all rows of a table, which the engine may have a faster way to read. */
  readonly scan?: TableRows | undefined;
  /** These rows, if they are few and were read with those of other tables. */
  readonly small?: () => SmallRows | null;
  /** Slices of these rows, where they are read in slices. */
  readonly slices?: KeySlices | undefined;
  /** Estimates the number of rows, which reads some of them; null when it is unknown. Asked only where there are more than a few. */
  readonly estimate: () => number | null;
}

export interface KeptRows {
  /** Rows as shown: sorted and filtered by the user. */
  readonly shown: RowsByPosition;
  readonly keep: readonly RowInterval[] | null;
}

/** The purpose of the SQL, for a format that runs it instead of writing it. */
export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
  /** Begins or ends the complete dump. */
  readonly isFrame?: true;
  readonly defines?: SchemaObject;
  /** The object is kept even if SQLite cannot use it here: it is no more broken than in the database, which is exported as a whole. */
  readonly isKept?: boolean;
  /** The sentence for the user that the SQL comment contains. */
  readonly note?: string;
  /** The text puts the definition into the schema without running it. */
  readonly isStored?: true;
  /** The note is about rows that are missing. */
  readonly isLoss?: true;
}

export type ExportPart =
  | TextPart
  | {
      readonly kind: 'statement';
      readonly head: RowsHead;
      readonly rows: StatementRows;
      /** Rows that cannot be read are left out, with a note, and the export goes on. */
      readonly goesOn?: true;
    }
  | { readonly kind: 'kept'; readonly head: RowsHead; readonly rows: KeptRows };

// The rows of a table on a server in slices, each from the last key that was read: one round trip for which Stop does not wait, and whose
// reply the server does not refuse for its size.

export interface KeySlices {
  /** The first `rows` rows after the one with this key, or of the table. */
  statement(after: Key | null, rows: number): { readonly sql: string; readonly params: readonly Value[] };
  /** Key of the last of these rows; null if the key is only partly included. */
  lastKey(rows: PackedRows): Key | null;
}

const FIRST_ROWS = 250;
const MOST_ROWS = 16_000;
/** A server refuses replies of more than 10 MB, and has then read their rows for nothing. */
const MOST_BYTES = 2 << 20;

/**
 * @param names the first columns of the slices; those of the key follow if they are not among them. Undefined where a table is read as one,
 *   or has no key to continue from
 */
export function keySlicesOf(
  connection: Connection,
  shape: TableShape,
  names: readonly string[],
): KeySlices | undefined {
  if (connection.isMetered !== true || shape.kind !== 'table' || shape.key.kind === 'none') return undefined;
  const key = shape.key.kind === 'rowid' ? [shape.rowidColumn ?? shape.key.name] : keyNames(shape.key);
  const all = [...names, ...key.filter((name) => !names.includes(name))];
  const places = key.map((name) => all.indexOf(name));
  const { after, orderBy } = keyOrderOf(connection, shape);
  const select = `SELECT ${quoteNames(all)} FROM main.${quoteName(shape.name)}`;
  return {
    statement: (last, rows) => ({
      sql: `${select}${last === null ? '' : ` WHERE ${after.sql}`} ORDER BY ${orderBy} LIMIT ${rows}`,
      params: last === null ? [] : after.params(last),
    }),
    lastKey(rows) {
      const [reader, row] = [new PackedRowsReader(rows), rows.rowCount - 1];
      if (places.some((place) => reader.isPreview(row, place))) return null;
      return places.map((place) => reader.value(row, place));
    },
  };
}

/** How many rows the next slice has: twice as many each time, as long as they are no more than a couple of megabytes. */
export function nextSlice(rows: number | null, bytes: number): number {
  if (rows === null) return FIRST_ROWS;
  const fit = Math.floor((rows * MOST_BYTES) / Math.max(bytes, 1));
  return Math.max(1, Math.min(rows * 2, MOST_ROWS, fit));
}

export const missing = (note: string): TextPart => ({
  kind: 'text',
  text: `-- ${note.replace(/[\r\n]+/g, ' ')}\n`,
  note,
});

/** @throws `thrown`, unless it says that SQLite cannot use this table here, or that the table is damaged */
export function unreadable(table: string, thrown: unknown): TextPart {
  const error = toAppError(thrown);
  if (error.code !== 'sql' && error.code !== 'corrupt') throw thrown;
  const note = `Rows of ${JSON.stringify(table)} are missing, because they cannot be read. ${whatHappened(error)}`;
  return { ...missing(note), isLoss: true };
}

// Whether the rows of an export are the ones that the user selected: they are selected by position, and others may have committed rows above.

/** Where the rows that the user sees must be among the ones that are read. */
export interface ReadPlaces {
  /** In any order. */
  readonly seen: readonly SeenRow[];
  /** Key of the last row, however many there are; null: it is not known. */
  readonly lastKey: Key | null;
}

export class SeenRows {
  readonly #seen: readonly SeenRow[];
  readonly #lastKey: Key | null;
  readonly #keyPlaces: readonly number[];
  #checked = 0;
  #isLast = false;

  /** @param keyPlaces the packed columns of the key, in its order */
  constructor({ seen, lastKey }: ReadPlaces, keyPlaces: readonly number[]) {
    this.#seen = [...seen].sort((a, b) => a.position - b.position);
    this.#lastKey = lastKey;
    this.#keyPlaces = keyPlaces;
  }

  /** @param start position of the first of these rows, which follow the ones checked before. @throws AppError `refused` */
  check(rows: PackedRows, start: number): void {
    if (rows.rowCount === 0) return;
    const reader = new PackedRowsReader(rows);
    while (this.#isNextBefore(start + rows.rowCount)) {
      const { position, key } = this.#seen[this.#checked]!;
      if (!this.#hasKey(reader, position - start, key)) throw elsewhere();
      this.#checked++;
    }
    if (this.#lastKey) this.#isLast = this.#hasKey(reader, rows.rowCount - 1, this.#lastKey);
  }

  /** Called after the last row. @throws AppError `refused` */
  end(): void {
    if (this.#checked < this.#seen.length || (this.#lastKey && !this.#isLast)) throw elsewhere();
  }

  #hasKey(reader: PackedRowsReader, row: number, key: Key): boolean {
    const places = this.#keyPlaces;
    return key.length === places.length && places.every((place, at) => sameValue(reader.value(row, place), key[at]!));
  }

  #isNextBefore(end: number): boolean {
    return this.#checked < this.#seen.length && this.#seen[this.#checked]!.position < end;
  }
}

const elsewhere = (): AppError =>
  AppError.refused(
    inParts(
      'Rows were added, removed, or moved just now, and the selected ones are elsewhere.',
      'Nothing was exported. Try again.',
    ),
  );

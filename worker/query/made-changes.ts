// The exact effect of an edit on rows: enough to make its inverse as an edit that checks what it rests on.
import type { MadeChange, RowChange, RowImage } from '#shared/protocol/edit.ts';
import { byName } from '#shared/by-name.ts';
import { affinityOf } from '#shared/ddl/affinity.ts';
import { storageClassOf, type Value } from '#shared/protocol/values.ts';
import { keyNames, type TableShape } from '../schema/table-shape.ts';
import { quoteName } from '../sql/quote.ts';
import { decodeBytes } from '../sql/text-bytes.ts';

type Key = readonly Value[];

/** The edits of a grid, and those that only an undo makes. */
export type CheckedChange =
  | RowChange
  /** Applied only if the row has these values. */
  | { readonly kind: 'remove'; readonly key: Key; readonly base: RowImage }
  /** A row that was deleted, under its old key. */
  | { readonly kind: 'restore'; readonly key: Key; readonly set: RowImage };

/** A server refuses replies of more than 10 MB. */
const MAX_REPLY_BYTES = 3_000_000;
/** Text comes back as bytes. */
const BASE64 = 4 / 3;
/** Limit for a column that the edit does not name: a default value. */
const MAX_DEFAULT_BYTES = 1024;

export const inverseOf = (made: readonly MadeChange[]): readonly MadeChange[] =>
  made.map(({ table, before, after }) => ({ table, before: after, after: before })).reverse();

/** The edit that leads from `before` to `after`. */
export function changeFor({ before, after }: MadeChange): CheckedChange {
  if (before && after) return { kind: 'update', key: before.key, set: after.image, base: before.image };
  if (before) return { kind: 'remove', key: before.key, base: before.image };
  return { kind: 'restore', key: after!.key, set: after!.image };
}

export const madeBytes = (made: readonly MadeChange[]): number =>
  made.reduce(
    (sum, { before, after }) => sum + imageBytes(before?.image ?? null) + imageBytes(after?.image ?? null),
    0,
  );

/** Reads with the writes what their inverse needs. */
export class ChangeImages {
  readonly #shape: TableShape;
  readonly #all: readonly string[];
  readonly #eachBytes: number;

  /** Null when the edit cannot be undone: rows without a key, or too long. @param changes all that are sent together */
  static of(shape: TableShape, changes: readonly CheckedChange[]): ChangeImages | null {
    const sent = changes.reduce((sum, change) => sum + sentBytes(change), 0);
    return shape.key.kind === 'none' || sent > MAX_REPLY_BYTES ? null : new ChangeImages(shape, changes.length);
  }

  private constructor(shape: TableShape, count: number) {
    this.#shape = shape;
    this.#all = shape.columns.filter(({ generated }) => generated === 'no').map(({ name }) => name);
    this.#eachBytes = Math.floor(MAX_REPLY_BYTES / Math.max(1, count));
  }

  /** List of values that the write returns after the key. */
  returning(change: CheckedChange): string {
    const columns = this.#columnsAfter(change);
    if (columns.length === 0) return '';
    const { set } = change as { readonly set?: RowImage };
    const limit = set ? MAX_DEFAULT_BYTES : Math.floor(this.#eachBytes / columns.length);
    return `, ${imageSql(columns, (column) => (set && Object.hasOwn(set, column) ? MAX_REPLY_BYTES : limit))}`;
  }

  /** Values read from the row before the write. @param here the row */
  before(change: CheckedChange, here: string): string | null {
    const columns = this.#columnsBefore(change);
    if (columns === null) return null;
    const image = imageSql(columns, () => this.#eachBytes);
    return `SELECT ${image === '' ? '1' : image} ${here} AND ${sizeSql(columns)} <= ${this.#eachBytes}`;
  }

  /** Approximate size of a change's values in the reply: those it sets and those it replaces, as far as they are known. */
  returnedBytes(change: CheckedChange): number {
    const { set, base } = change as { readonly set?: RowImage; readonly base?: RowImage };
    return Math.ceil((imageBytes(set ?? null) + imageBytes(base ?? null)) * BASE64);
  }

  /** Null when a value was too long, or the reply was lost. */
  made(change: CheckedChange, before: readonly Value[] | null, returned: readonly Value[] | null): MadeChange | null {
    const isBefore = this.#columnsBefore(change);
    const [was, is] = [isBefore && before && readImage(isBefore, before), this.#after(change, returned)];
    if (isBefore !== null && !was) return null;
    const { key } = change as { readonly key?: Key };
    const old = was ? { key: key!, image: was } : null;
    const { name: table } = this.#shape;
    if (change.kind === 'delete' || change.kind === 'remove') return returned && { table, before: old, after: null };
    return is && { table, before: old, after: is };
  }

  #after(change: CheckedChange, returned: readonly Value[] | null): MadeChange['after'] {
    if (returned === null) return null;
    const keys = keyNames(this.#shape.key).length;
    const image = readImage(this.#columnsAfter(change), returned.slice(keys));
    return image && { key: returned.slice(0, keys), image: this.#asStored(image) };
  }

  /** RETURNING gives an integral number in a REAL column as an INTEGER, as which SQLite stores it to save space, but which it is not when read. */
  #asStored(image: RowImage): RowImage {
    const stored = Object.assign(byName<Value>(), image);
    for (const { name, declaredType } of this.#shape.columns) {
      if (!Object.hasOwn(image, name)) continue;
      const value = image[name]!;
      const isInteger = value !== null && storageClassOf(value) === 'integer';
      if (isInteger && affinityOf(declaredType, this.#shape.strict) === 'REAL') stored[name] = { real: Number(value) };
    }
    return stored;
  }

  #columnsBefore(change: CheckedChange): readonly string[] | null {
    if (change.kind === 'update') return Object.keys(change.set);
    return change.kind === 'delete' || change.kind === 'remove' ? this.#all : null;
  }

  #columnsAfter(change: CheckedChange): readonly string[] {
    if (change.kind === 'update') return Object.keys(change.set);
    return change.kind === 'delete' || change.kind === 'remove' ? [] : this.#all;
  }
}

function sentBytes(change: CheckedChange): number {
  return 'set' in change ? Object.values(change.set).reduce<number>((sum, value) => sum + valueBytes(value), 0) : 0;
}

// Values of a row in a form in which a server returns each exactly: text as bytes, because it may not be UTF-8, and infinities as words.

const LARGEST_REAL = '1.7976931348623157e308';

/**
 * Two result columns for each column: its storage class and its value. Their names are short because a server repeats the names with each
 * statement, where an expression without one is named by its text.
 * @param maxBytes longer values are left out
 */
function imageSql(columns: readonly string[], maxBytes: (column: string) => number): string {
  return columns
    .map((column) => {
      const name = quoteName(column);
      const form = `CASE typeof(${name}) WHEN 'text' THEN CAST(${name} AS BLOB) WHEN 'real' THEN CASE WHEN abs(${name}) > ${LARGEST_REAL} THEN CASE WHEN ${name} > 0 THEN '+' ELSE '-' END ELSE ${name} END ELSE ${name} END`;
      return `typeof(${name}) AS s, CASE WHEN octet_length(${name}) <= ${maxBytes(column)} THEN ${form} END AS v`;
    })
    .join(', ');
}

/** Bytes of all values of a row together, as SQL. */
const sizeSql = (columns: readonly string[]): string =>
  columns.map((column) => `coalesce(octet_length(${quoteName(column)}), 0)`).join(' + ') || '0';

/** Null when a value was too long. @param cells what {@link imageSql} returned */
function readImage(columns: readonly string[], cells: readonly Value[]): RowImage | null {
  const image = byName<Value>();
  for (const [at, column] of columns.entries()) {
    const form = cells[2 * at + 1]!;
    const storage = cells[2 * at];
    if (form === null && storage !== 'null') return null;
    if (storage === 'real' && typeof form === 'string') image[column] = form === '+' ? Infinity : -Infinity;
    else image[column] = storage === 'text' ? decodeBytes(form as Uint8Array, 'utf-8') : form;
  }
  return image;
}

/** Approximate memory it takes. */
function imageBytes(image: RowImage | null): number {
  let bytes = 64;
  for (const [column, value] of Object.entries(image ?? {})) bytes += 2 * column.length + valueBytes(value);
  return bytes;
}

function valueBytes(value: Value): number {
  if (typeof value === 'string') return 2 * value.length;
  if (value instanceof Uint8Array) return value.length;
  return typeof value === 'object' && value !== null && 'textBytes' in value ? value.textBytes.length : 8;
}

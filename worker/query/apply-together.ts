// The edits of a grid as writes that check the old values themselves, for a database where each statement is a round trip.
import type { EditReply, MadeChange, RowImage } from '#shared/protocol/edit.ts';
import { storageClassOf, type Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import type { BoundSql, GuardedRow, GuardedWrite } from '../engines/guarded-write.ts';
import { keyNames, type TableShape } from '../schema/table-shape.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { sameValue } from '../sql/same-value.ts';
import { ChangeImages, type CheckedChange } from './made-changes.ts';

type Key = readonly Value[];

/** SQL and errors of a table editor. */
export interface EditTerms {
  readonly shape: TableShape;
  /** The row with a key. */
  readonly condition: string;
  /** @throws AppError for a column that cannot be written */
  assertWritable(columns: readonly string[]): void;
  /** @param now left out where it is not known */
  conflict(column: string, now?: Value): Error;
  gone(): Error;
  keptByTrigger(): Error;
}

/** A change of a row of one table. */
export interface TermedChange {
  readonly terms: EditTerms;
  readonly change: CheckedChange;
}

/** Receives the changes made; null when they are not known well enough to be undone. */
export type KeepMade = (made: readonly MadeChange[] | null) => void;

/** @throws AppError; nothing was changed then */
export function applyTogether(
  connection: Pick<Connection, 'writeTogether'>,
  changes: readonly TermedChange[],
  keep?: KeepMade,
  /** Describes a change that its row no longer allows. */
  describe: (error: Error, at: number) => Error = (error) => error,
): EditReply {
  const images = keep ? imagesOf(changes) : null;
  const writes = changes.map(({ terms, change }) => withImages(terms, change, images?.get(terms) ?? null));
  const outcome = connection.writeTogether!(writes);
  if (outcome.kind === 'missed') throw describe(whyMissed(changes[outcome.at]!, outcome.now), outcome.at);
  const made = changes.map(
    ({ terms, change }, at) => images?.get(terms)?.made(change, outcome.before[at]!, outcome.rows[at]!) ?? null,
  );
  keep?.(made.every((one) => one !== null) ? made : null);
  const keys = changes.map(({ terms, change }, at) => keyAfter(terms, change, outcome.rows[at] ?? null));
  return { keys, rowsChanged: changes.length };
}

/** Images by table. Null when one of the changes cannot be undone. */
function imagesOf(changes: readonly TermedChange[]): ReadonlyMap<EditTerms, ChangeImages> | null {
  const images = new Map<EditTerms, ChangeImages>();
  const all = changes.map(({ change }) => change);
  for (const terms of new Set(changes.map((one) => one.terms))) {
    const ofTable = ChangeImages.of(terms.shape, all);
    if (ofTable === null) return null;
    images.set(terms, ofTable);
  }
  return images;
}

function withImages(terms: EditTerms, change: CheckedChange, images: ChangeImages | null): GuardedWrite {
  const row = rowOf(terms, change);
  const guarded: GuardedWrite = { ...writeOf(terms, change), ...(row && { row }) };
  if (images === null) return guarded;
  const { write } = guarded;
  const before = images.before(change, `FROM main.${quoteName(terms.shape.name)} WHERE ${terms.condition}`);
  return {
    ...guarded,
    write: { ...write, sql: write.sql + images.returning(change) },
    returnsBytes: images.returnedBytes(change),
    ...(before !== null && { before: { sql: before, params: (change as { readonly key: Key }).key } }),
  };
}

function rowOf({ shape }: EditTerms, change: CheckedChange): GuardedRow | null {
  if (shape.key.kind !== 'rowid') return null;
  switch (change.kind) {
    case 'insert':
    case 'duplicate':
    case 'restore':
      return { kind: 'insert', rowid: null, columns: [] };
    case 'delete':
    case 'remove':
      return { kind: 'delete', rowid: change.key[0]!, columns: [] };
    case 'update':
      return { kind: 'update', rowid: change.key[0]!, columns: Object.keys(change.set) };
  }
}

function writeOf(terms: EditTerms, change: CheckedChange): GuardedWrite {
  const { shape, condition } = terms;
  const table = `main.${quoteName(shape.name)}`;
  const keyList = quoteNames(keyNames(shape.key)) || '1';
  if (change.kind === 'insert') {
    const columns = Object.keys(change.set);
    terms.assertWritable(columns);
    const places = columns.map(() => '?').join(', ');
    const values = columns.length === 0 ? 'DEFAULT VALUES' : `(${quoteNames(columns)}) VALUES (${places})`;
    const write = { sql: `INSERT INTO ${table} ${values} RETURNING ${keyList}`, params: Object.values(change.set) };
    // Another row with the same values may have been there before.
    return { write, now: null, after: null };
  }
  if (change.kind === 'restore') return restoreOf(terms, change, table, keyList);
  if (change.kind === 'remove') return removeOf(terms, change, table);
  const { key } = change;
  const here = `FROM ${table} WHERE ${condition}`;
  if (change.kind === 'delete')
    return {
      write: { sql: `DELETE ${here} RETURNING 1`, params: key },
      now: { sql: `SELECT 1 ${here}`, params: key },
      after: { sql: `SELECT 1 WHERE NOT EXISTS (SELECT 1 ${here})`, params: key },
    };
  if (change.kind === 'duplicate') {
    const copied = shape.columns.filter(({ generated, name }) => generated === 'no' && name !== shape.rowidColumn);
    const list = quoteNames(copied.map(({ name }) => name));
    const into = list === '' ? 'DEFAULT VALUES' : `(${list}) SELECT ${list} ${here}`;
    const write = { sql: `INSERT INTO ${table} ${into} RETURNING ${keyList}`, params: list === '' ? [] : key };
    return { write, now: { sql: `SELECT 1 ${here}`, params: key }, after: null };
  }
  return updateOf(terms, change, { table, here, keyList });
}

/** Restores the row id, too, where it is not a column. */
function restoreOf(
  terms: EditTerms,
  { key, set }: { readonly key: Key; readonly set: RowImage },
  table: string,
  keyList: string,
): GuardedWrite {
  const { shape, condition } = terms;
  const columns = Object.keys(set);
  terms.assertWritable(columns);
  const rowid = shape.key.kind === 'rowid' && shape.rowidColumn === null ? [shape.key.name] : [];
  const names = [...rowid, ...columns];
  const values = Object.entries(set).map(([name, value]) => is(name, value));
  const where = [condition, ...values.map(({ sql }) => sql)].join(' AND ');
  return {
    write: {
      sql: `INSERT INTO ${table} (${quoteNames(names)}) VALUES (${names.map(() => '?').join(', ')}) RETURNING ${keyList}`,
      params: [...(rowid.length > 0 ? key : []), ...Object.values(set)],
    },
    now: null,
    // The key is unique, so the row was not there before.
    after: {
      sql: `SELECT 1 FROM ${table} WHERE ${where}`,
      params: [...key, ...values.flatMap(({ params }) => params)],
    },
  };
}

function removeOf(
  { condition }: EditTerms,
  { key, base }: { readonly key: Key; readonly base: RowImage },
  table: string,
): GuardedWrite {
  const unchanged = Object.entries(base).map(([name, value]) => is(name, value));
  const where = [condition, ...unchanged.map(({ sql }) => sql)].join(' AND ');
  const params = unchanged.flatMap((one) => one.params);
  const same = unchanged.map(({ sql }) => sql).join(', ') || '1';
  return {
    write: { sql: `DELETE FROM ${table} WHERE ${where} RETURNING 1`, params: [...key, ...params] },
    now: { sql: `SELECT ${same} FROM ${table} WHERE ${condition}`, params: [...params, ...key] },
    after: { sql: `SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE ${condition})`, params: key },
  };
}

function updateOf(
  terms: EditTerms,
  { key, set, base }: Extract<CheckedChange, { kind: 'update' }>,
  { table, here, keyList }: { readonly table: string; readonly here: string; readonly keyList: string },
): GuardedWrite {
  const columns = Object.keys(set);
  terms.assertWritable(columns);
  // An empty change still checks the values it is based on.
  const assigned = columns.length === 0 ? [keyNames(terms.shape.key)[0]!] : columns;
  const assignments = assigned.map((name) => `${quoteName(name)} = ${columns.length === 0 ? quoteName(name) : '?'}`);
  const unchanged = Object.entries(base).map(([name, value]) => is(name, value));
  const where = [terms.condition, ...unchanged.map(({ sql }) => sql)].join(' AND ');
  const write: BoundSql = {
    sql: `UPDATE ${table} SET ${assignments.join(', ')} WHERE ${where} RETURNING ${keyList}`,
    params: [...Object.values(set), ...key, ...unchanged.flatMap(({ params }) => params)],
  };
  const seen = quoteNames(Object.keys(base)) || '1';
  return {
    write,
    now: { sql: `SELECT ${seen} ${here}`, params: key },
    after: afterUpdate(terms, key, set, base, table),
  };
}

/** Null when the row would look the same without the change. Affinity may store another value than the one that was sent. */
function afterUpdate(
  terms: EditTerms,
  key: Key,
  set: Readonly<Record<string, Value>>,
  base: Readonly<Record<string, Value>>,
  table: string,
): BoundSql | null {
  const changed = Object.entries(set).find(
    ([name, value]) => Object.hasOwn(base, name) && !sameValue(base[name]!, value),
  );
  if (changed === undefined) return null;
  const [name, value] = changed;
  const newKey = keyNames(terms.shape.key).map((column, at) => (Object.hasOwn(set, column) ? set[column]! : key[at]!));
  const before = is(name, base[name]!);
  return {
    sql: `SELECT 1 FROM ${table} WHERE ${terms.condition} AND ${quoteName(name)} IS ? AND NOT ${before.sql}`,
    params: [...newKey, value, ...before.params],
  };
}

/** Compares storage class and bits, whatever the affinity and the collation of the column. */
function is(name: string, value: Value): BoundSql {
  const column = quoteName(name);
  if (value === null) return { sql: `(${column} IS NULL)`, params: [] };
  return {
    sql: `(typeof(${column}) = '${storageClassOf(value)}' AND +${column} COLLATE BINARY IS ?)`,
    params: [value],
  };
}

function whyMissed({ terms, change }: TermedChange, now: readonly Value[] | null): Error {
  if (change.kind === 'insert' || change.kind === 'restore') return terms.keptByTrigger();
  if (now === null) return terms.gone();
  if (change.kind === 'remove') {
    const differs = Object.keys(change.base).find((_, at) => now[at] !== 1);
    if (differs !== undefined) return terms.conflict(differs);
  }
  if (change.kind === 'update') {
    for (const [at, [column, before]] of Object.entries(change.base).entries())
      if (!sameValue(now[at]!, before)) return terms.conflict(column, now[at]!);
  }
  return terms.keptByTrigger();
}

/** The key of a change whose reply was lost is derived from what was sent. */
function keyAfter({ shape }: EditTerms, change: CheckedChange, returned: Key | null): Key | null {
  if (change.kind === 'delete' || change.kind === 'remove' || shape.key.kind === 'none') return null;
  if (returned !== null) return returned.slice(0, keyNames(shape.key).length);
  if (change.kind !== 'update') return null;
  return keyNames(shape.key).map((column, at) =>
    Object.hasOwn(change.set, column) ? change.set[column]! : change.key[at]!,
  );
}

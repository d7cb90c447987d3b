// The text of a statement as the server gets it: each parameter named by its number, with an expression around it where JSON cannot carry its
// value; and the form in which every value comes back although JSON cannot carry it.
import { AppError } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { StatementShape } from '../../native/statements/statement-shape.ts';
import type { RemoteSql } from '../hrana/messages.ts';
import { encodeValue, type BoundParameter } from '../hrana/values.ts';

/** @param sql of the statement alone. @throws AppError `invalid`, `too-big` */
export function bindText(sql: string, { parameters }: StatementShape, params: readonly Value[]): RemoteSql {
  const count = Math.max(0, ...parameters.map(({ index }) => index));
  if (params.length > count) throw AppError.invalid('There are more values than the statement has parameters.');
  const bound: BoundParameter[] = [];
  for (let index = 0; index < count; index++) bound.push(encodeValue(params[index] ?? null));
  let text = '';
  let at = 0;
  for (const { index, from, to } of parameters) {
    text += sql.slice(at, from) + bound[index - 1]!.expression.replace('?', `?${index}`);
    at = to;
  }
  return { sql: text + sql.slice(at), args: bound.map(({ value }) => value), wantRows: true };
}

/** Selects two columns for each: its storage class, and a form that JSON can carry. */
export function carefulText({ sql, args }: RemoteSql, columnCount: number): RemoteSql {
  const names = Array.from({ length: columnCount }, (_, at) => `c${at}`);
  const cells = names.map(
    (name) =>
      `typeof(${name}), CASE typeof(${name}) WHEN 'text' THEN hex(${name}) WHEN 'real' THEN CASE ${name} WHEN 9e999 THEN '+' WHEN -9e999 THEN '-' ELSE ${name} END ELSE ${name} END`,
  );
  const query = sql.endsWith(';') ? sql.slice(0, -1) : sql;
  return {
    // A comment may end the query.
    sql: `WITH sidelite_cells(${names.join(', ')}) AS (${query}\n) SELECT ${cells.join(', ')} FROM sidelite_cells`,
    args,
    wantRows: true,
  };
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A value from the two columns of {@link carefulText}. */
export function carefulValue(storage: Value, form: Value): Value {
  if (storage === 'real') {
    if (form === '+') return Infinity;
    if (form === '-') return -Infinity;
    return form;
  }
  if (storage !== 'text' || typeof form !== 'string') return form;
  const bytes = Uint8Array.from(Buffer.from(form, 'hex'));
  try {
    return decoder.decode(bytes);
  } catch {
    return { textBytes: bytes };
  }
}

// Values on their way to and from D1. Its JSON makes a number of each integer, which rounds those of more than 53 bits, and binds each number
// as a REAL. So numbers are written into the text of a statement, only texts are bound, and a query marks values with their storage class.
import { AppError } from '#shared/protocol/errors.ts';
import { isRawText, isReal, type Value } from '#shared/protocol/values.ts';
import type { StatementShape } from '../../native/statements/statement-shape.ts';
import { assertFits } from '../../integer-range.ts';
import { malformed } from '../hrana/malformed.ts';
import { decodeInteger, isReadExactly, partsOf, timesPowerOfTwo } from '../hrana/values.ts';
import type { RemoteSql } from '../hrana/messages.ts';

/** D1's limit. */
const MAX_PARAMETERS = 100;
/** A longer blob is bound as hexadecimal text: a statement has at most 100 KB. */
const MAX_LITERAL_BYTES = 1000;

/** @param sql of the statement alone. @throws AppError `invalid`, `too-big` */
export function bindD1(sql: string, { parameters }: StatementShape, params: readonly Value[]): RemoteSql {
  const count = Math.max(0, ...parameters.map(({ index }) => index));
  if (params.length > count) throw AppError.invalid('There are more values than the statement has parameters.');
  const args: string[] = [];
  const bindOne = (text: string): string | null =>
    args.length >= MAX_PARAMETERS ? null : `?${args.push(JSON.stringify(text))}`;
  const expressions = new Map<number, string>();
  let text = '';
  let at = 0;
  for (const { index, from, to } of parameters) {
    const expression = expressions.get(index) ?? expressionOf(params[index - 1] ?? null, bindOne);
    expressions.set(index, expression);
    text += sql.slice(at, from) + expression;
    at = to;
  }
  return { sql: text + sql.slice(at), args, wantRows: true };
}

/** @param bindOne binds a text and returns its parameter; null when there are too many */
function expressionOf(value: Value, bindOne: (text: string) => string | null): string {
  if (value === null) return 'NULL';
  if (typeof value === 'bigint') return integerSql(value);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? integerSql(BigInt(value)) : realSql(value);
  if (typeof value === 'string') return bindOne(value) ?? textSql(value);
  if (isReal(value)) return realSql(value.real);
  if (isRawText(value)) return asText(blobSql(value.textBytes, bindOne));
  return blobSql(value, bindOne);
}

/** The integer alone would name a column in ORDER BY. */
function integerSql(value: bigint): string {
  assertFits(value);
  return `(0|${value})`;
}

function realSql(value: number): string {
  if (Number.isNaN(value)) return 'NULL';
  if (!Number.isFinite(value)) return value > 0 ? '(9e999)' : '(-9e999)';
  if (Object.is(value, -0)) return '(-0.0)';
  // The `+` takes the affinity of the cast away again.
  if (Number.isSafeInteger(value)) return `(+CAST(${value} AS REAL))`;
  if (isReadExactly(value)) return `(${value})`;
  const { mantissa, exponent } = partsOf(value);
  return `(CAST(${mantissa} AS REAL)${timesPowerOfTwo(exponent)})`;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');

function blobSql(bytes: Uint8Array, bindOne: (text: string) => string | null): string {
  const parameter = bytes.length > MAX_LITERAL_BYTES ? bindOne(hex(bytes)) : null;
  return parameter === null ? `x'${hex(bytes)}'` : `unhex(${parameter})`;
}

const asText = (expression: string): string => `(+CAST(${expression} AS TEXT))`;

const textSql = (text: string): string =>
  text.includes('\0') ? asText(`x'${Buffer.from(text).toString('hex')}'`) : `'${text.replaceAll("'", "''")}'`;

/** Names of result columns whose values are marked. */
const MARKED = 'sidelite_marked_';
export const markedName = (column: number): string => `${MARKED}${column}`;

/**
 * The value with its storage class before it; REALs, blobs, and NULL are told apart by JSON itself.
 * @param asHex texts as bytes, because some are not UTF-8. D1 has no value of more than 2 MB, so longer ones stay as they are
 */
export function markedSql(value: string, asHex: boolean): string {
  const plain = `'t'||${value}`;
  const text = asHex
    ? `CASE WHEN length(CAST(${value} AS BLOB)) < 900000 THEN 'h'||hex(${value}) ELSE ${plain} END`
    : plain;
  const real = `CASE WHEN ${value} = 9e999 THEN 'r+' WHEN ${value} = -9e999 THEN 'r-' ELSE ${value} END`;
  return `CASE typeof(${value}) WHEN 'integer' THEN 'i'||${value} WHEN 'text' THEN ${text} WHEN 'real' THEN ${real} ELSE ${value} END`;
}

/** A query whose columns are marked. */
export function markedQuery(sql: string, columns: number, asHex: boolean): string {
  const names = Array.from({ length: columns }, (_, at) => `c${at}`);
  const cells = names.map((name, at) => `${markedSql(name, asHex)} AS ${markedName(at)}`);
  const query = sql.endsWith(';') ? sql.slice(0, -1) : sql;
  // A comment may end the query.
  return `WITH sidelite_cells(${names.join(', ')}) AS (${query}\n) SELECT ${cells.join(', ')} FROM sidelite_cells`;
}

/** Stands for bytes that are not UTF-8, or for itself. */
const REPLACEMENT = '\ufffd';

export interface DecodedRows {
  readonly rows: readonly (readonly Value[])[];
  /** Some text may not be what is stored. */
  readonly isDoubtful: boolean;
}

/** @throws AppError for anything that is not a value */
export function decodeRows(names: readonly string[], rows: readonly (readonly unknown[])[]): DecodedRows {
  const isMarked = names.map((name) => name.startsWith(MARKED));
  let isDoubtful = false;
  const decoded = rows.map((row) => {
    if (row.length !== names.length) throw malformed('a row has another number of cells');
    return row.map((cell, at) => {
      if (isMarked[at] && typeof cell === 'string' && cell.startsWith('t') && cell.includes(REPLACEMENT))
        isDoubtful = true;
      return isMarked[at] ? decodeMarked(cell) : decodePlain(cell);
    });
  });
  return { rows: decoded, isDoubtful };
}

function decodeMarked(cell: unknown): Value {
  if (typeof cell === 'number') return realOf(cell);
  if (typeof cell !== 'string') return decodePlain(cell);
  const text = cell.slice(1);
  switch (cell[0]) {
    case 'i':
      return decodeInteger(text);
    case 't':
      return text;
    case 'h':
      return textOf(text);
    case 'r':
      if (text === '+') return Infinity;
      if (text === '-') return -Infinity;
      break;
    default:
  }
  throw malformed('a cell is not a value');
}

/** Decodes results of statements that Sidelite does not rewrite: plans, settings. */
function decodePlain(cell: unknown): Value {
  if (cell === null || typeof cell === 'string') return cell;
  if (typeof cell === 'number') {
    if (!Number.isInteger(cell)) return cell;
    if (Number.isSafeInteger(cell)) return cell;
    throw AppError.unavailable(
      'D1 has rounded a number of this result, which is not shown for that reason. Read it with SELECT.',
    );
  }
  if (Array.isArray(cell) && cell.every(isByte)) return Uint8Array.from(cell);
  throw malformed('a cell is not a value');
}

const isByte = (item: unknown): item is number =>
  Number.isInteger(item) && (item as number) >= 0 && (item as number) <= 255;

const realOf = (value: number): Value => (Number.isInteger(value) ? { real: value } : value);

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(text: string): Value {
  if (!/^(?:[\dA-F]{2})*$/.test(text)) throw malformed('a text is not one');
  const bytes = Uint8Array.from(Buffer.from(text, 'hex'));
  try {
    return decoder.decode(bytes);
  } catch {
    return { textBytes: bytes };
  }
}

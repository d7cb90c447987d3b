// Values of INSERT, read as the literals that they are, or become by parentheses and exact casts. Nothing but sums of small integers is left
// for SQLite to compute: its functions and operators often mean something else than those of the program that wrote the dump. In MySQL,
// LENGTH('é') is 2, 7/2 is 3.5, and || means OR; in PostgreSQL, 'x' LIKE 'X' is false.
import type { CastMeaning, Literal } from './cast-meanings.ts';
import { shownOf } from './dump-steps.ts';
import { isDefault, type ParsedRow } from './inserted-rows.ts';
import { nameOf, written } from './rewriting.ts';
import { afterParentheses, isSign, isWord, splitAtCommas, withoutParentheses, type SqlToken } from './tokens.ts';
import type { LeftRow, SqlAction } from './translator.ts';

export interface ValueDialect {
  /** A literal that is no number. */
  isLiteral(tokens: readonly SqlToken[]): boolean;
  /** Types by their names in lower case, without a schema: the first that matches. */
  readonly casts: readonly (readonly [RegExp, CastMeaning])[];
  /** `'x'::text` is a cast. */
  readonly hasColons: boolean;
  /** Value and type of CONVERT (…) and of what is a cast like it. Null: it is computed. @param name in upper case */
  call(name: string, parts: readonly (readonly SqlToken[])[]): Cast | null;
}

export interface Cast {
  readonly value: readonly SqlToken[];
  readonly type: readonly SqlToken[];
}

/** Why a literal cannot be written exactly. */
export const OTHER_BYTES =
  'One of its values is of another kind than its column: bytes among numbers, or a number among bytes.';

const DEEPEST_CAST = 8;
/** More are no type. */
const MOST_TYPE_TOKENS = 16;
/** Whatever a sum does with them, the result has 64 bits. */
const MOST_SUM_DIGITS = 18;
const MOST_SHOWN = 40;

/** Literals; a whole sentence where one of the values is none. */
export function plainRow(values: ParsedRow['values'], dialect: ValueDialect): readonly Literal[] | string {
  const literals: Literal[] = [];
  for (const value of values) {
    const literal = isDefault(value) ? value : plainValue(value, dialect);
    if (typeof literal === 'string') return `One of its values ${literal}.`;
    literals.push(literal);
  }
  return literals;
}

export interface RowsToWrite {
  readonly rows: readonly ParsedRow[];
  /** The statement, and where the positions of the rows begin in it. */
  readonly text: string;
  readonly offset?: number;
  readonly dialect: ValueDialect;
  /** Values in SQL, null for DEFAULT; a whole sentence where they cannot be written exactly. */
  write(row: readonly Literal[]): readonly (string | null)[] | string;
}

/** The rows of an INSERT without those that are more than literals, which are listed. @param insert makes the statements of the rows */
export function insertAction(
  { rows, text, offset = 0, dialect, write }: RowsToWrite,
  insert: (rows: readonly (readonly (string | null)[])[]) => readonly string[],
): SqlAction {
  const kept: (readonly (string | null)[])[] = [];
  const left: LeftRow[] = [];
  let [lines, at] = [0, 0];
  for (const { values, from, to } of rows) {
    const plain = plainRow(values, dialect);
    const row = typeof plain === 'string' ? plain : write(plain);
    if (typeof row !== 'string') {
      kept.push(row);
      continue;
    }
    for (; at < offset + from; at++) if (text[at] === '\n') lines++;
    left.push({ lines, text: shownOf(text.slice(offset + from, offset + to)), reason: row });
  }
  if (kept.length > 0) return { do: 'run', sql: insert(kept), ...(left.length > 0 && { left }) };
  return { do: 'refuse', reason: left[0]?.reason ?? 'Its rows are written in a form that is not known.' };
}

/** A literal, or a sum of integers; a text that says what keeps the value from being one. */
export function plainValue(tokens: readonly SqlToken[], dialect: ValueDialect, depth = 0): Literal | string {
  if (isNumber(tokens) || dialect.isLiteral(tokens)) return tokens;
  const bare = withoutParentheses(tokens);
  if (isNumber(bare) || dialect.isLiteral(bare)) return bare;
  if (bare.length === 2 && isSign(bare[0], '+') && bare[1]!.kind === 'number') return bare.slice(1);
  const cast = castOf(bare, dialect);
  if (cast === null)
    return isSum(bare) ? bare : `is computed with ${constructOf(bare)}, which may give another value in SQLite`;
  if (depth === DEEPEST_CAST) return 'has too many casts within each other';
  const value = plainValue(cast.value, dialect, depth + 1);
  if (typeof value === 'string' || isWord(value[0], 'NULL')) return value;
  const type = typeOf(cast.type);
  const meaning = type && dialect.casts.find(([pattern]) => pattern.test(type.name))?.[1];
  const literal = meaning?.(value, type!.lengths) ?? null;
  return literal ?? `is cast to ${shown(written(cast.type))}, which may change it`;
}

const shown = (text: string): string => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text);

const isNumber = ([first, second, third]: readonly SqlToken[]): boolean =>
  first?.kind === 'number'
    ? second === undefined
    : isSign(first, '-') && second?.kind === 'number' && third === undefined;

/** Integers with + - *, which are the same everywhere. */
function isSum(tokens: readonly SqlToken[]): boolean {
  let digits = 0;
  for (const { kind, text } of tokens) {
    if (kind === 'number' && /^\d+$/.test(text)) digits += text.length;
    else if (kind !== 'sign' || !'()+-*'.includes(text)) return false;
  }
  return digits > 0 && digits <= MOST_SUM_DIGITS;
}

/** `CAST('x' AS text)`, `CONVERT(…)`, `decode('41', 'hex')`, `'x'::text`, `DATE '2020-01-31'`. */
function castOf(tokens: readonly SqlToken[], { call, hasColons }: ValueDialect): Cast | null {
  if (tokens[0]?.kind === 'word' && isSign(tokens[1], '(') && afterParentheses(tokens, 1) === tokens.length) {
    if (!isWord(tokens[0], 'CAST')) return call(tokens[0].text.toUpperCase(), splitAtCommas(tokens.slice(2, -1)));
    const as = tokens.map((token) => isWord(token, 'AS')).lastIndexOf(true);
    return as < 0 ? null : { value: tokens.slice(2, as), type: tokens.slice(as + 1, -1) };
  }
  const colons = hasColons ? lastColons(tokens) : -1;
  if (colons > 0) return { value: tokens.slice(0, colons), type: tokens.slice(colons + 2) };
  const isTyped =
    tokens.at(-1)?.kind === 'string' && isWord(tokens[0], 'DATE', 'TIME', 'TIMESTAMP', 'TIMESTAMPTZ', 'INTERVAL');
  return isTyped ? { value: tokens.slice(-1), type: tokens.slice(0, -1) } : null;
}

/** Where the last `::` outside of parentheses is that only a type follows. */
function lastColons(tokens: readonly SqlToken[]): number {
  for (let at = tokens.length - 2; at > 0 && at > tokens.length - MOST_TYPE_TOKENS; at--)
    if (isSign(tokens[at], ':') && isSign(tokens[at + 1], ':')) return typeOf(tokens.slice(at + 2)) === null ? -1 : at;
  return -1;
}

const TYPE = /^(?:[^\s().[\]]+\.)*([^\s().[\]:']+(?: [a-z_]+)*) ?(?:\(([^()]*)\))?((?: [a-z_]\w*)*)((?: ?\[ ?\])*)$/;

/** Its name in lower case, without a schema. Null: it is no type. */
function typeOf(tokens: readonly SqlToken[]): { readonly name: string; readonly lengths: readonly number[] } | null {
  if (tokens.length > MOST_TYPE_TOKENS || !tokens.every(({ kind }) => kind !== 'string' && kind !== 'sql')) return null;
  const found = TYPE.exec(written(tokens).toLowerCase().replaceAll('"', ''));
  if (found === null) return null;
  const [, name = '', lengths, after = '', array] = found;
  return {
    name: array === '' ? name + after : 'array',
    lengths: lengths?.split(',').map((length) => (length.trim() === 'max' ? Infinity : Number(length))) ?? [],
  };
}

/** What keeps it from being a literal, for a person. */
function constructOf(tokens: readonly SqlToken[]): string {
  const at = tokens.findIndex(
    (token) =>
      (token.kind === 'word' || token.kind === 'name') && !isWord(token, 'NULL', 'TRUE', 'FALSE', 'B', 'N', 'X'),
  );
  if (at >= 0) return `${shown(nameOf(tokens[at]))}${isSign(tokens[at + 1], '(') ? '()' : ''}`;
  const sign = tokens.findIndex(({ kind, text }) => kind === 'sign' && !'(),.'.includes(text));
  if (sign < 0) return 'several literals side by side';
  const second = tokens[sign + 1];
  const isPair = second?.kind === 'sign' && second.at === tokens[sign]!.at + 1 && !'()+-'.includes(second.text);
  return `the operator ${tokens[sign]!.text}${isPair ? second.text : ''}`;
}

// Values and INSERT statements of MySQL, written for SQLite.
import { asUtf8, exactUtf8, hexOf, isUtf8Text } from './byte-text.ts';
import * as casts from './cast-meanings.ts';
import type { CastMeaning, Literal } from './cast-meanings.ts';
import {
  BEYOND_REAL,
  digitsOf,
  insertSql,
  isBeyondReal,
  isDefault,
  rowsFrom,
  targetsOf,
  targetsOfRow,
} from './inserted-rows.ts';
import type { ParsedRow, ParsedRows } from './inserted-rows.ts';
import { insertAction, OTHER_BYTES, plainRow, type Cast, type ValueDialect } from './plain-value.ts';
import type { InsertTarget, ColumnContent } from './column-content.ts';
import { encodingOfCharset } from './mysql-charsets.ts';
import type { TableName } from './mysql-names.ts';
import { blobOf, literalOf, nameOf, written } from './rewriting.ts';
import { quoteName, quoteNames } from '../../sql/quote.ts';
import { afterParentheses, castsIn, endOf, isSign, isWord, splitAtCommas, tokensOf, mysqlTextAt } from './tokens.ts';
import type { SqlToken } from './tokens.ts';
import { withoutConversion } from './mysql-conversions.ts';
import type { SqlAction } from './translator.ts';

/** What comes before rows that SQLite may take as they are. */
const PLAIN_HEAD = /^(?:`[^`.\x80-\xff]*`|[\w$])+\s*(?:\((?:`[^`\x80-\xff]*`|[\w$\s,])*\)\s*)?VALUES\s*(?=\()/i;
/** Rows without these, and without what is between quotes, are short numbers, texts, and NULL. */
const NOT_PLAIN =
  /[^\w\s(),.'-]|\b(?!NULL\b)[a-z_]|\d[a-df-z_]|e-?\d{3}|-(?!\d)|[^\s(,]\s*-|'\s+'|\d[\d.]{16}|\(\s*\)/i;
/** Digits that a column of text would lose. */
const HAS_DECIMALS = /[(,]\s*-?(?:\d*\.\d|0\d|\d+\.?e)/i;
const NAME_IN_INSERT = /^(?:INSERT|REPLACE)(?:\s+(?:LOW_PRIORITY|DELAYED|HIGH_PRIORITY))?(\s+IGNORE)?\s+(?:INTO\s+)?/i;
const BEYOND_ASCII = /[\x80-\xff]/;
/** Longer ones are no integers of MySQL, and would take long to read. */
const INTEGER = /^\d{1,64}$/;
const SIGNED = /^-?\d{1,64}$/;
const HEX = /^0x[\da-f]{1,32}$/i;
const BITS = /^[01]{0,64}$/;
const BIT_BYTES = 8;
const MAX_INTEGER = 2n ** 63n - 1n;
const MIN_INTEGER = -(2n ** 63n);

const sqlToken = (text: string, { at }: SqlToken): SqlToken => ({ kind: 'sql', text, value: text, at });

/** `0x41`, `_binary 'A'`, `b'1'`, `N'A'` and `"A"` as SQLite writes them. @param given may have casts. @param encoding of texts without a prefix */
export function values(given: readonly SqlToken[], encoding = 'utf-8'): readonly SqlToken[] {
  const tokens = withSqliteCasts(given);
  const result: SqlToken[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const next = tokens[at + 1];
    const isIntroducer = token.kind === 'word' && token.text.startsWith('_');
    const hexTokens = isIntroducer ? tokens.slice(at + 1, next?.kind === 'word' ? at + 3 : at + 2) : [];
    const hex = bytesOfHex(hexTokens);
    const isPrefix = token.kind === 'word' && next?.kind === 'string';
    if (hex !== null) {
      result.push(sqlToken(introduced(token.text.slice(1), hex, 'utf-8'), next!));
      at += hexTokens.length;
    } else if (isPrefix && isIntroducer)
      result.push(sqlToken(introduced(token.text.slice(1), next.value, encoding), tokens[++at]!));
    else if (isPrefix && isWord(token, 'B') && BITS.test(next.value))
      result.push(sqlToken(integerSql(bitsOf(next.value)), tokens[++at]!));
    else if (isPrefix && isWord(token, 'X')) result.push(sqlToken(`X'${next.value}'`, tokens[++at]!));
    else if (isPrefix && isWord(token, 'N')) result.push(sqlToken(textSql(next.value, encoding), tokens[++at]!));
    else if (token.kind === 'string') result.push(sqlToken(textSql(token.value, encoding), token));
    else if (token.kind === 'number' && /^0x/i.test(token.text)) result.push(sqlToken(`X'${hexDigits(token)}'`, token));
    // Beyond what REAL keeps: in a column of text all digits stay.
    else if (/^\d{19,}$|^(?=.{17})\d*\.\d+$/.test(token.text)) putLong(result, token);
    else result.push(token);
  }
  return result;
}

/** What is CAST in SQLite for a type of MySQL. For others its affinity would be that of numbers: 2020 for a date. */
const CAST_TYPES: Readonly<Record<string, string>> = { BINARY: 'BLOB', JSON: 'TEXT', SIGNED: 'INTEGER', UNSIGNED: 'INTEGER', YEAR: 'INTEGER', DATETIME: 'TEXT', TIME: 'TEXT' }; // prettier-ignore
const DIGITS = /^\d+$/;
const CAST_FUNCTIONS: Readonly<Record<string, string>> = { DATE: 'date', TIME: 'time', DATETIME: 'datetime' };

function withSqliteCasts(tokens: readonly SqlToken[]): readonly SqlToken[] {
  if (!tokens.some((token) => isWord(token, 'CAST'))) return tokens;
  const casts = castsIn(tokens);
  /** What stands for the AS and the type of a cast, and the place of its last parenthesis. */
  const types = new Map<number, { readonly type: readonly SqlToken[]; readonly end: number }>();
  const result: SqlToken[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const [cast, typed] = [casts.get(at), types.get(at)];
    if (typed !== undefined) {
      result.push(...typed.type);
      at = typed.end - 1;
      continue;
    }
    const type = cast === undefined ? '' : tokens[cast.as + 1]!.text.toUpperCase();
    // With fractions of a second, the text is kept as it is.
    const function_ = cast !== undefined && isSign(tokens[cast.as + 2], '(') ? undefined : CAST_FUNCTIONS[type];
    const whole = cast?.as === at + 3 ? castOfOne(tokens[at + 2]!, type, function_) : null;
    if (cast === undefined || (CAST_TYPES[type] === undefined && function_ === undefined)) result.push(token);
    else if (whole !== null) {
      result.push(...whole);
      at = cast.end;
    } else if (function_ !== undefined) {
      result.push(sqlToken(function_, token));
      types.set(cast.as, { type: [], end: cast.end });
    } else {
      result.push(token);
      types.set(cast.as, { type: [tokens[cast.as]!, sqlToken(CAST_TYPES[type]!, token)], end: cast.end });
    }
  }
  return result;
}

/** A literal, or the name of a column; null: as any other. */
function castOfOne(value: SqlToken, type: string, function_: string | undefined): readonly SqlToken[] | null {
  // SQLite's CAST would stop at 64 bits.
  if (type.endsWith('SIGNED') && DIGITS.test(value.value)) return [{ ...value, kind: 'number', text: value.value }];
  if (function_ === undefined) return null;
  // What SQLite takes for no date (`0000-00-00`, `-100:00:00`) stays as it is written.
  return [sqlToken(`coalesce(${function_}(`, value), value, sqlToken('),', value), value, sqlToken(')', value)];
}

/** `_latin1'…'`: its bytes are in this character set, whatever that of the file is. */
const introduced = (charset: string, value: string, encoding: string): string =>
  charset.toLowerCase() === 'binary' ? blobOf(value) : textSql(value, encodingOfCharset(charset) ?? encoding);

/** What is not in the encoding stays the bytes that it is. */
const textSql = (value: string, encoding: string): string => literalOf(exactUtf8(value, encoding) ?? value);

/** The bytes that `0x41`, `X'41'`, and `b'1000001'` stand for; null: it is something else. */
export function bytesOfHex(value: readonly SqlToken[]): string | null {
  const [first, second] = value;
  if (value.length === 2 && isWord(first, 'B') && second!.kind === 'string' && BITS.test(second!.value))
    return second!.value
      .padStart(Math.ceil(second!.value.length / 8) * 8, '0')
      .replace(/.{8}/g, (byte) => String.fromCharCode(Number.parseInt(byte, 2)));
  const isHex = value.length === 1 && first!.kind === 'number' && /^0x/i.test(first!.text);
  const isQuoted = value.length === 2 && isWord(first, 'X') && second!.kind === 'string';
  const digits = isHex ? hexDigits(first!) : isQuoted ? second!.value : null;
  if (digits === null || !/^(?:[\da-f]{2})*$/i.test(digits)) return null;
  return digits.replace(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16)));
}

const bitsOf = (digits: string): bigint => BigInt(`0b${digits || '0'}`);
const hexDigits = ({ text }: SqlToken): string => (text.length % 2 === 0 ? '' : '0') + text.slice(2);

/** SQLite would make a REAL of an integer that needs more than 64 bits. */
const integerSql = (value: bigint): string =>
  value > MAX_INTEGER || value < MIN_INTEGER ? `'${value}'` : String(value);

/** Writes the number as text, including its sign, which would make a number of the text. */
function putLong(result: SqlToken[], token: SqlToken): void {
  const isNegative =
    isSign(result.at(-1), '-') && (result.length === 1 || isSign(result.at(-2), ',') || isSign(result.at(-2), '('));
  if (isNegative) result.pop();
  result.push(sqlToken(`'${isNegative ? '-' : ''}${token.text}'`, token));
}

/** The integer that a value of an integer or BIT column is; null for anything else. */
function integerOf(value: readonly SqlToken[], holds: ColumnContent | null): bigint | null {
  const [first, second] = value;
  const isNegative = value.length === 2 && isSign(first, '-');
  if (isNegative) return INTEGER.test(second!.text) ? -BigInt(second!.text) : null;
  const token = value.length === 2 && isWord(first, '_BINARY', 'B', 'X') ? second : value.length === 1 ? first : null;
  if (token?.kind === 'number') {
    if (HEX.test(token.text)) return BigInt(token.text);
    return INTEGER.test(token.text) ? BigInt(token.text) : null;
  }
  if (token?.kind !== 'string') return null;
  const { value: text } = token;
  if (isWord(first, 'B')) return BITS.test(text) ? bitsOf(text) : null;
  if (isWord(first, 'X')) return HEX.test(`0x${text}`) ? BigInt(`0x${text}`) : null;
  if (holds === 'bits') return text.length <= BIT_BYTES ? BigInt(`0x${hexOf(text) || '0'}`) : null;
  return SIGNED.test(text) ? BigInt(text) : null;
}

/** `UNHEX('41')`, as Adminer writes the values of binary columns. */
function unhexed(digits: readonly SqlToken[] = []): Cast | null {
  const [token] = digits;
  if (digits.length !== 1 || token!.kind !== 'string' || !/^(?:[\da-f]{2})*$/i.test(token!.value)) return null;
  const word = (text: string): SqlToken => ({ kind: 'word', text, value: text, at: token!.at });
  return { value: [word('_binary'), word('X'), token!], type: [word('binary')] };
}

const binary: CastMeaning = (value, [length]) => {
  const [token, second] = value;
  if (isWord(token, '_BINARY') && length === undefined) return value;
  const isKept =
    token?.kind === 'string' && second === undefined && (length ?? token.value.length) === token.value.length;
  return isKept ? [{ kind: 'word', text: '_binary', value: '_binary', at: token.at }, token] : null;
};

/** Types of CAST in MySQL. */
export const MYSQL_VALUES: ValueDialect = {
  isLiteral([first, second, third, ...more]) {
    if (second === undefined)
      return first?.kind === 'string' || first?.kind === 'sql' || isWord(first, 'NULL', 'TRUE', 'FALSE');
    const isCharset = /^_binary$/i.test(first!.text) || encodingOfCharset(first!.text.slice(1)) !== null;
    const isIntroducer = first!.kind === 'word' && first!.text.startsWith('_') && isCharset;
    if (third === undefined)
      return second.kind === 'string'
        ? isIntroducer || isWord(first, 'B', 'N', 'X')
        : isIntroducer && bytesOfHex([second]) !== null;
    return more.length === 0 && isIntroducer && bytesOfHex([second, third]) !== null;
  },
  hasColons: false,
  call(name, [value, type, ...more]) {
    if (name === 'UNHEX' && type === undefined) return unhexed(value);
    return name === 'CONVERT' && value && type && more.length === 0 ? { value, type } : null;
  },
  casts: [
    [/^signed(?: integer)?$/, casts.signed],
    [/^unsigned(?: integer)?$/, casts.unsigned],
    [/^decimal$/, casts.decimal([10, 0])],
    [/^(?:double|real)$/, casts.double],
    [/^float$/, casts.single],
    [/^n?char(?: (?:character set|charset) utf8(?:mb[34])?)?$/, casts.varying()],
    [/^binary$/, binary],
    [/^json$/, casts.asWritten],
    [/^year$/, casts.year],
    [/^date$/, casts.date],
    [/^(?:datetime|timestamp)$/, casts.moment({ digits: 0, hasZone: false })],
    [/^time$/, casts.timeOfDay({ digits: 0, hasZone: false })],
  ],
};

/** How the texts of a file are read. */
export interface MysqlText {
  readonly dialect: 'mysql' | 'mysql-ansi';
  readonly encoding: string;
  /** It was decoded as a whole, so bytes beyond ASCII between quotes are no longer what they were. */
  readonly isDecoded: boolean;
}

export interface MysqlInsert {
  readonly verb: 'INSERT INTO' | 'INSERT OR IGNORE INTO' | 'REPLACE INTO';
  readonly table: string;
  readonly named: readonly string[] | null;
  /** Null where they come from a query. Their positions begin at `offset` in `text`. */
  readonly rows: readonly ParsedRow[] | null;
  /** The whole statement. */
  readonly text: string;
  readonly offset: number;
  /** What follows the rows, or the query. */
  readonly after: readonly SqlToken[];
}

/** Null: the statement has another form. */
export function parsedInsert(text: string, { dialect, encoding }: MysqlText, tableName: TableName): MysqlInsert | null {
  const head = NAME_IN_INSERT.exec(text);
  if (!head) return null;
  const verb = /^R/i.test(text) ? 'REPLACE INTO' : head[1] === undefined ? 'INSERT INTO' : 'INSERT OR IGNORE INTO';
  const offset = head[0].length;
  const tokens = tokensOf(text.slice(offset), dialect).map((token) => decodedToken(token, encoding));
  const [table, open] = tableName(tokens, 0);
  if (isWord(tokens[open], 'SET')) {
    const row = assignedRow(tokens.slice(open + 1));
    return row && { verb, table, ...row, text, offset };
  }
  const close =
    isSign(tokens[open], '(') && !isWord(tokens[open + 1], 'SELECT') ? afterParentheses(tokens, open) : open;
  const named =
    close > open + 2 ? splitAtCommas(tokens.slice(open + 1, close - 1)).map((name) => nameOf(name.at(-1))) : null;
  if (!isWord(tokens[close], 'VALUES', 'VALUE'))
    return { verb, table, named, rows: null, text, offset, after: tokens.slice(close) };
  const { rows, after } = rowsFrom(tokens, close + 1);
  const given = rows.map((row) => ({
    ...row,
    values: row.values.map((value) => withoutConversion(value, encoding)),
  }));
  return { verb, table, named, rows: given, text, offset, after };
}

/** `a = 1, b = DEFAULT` after SET; null: it is something else. */
function assignedRow(tokens: readonly SqlToken[]): (Pick<MysqlInsert, 'named'> & ParsedRows) | null {
  const found = tokens.findIndex((token, at) => isWord(token, 'ON') && isWord(tokens[at + 1], 'DUPLICATE'));
  const end = found < 0 ? tokens.length : found;
  const parts = splitAtCommas(tokens.slice(0, end)).map((part) => {
    const sign = part.findIndex((token) => isSign(token, '='));
    return { name: part[sign - 1], value: part.slice(sign + 1) };
  });
  if (
    parts.length === 0 ||
    !parts.every(({ name, value }) => (name?.kind === 'name' || name?.kind === 'word') && value.length > 0)
  )
    return null;
  return {
    named: parts.map(({ name }) => nameOf(name)),
    rows: [{ values: parts.map(({ value }) => value), from: tokens[0]!.at, to: endOf(tokens[end - 1]!) }],
    after: tokens.slice(end),
  };
}

/** Strings stay as their bytes: it is not known yet whether they are blobs. */
const decodedToken = (token: SqlToken, encoding: string): SqlToken =>
  token.kind === 'string' || encoding === 'utf-8' || !BEYOND_ASCII.test(token.text)
    ? token
    : { ...token, text: asUtf8(token.text, encoding), value: asUtf8(token.value, encoding) };

/** The INSERT as it is, where all but its texts means the same to SQLite; null where it must be rewritten. */
export function unchangedInsert(
  text: string,
  known: readonly InsertTarget[] | undefined,
  encoding: string,
): string | null {
  const head = NAME_IN_INSERT.exec(text);
  if (!head) return null;
  const rest = text.slice(head[0].length);
  const isExact =
    known?.some(({ holds, isGenerated }) => isGenerated || holds === 'bytes' || holds === 'bits') ?? false;
  if (isExact) return null;
  const texts = plainTexts(rest, encoding);
  const plainHead = texts && PLAIN_HEAD.exec(texts.around)?.[0];
  if (texts === null || !plainHead || NOT_PLAIN.test(texts.around.slice(plainHead.length))) return null;
  if (known?.some(({ holds }) => holds === 'text' || holds === 'digits') && HAS_DECIMALS.test(texts.around))
    return null;
  const verb = /^R/i.test(text) ? 'REPLACE INTO' : head[1] === undefined ? 'INSERT INTO' : 'INSERT OR IGNORE INTO';
  return `${verb} ${texts.sql}`;
}

/** Name of the table of an INSERT, found without reading its rows. */
export function tableOfInsert(text: string, { dialect, encoding }: MysqlText, tableName: TableName): string {
  const head = NAME_IN_INSERT.exec(text);
  const from = head?.[0].length ?? 0;
  return tableName(tokensOf(asUtf8(text.slice(from, from + 600), encoding), dialect), 0)[0];
}

const LOST = 'The bytes of its blobs were lost when the whole file was written in another encoding.';

/** Rows of an INSERT, written for SQLite. Read the counts after {@link write}. */
export class InsertedRows {
  /** Texts whose bytes are not those of the encoding. */
  odd = 0;
  /** Geometries, which become texts. */
  geometries = 0;
  readonly #insert: MysqlInsert;
  readonly #targets: readonly InsertTarget[] | null;
  readonly #text: MysqlText;

  constructor(insert: MysqlInsert, known: readonly InsertTarget[] | undefined, text: MysqlText) {
    this.#insert = insert;
    this.#targets = targetsOf(insert.named, known);
    this.#text = text;
  }

  write(): SqlAction {
    const { verb, table, named, rows, text, offset, after } = this.#insert;
    const into = `${verb} ${quoteName(table)}`;
    const tail = written(values(after, this.#text.encoding));
    if (rows === null) return { do: 'run', sql: [`${into}${named === null ? '' : ` (${quoteNames(named)})`} ${tail}`] };
    const write = (row: readonly Literal[]): readonly (string | null)[] | string => this.#row(row);
    return insertAction({ rows, text, offset, dialect: MYSQL_VALUES, write }, (sql) =>
      insertSql(into, this.#targets, sql, tail),
    );
  }

  #row(row: readonly Literal[]): readonly (string | null)[] | string {
    const goal = targetsOfRow(this.#targets, row.length);
    const writer = new ValueWriter(this.#text);
    const sql = row.map((value, place) => (isDefault(value) ? null : writer.sql(value, goal?.[place]?.holds ?? null)));
    if (writer.reason !== null) return writer.reason;
    this.odd += writer.odd;
    this.geometries += row.filter(([token]) => token?.kind === 'sql').length;
    return sql;
  }
}

class ValueWriter {
  odd = 0;
  reason: string | null = null;
  readonly #encoding: string;
  readonly #isDecoded: boolean;

  constructor({ encoding, isDecoded }: MysqlText) {
    this.#encoding = encoding;
    this.#isDecoded = isDecoded;
  }

  /** @param value a literal, or a sum of integers */
  sql(value: Literal, holds: ColumnContent | null): string {
    const [first, second] = value;
    if (first!.kind === 'sql' && second === undefined) return first!.text;
    const isIntroduced = value.length > 1 && first!.kind === 'word' && first!.text.startsWith('_');
    const hex = bytesOfHex(isIntroduced ? value.slice(1) : value);
    const isWanted = holds === 'bytes' || (isIntroduced && isWord(first, '_BINARY'));
    const token = isWanted && value.length === (isIntroduced ? 2 : 1) ? (isIntroduced ? second : first) : null;
    const bytes = hex !== null && isWanted ? hex : token?.kind === 'string' ? token.value : null;
    const integer =
      holds === 'bits' || holds === 'integers' || (holds === 'digits' && hex !== null) ? integerOf(value, holds) : null;
    const isBytes = bytes !== null || (holds === 'bits' && integer !== null);
    if (isBytes && this.#isDecoded && value.some((each) => BEYOND_ASCII.test(each.value))) this.reason = LOST;
    if (integer !== null) return integerSql(integer);
    if (hex !== null && holds === 'numbers' && !isWord(first, 'B')) this.reason = OTHER_BYTES;
    if (bytes !== null && holds !== 'text') return blobOf(bytes);
    if (holds === 'bytes') return this.#inBytes(value);
    const digits = holds === 'text' || holds === 'digits' ? digitsOf(value) : null;
    if (digits !== null) return digits;
    if (isBeyondReal(value)) {
      if (holds === null) return digitsOf(value)!;
      this.reason = BEYOND_REAL;
    }
    const letters = holds === 'text' ? (bytes ?? (isIntroduced ? null : hex)) : null;
    if (letters !== null) return this.#inText(letters);
    this.odd += value.filter((each) => each.kind === 'string' && exactUtf8(each.value, this.#encoding) === null).length;
    if (value.length === 1 && first!.kind === 'string') return textSql(first!.value, this.#encoding);
    return written(values(value, this.#encoding));
  }

  #inText(bytes: string): string {
    if (!isUtf8Text(bytes)) this.odd++;
    return literalOf(bytes);
  }

  /** A number is its digits there. */
  #inBytes(value: Literal): string {
    if (isWord(value[0], 'NULL')) return 'NULL';
    const integer = integerOf(value, 'integers');
    if (integer === null) this.reason = OTHER_BYTES;
    return blobOf(String(integer));
  }
}

/** Places of values that need more than 64 bits. */
export function longPlaces({ rows }: MysqlInsert, targets: readonly InsertTarget[] | null): ReadonlySet<number> {
  const places = new Set<number>();
  for (const { values: given } of rows ?? []) {
    const row = plainRow(given, MYSQL_VALUES);
    if (typeof row === 'string') continue;
    row.forEach((value, place) => {
      const holds = targets?.[place]?.holds ?? null;
      if (holds !== 'integers' && holds !== 'bits') return;
      const integer = integerOf(value, holds);
      if (integer !== null && (integer > MAX_INTEGER || integer < MIN_INTEGER)) places.add(place);
    });
  }
  return places;
}

// The texts between the quotes of a MySQL statement, written for SQLite in one pass: most of a dump is texts, and nothing else in it has to be
// rewritten.

interface PlainTexts {
  readonly sql: string;
  /** What stands around the texts, with `''` for each. */
  readonly around: string;
}

/** What begins a comment or another quote, in which an apostrophe begins no text. */
const OTHER = /["`#]|--|\/\*/;
/** An apostrophe in a name would end it, and leave its first quote. */
const NAME = /`[\w$ ]*`/g;
const NEEDS_WRITING = /[\\\0\x80-\xff]/;

/** Null where texts cannot be told from the rest, or one of them is not in the encoding. */
export function plainTexts(text: string, encoding: string): PlainTexts | null {
  const sql: string[] = [];
  const around: string[] = [];
  let from = 0;
  for (let open = text.indexOf("'"); open >= 0; open = text.indexOf("'", from)) {
    const { text: raw, value } = mysqlTextAt(text, open);
    const needsWriting = NEEDS_WRITING.test(raw);
    const written = needsWriting ? exactUtf8(value, encoding) : value;
    // A text at the very end may have none itself.
    if (open + raw.length === text.length || written === null) return null;
    const before = text.slice(from, open);
    around.push(before);
    sql.push(before, needsWriting ? literalOf(written) : raw);
    from = open + raw.length;
  }
  const rest = text.slice(from);
  const outside = [...around, rest].join("''");
  return OTHER.test(outside.replace(NAME, '')) ? null : { sql: sql.join('') + rest, around: outside };
}

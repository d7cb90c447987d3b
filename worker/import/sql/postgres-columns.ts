// Columns, defaults, constraints and expressions of PostgreSQL, as SQLite writes them.
import { quoteName } from '../../sql/quote.ts';
import { bytesOfBytea } from './byte-text.ts';
import { digitsOf } from './inserted-rows.ts';
import { blobOf, constraintSql, nameOf, written, type MadeColumn } from './rewriting.ts';
import {
  afterParentheses,
  castsIn,
  checksIn,
  isComputed,
  isSign,
  isWord,
  splitAtCommas,
  withoutParentheses,
} from './tokens.ts';
import type { SqlToken } from './tokens.ts';
import { contentOfType, type ColumnContent } from './column-content.ts';
import { DumpDatabases } from './dump-databases.ts';

const KEPT_TYPE =
  /^(?:smallint|integer|int|bigint|serial|bigserial|smallserial|real|double precision|date|int[248]|float[48])$/i;
const LONG_DECIMAL = /^(?:numeric|decimal)\s*\(\s*(\d+)/i;
/** Types of PostgreSQL, and of standard SQL, which H2, HSQLDB, and DuckDB write. */
const BYTES = /^(?:bytea|blob|(?:var)?binary\b|binary large object)/i;

export interface Column {
  readonly column: MadeColumn;
  readonly holds: ColumnContent;
  readonly isGenerated: boolean;
  /** SQLite does not have its default. */
  readonly losesDefault: boolean;
  /** CHECK (…), for SQLite. */
  readonly checks: readonly string[];
  readonly isCounting: boolean;
  readonly isPrimary: boolean;
}

const AFTER_TYPE = [
  'NOT', 'NULL', 'DEFAULT', 'PRIMARY', 'UNIQUE', 'COLLATE', 'GENERATED', 'CHECK', 'REFERENCES', 'CONSTRAINT',
]; // prettier-ignore

/** @param domains the types behind domains, by their names */
export function columnOf(tokens: readonly SqlToken[], domains: ReadonlyMap<string, string>): Column {
  let at = 1;
  while (at < tokens.length && !isWord(tokens[at], ...AFTER_TYPE))
    at = isSign(tokens[at], '(') ? afterParentheses(tokens, at) : at + 1;
  // `"text"` with --quote-all-identifiers
  const declared = baseOf(written(tokens.slice(1, at)).replaceAll('"', ''), domains);
  const rest = tokens.slice(at);
  const type = typeOf(declared);
  const holds = contentOfType(type);
  const column = { name: nameOf(tokens[0]), type, rest: restOf(rest, holds) };
  const isCounting = /serial/i.test(declared) || isNextValue(rest) || rest.some((token) => isWord(token, 'IDENTITY'));
  return {
    column,
    holds,
    isGenerated: isComputed(rest),
    losesDefault: !isCounting && rest.some((token) => isWord(token, 'DEFAULT')) && !column.rest.includes(' DEFAULT '),
    checks: checksOf(rest),
    isCounting,
    isPrimary: rest.some((token) => isWord(token, 'PRIMARY')),
  };
}

/** The type behind a domain. In a damaged file, domains may form a ring. */
function baseOf(type: string, domains: ReadonlyMap<string, string>): string {
  const seen = new Set<string>();
  let base = type;
  for (let name = domainName(base); domains.has(name) && !seen.has(name); name = domainName(base)) {
    seen.add(name);
    base = domains.get(name)!.replaceAll('"', '');
  }
  return base;
}

const domainName = (type: string): string => type.replace(/^.*\./, '').toLowerCase();

function typeOf(declared: string): string {
  // An array, such as `numeric(5,2)[]`, is written as one text.
  if (/\]$|\barray$/i.test(declared)) return 'TEXT';
  if (BYTES.test(declared)) return 'BLOB';
  if (/^bool/i.test(declared)) return 'BOOLEAN';
  const digits = LONG_DECIMAL.exec(declared)?.[1];
  // REAL has 15 digits; without a number there is no limit.
  if (/^(?:numeric|decimal)/i.test(declared)) return digits !== undefined && Number(digits) <= 15 ? declared : 'TEXT';
  if (KEPT_TYPE.test(declared)) return /^serial|serial$/i.test(declared) ? 'INTEGER' : declared;
  return 'TEXT';
}

function restOf(tokens: readonly SqlToken[], holds: ColumnContent): string {
  let text = '';
  for (let at = 0; at < tokens.length; at++) {
    if (isWord(tokens[at], 'NOT') && isWord(tokens[at + 1], 'NULL')) text += ' NOT NULL';
    else if (isWord(tokens[at], 'UNIQUE')) text += ' UNIQUE';
    else if (isWord(tokens[at], 'GENERATED') && isWord(tokens[at + 2], 'AS') && isSign(tokens[at + 3], '('))
      text += ` AS ${expression(tokens.slice(at + 3, afterParentheses(tokens, at + 3)))} STORED`;
    else if (isWord(tokens[at], 'DEFAULT')) {
      let end = at + 1;
      while (end < tokens.length && !isWord(tokens[end], ...AFTER_TYPE.filter((word) => word !== 'NULL')))
        end = isSign(tokens[end], '(') ? afterParentheses(tokens, end) : end + 1;
      text += defaultOf(tokens.slice(at + 1, end), holds);
      at = end - 1;
    }
    if (isSign(tokens[at], '(')) at = afterParentheses(tokens, at) - 1;
  }
  return text;
}

const checksOf = (tokens: readonly SqlToken[]): readonly string[] =>
  checksIn(tokens).map((check) => `CHECK ${expression(check)}`);

/** Numbers, texts and the present moment; functions SQLite does not have. */
export function defaultOf(tokens: readonly SqlToken[], holds: ColumnContent): string {
  const bare = withoutParentheses(withoutCasts(tokens));
  const [first, second] = bare;
  const moment = momentOf(tokens, bare);
  if (moment !== null) return moment === '' ? '' : ` DEFAULT ${moment}`;
  const digits = holds === 'text' ? digitsOf(bare) : null;
  if (digits !== null) return ` DEFAULT ${digits}`;
  if (holds === 'bytes' && bare.length === 1 && first!.kind === 'string')
    return ` DEFAULT ${blobOf(bytesOfBytea(first!.value))}`;
  if (
    holds === 'booleans' &&
    bare.length === 1 &&
    first!.kind === 'string' &&
    /^(?:t|true|f|false)$/i.test(first!.value)
  )
    return ` DEFAULT ${/^t/i.test(first!.value) ? 'TRUE' : 'FALSE'}`;
  if (isNow(bare)) return ' DEFAULT CURRENT_TIMESTAMP';
  if (
    bare.length === 1 &&
    (first!.kind === 'string' ||
      first!.kind === 'number' ||
      isWord(first, 'TRUE', 'FALSE', 'CURRENT_DATE', 'CURRENT_TIME', 'NULL'))
  )
    return ` DEFAULT ${written(bare)}`;
  if (bare.length === 2 && isSign(first, '-') && second!.kind === 'number') return ` DEFAULT -${second!.text}`;
  return isComputable(bare, holds) ? ` DEFAULT (${written(bare)})` : '';
}

/** `now()` alone, or in the time zone that SQLite's word for it has. */
function isNow(tokens: readonly SqlToken[]): boolean {
  if (!/^"?(?:now|current_timestamp|clock_timestamp|localtimestamp)"?$/i.test(tokens[0]?.text ?? '')) return false;
  const rest = tokens.slice(isSign(tokens[1], '(') ? afterParentheses(tokens, 1) : 1);
  return rest.length === 0 || (isWord(rest[0], 'AT') && rest.length === 4 && /^utc$/i.test(rest[3]!.value));
}

const PRESENT: Readonly<Record<string, string>> = { date: 'CURRENT_DATE', time: 'CURRENT_TIME', timestamp: 'CURRENT_TIMESTAMP' }; // prettier-ignore

/** `('now'::text)::date`, as old servers write CURRENT_DATE; '' for a moment that SQLite has no word for, null for any other text. */
function momentOf(tokens: readonly SqlToken[], bare: readonly SqlToken[]): string | null {
  const text = bare.length === 1 && bare[0]!.kind === 'string' ? bare[0]!.value.toLowerCase() : '';
  if (!['now', 'today', 'tomorrow', 'yesterday'].includes(text)) return null;
  const types = tokens.map((token) => /^"?(date|timestamp|time)(?:tz)?"?$/i.exec(token.text)?.[1]?.toLowerCase());
  const type = types.find((found) => found !== undefined);
  if (type === undefined) return null;
  if (text === 'now') return PRESENT[type]!;
  return text === 'today' && type === 'date' ? PRESENT[type]! : '';
}

/** Sums of numbers and joined texts. A text beside a sign of arithmetic is a date or a span of time, which SQLite takes for a number. */
function isComputable(tokens: readonly SqlToken[], holds: ColumnContent): boolean {
  const consistsOf = (kind: SqlToken['kind'], signs: string): boolean =>
    tokens.some((token) => token.kind === kind) &&
    tokens.every((token) => token.kind === kind || (token.kind === 'sign' && signs.includes(token.text)));
  if (holds === 'text') return consistsOf('string', '()|');
  return (holds === 'integers' || holds === 'numbers') && consistsOf('number', '()+-*');
}

export interface Constraint {
  readonly primaryKey: readonly string[] | null;
  readonly sql: string;
  readonly isCheck: boolean;
}

/** Null for tokens that are not a constraint. */
export function constraintOf(tokens: readonly SqlToken[], tableName: PostgresNames['tableName']): Constraint | null {
  const bare = isWord(tokens[0], 'CONSTRAINT') ? tokens.slice(2) : tokens;
  const open = bare.findIndex((token) => isSign(token, '('));
  const columns = (): readonly string[] =>
    splitAtCommas(bare.slice(open + 1, afterParentheses(bare, open) - 1)).map(([first]) => nameOf(first));
  if (isWord(bare[0], 'PRIMARY')) return { primaryKey: columns(), sql: '', isCheck: false };
  if (isWord(bare[0], 'UNIQUE'))
    return { primaryKey: null, sql: `UNIQUE (${columns().map(quoteName).join(', ')})`, isCheck: false };
  if (isWord(bare[0], 'FOREIGN')) return { primaryKey: null, sql: constraintSql(bare, tableName), isCheck: false };
  if (isWord(bare[0], 'CHECK'))
    return {
      primaryKey: null,
      sql: `CHECK ${expression(bare.slice(open, afterParentheses(bare, open)))}`,
      isCheck: true,
    };
  return null;
}

/** Casts are left out (`'x'::text`, `DATE '2020-01-31'`), and names of schemas before a table or a function. */
export const expression = (tokens: readonly SqlToken[]): string =>
  written(
    withoutCasts(tokens).filter((token, at, all) => {
      const isSchema = (place: number): boolean =>
        /^"?(?:public|pg_catalog)"?$/i.test(all[place]?.text ?? '') && isSign(all[place + 1], '.');
      return !isSchema(at) && !(isSign(token, '.') && isSchema(at - 1));
    }),
  );

export function withoutCasts(tokens: readonly SqlToken[]): readonly SqlToken[] {
  const kept: SqlToken[] = [];
  const casts = castsIn(tokens);
  /** The last place of what is left out from the AS on. */
  const types = new Map<number, number>();
  for (let at = 0; at < tokens.length; at++) {
    const [cast, type] = [casts.get(at), types.get(at)];
    if (type !== undefined) {
      at = type;
      continue;
    }
    // SQLite makes the number 2020 of `CAST ('2020-01-31' AS date)`. One token needs no parentheses.
    if (cast !== undefined && !isWord(tokens[cast.as + 1], ...SAME_CAST)) {
      const isOne = cast.as === at + 3;
      types.set(cast.as, isOne ? cast.end : cast.end - 1);
      if (isOne) at++;
      continue;
    }
    if (!isSign(tokens[at], ':') || !isSign(tokens[at + 1], ':')) {
      const isCast = isWord(tokens[at], 'DATE', 'TIME', 'TIMESTAMP') && tokens[at + 1]?.kind === 'string';
      if (!isCast) kept.push(tokens[at]!);
      continue;
    }
    at += 2;
    // `character varying(20)[]`, `public.kind`
    if (isWord(tokens[at], 'CHARACTER', 'DOUBLE', 'BIT') && isWord(tokens[at + 1], 'VARYING', 'PRECISION')) at++;
    const isTime = isWord(tokens[at], 'TIMESTAMP', 'TIME');
    if (isSign(tokens[at + 1], '.')) at += 2;
    if (isSign(tokens[at + 1], '(')) at = afterParentheses(tokens, at + 1) - 1;
    if (isTime && isWord(tokens[at + 1], 'WITH', 'WITHOUT') && isWord(tokens[at + 2], 'TIME')) at += 3;
    while (isSign(tokens[at + 1], '[') && isSign(tokens[at + 2], ']')) at += 2;
  }
  return kept;
}

/** Types of which SQLite's CAST makes the same. */
const SAME_CAST = [
  'INTEGER', 'INT', 'BIGINT', 'SMALLINT', 'TEXT', 'VARCHAR', 'CHAR', 'CHARACTER', 'REAL', 'DOUBLE', 'NUMERIC',
  'DECIMAL',
]; // prettier-ignore

export const isNextValue = (tokens: readonly SqlToken[]): boolean =>
  tokens.some((token) => /^"?nextval"?$/i.test(token.text));

// Names of tables as PostgreSQL qualifies them, made into names of one schema.

const BEFORE_TABLE = ['FROM', 'JOIN', 'ONLY', 'UPDATE', 'INTO'];
const AFTER_TABLE = [
  'WHERE', 'JOIN', 'LEFT', 'RIGHT', 'FULL', 'INNER', 'CROSS', 'NATURAL', 'ON', 'USING', 'GROUP', 'ORDER', 'HAVING', 'LIMIT', 'OFFSET', 'UNION',
  'INTERSECT', 'EXCEPT', 'SET', 'VALUES', 'WINDOW', 'FOR',
]; // prettier-ignore

/** Tables of the schema `public` keep their name, those of others begin with that of the schema. */
export class PostgresNames extends DumpDatabases {
  /** Returns the name, and the place after it. */
  readonly tableName = (tokens: readonly SqlToken[], at: number): readonly [string, number] => {
    if (isSign(tokens[at + 1], '.')) return [this.qualified(nameOf(tokens[at]), nameOf(tokens[at + 2])), at + 3];
    return [this.qualified('public', nameOf(tokens[at])), at + 1];
  };

  qualified(schema: string, table: string): string {
    return this.made(this.#keyOf(schema, table)) ?? this.#plain(schema, table);
  }

  #plain(schema: string, table: string): string {
    return this.prefixed(this.current, schema === 'public' ? table : `${schema}_${table}`);
  }

  #keyOf = (schema: string, table: string): string => `${this.current ?? ''}\0${schema}\0${table}`;

  /** Gives a table that is made at `at` a name that no other has. */
  make(tokens: readonly SqlToken[], at: number): void {
    const isQualified = isSign(tokens[at + 1], '.');
    const [schema, table] = isQualified ? [nameOf(tokens[at]), nameOf(tokens[at + 2])] : ['public', nameOf(tokens[at])];
    this.name(this.#keyOf(schema, table), this.#plain(schema, table));
  }

  /** `public.t` in a text. */
  unqualified(name: string): string {
    const [first = '', second] = name.replaceAll('"', '').split('.');
    return second === undefined ? this.qualified('public', first) : this.qualified(first, second);
  }

  /** A query with the names that its tables have here; columns keep their qualifiers. */
  query(tokens: readonly SqlToken[]): readonly SqlToken[] {
    const result: SqlToken[] = [];
    let isInFrom = false;
    for (let at = 0; at < tokens.length; at++) {
      const before = tokens[at - 1];
      if (tokens[at]!.kind === 'word' && isWord(tokens[at], ...BEFORE_TABLE, ...AFTER_TABLE, 'SELECT'))
        isInFrom = isWord(tokens[at], ...BEFORE_TABLE);
      const isPlace = isWord(before, ...BEFORE_TABLE) || isSign(before, ',') || isSign(before, '(');
      const isTable = isInFrom && isPlace && isSign(tokens[at + 1], '.') && !isSign(tokens[at + 3], '(');
      const [name, after] = isTable ? this.tableName(tokens, at) : ['', at + 1];
      const own = nameOf(tokens[at + 2]);
      if (!isTable || name === own) {
        result.push(tokens[at]!);
        continue;
      }
      const next = tokens[after];
      const hasAlias = (next?.kind === 'word' && !isWord(next, ...AFTER_TABLE)) || next?.kind === 'name';
      const text = `${quoteName(name)}${hasAlias ? '' : ` AS ${quoteName(own)}`}`;
      result.push({ kind: 'sql', text, value: name, at: tokens[at]!.at });
      at = after - 1;
    }
    return result;
  }
}

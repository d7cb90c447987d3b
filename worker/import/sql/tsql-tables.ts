// CREATE TABLE, keys and constraints of SQL Server, as parts of a table of SQLite.
import { quoteName } from '../../sql/quote.ts';
import { type InsertTarget, contentOfType } from './column-content.ts';
import { constraintSql, nameOf, written, type MadeColumn } from './rewriting.ts';
import { afterParentheses, isSign, isWord, splitAtCommas, withoutParentheses, type SqlToken } from './tokens.ts';
import { tsqlValue } from './tsql-values.ts';
import { DumpDatabases } from './dump-databases.ts';

type TableName = TsqlNames['tableName'];

export interface TsqlColumn extends MadeColumn, InsertTarget {
  readonly isCounting: boolean;
  readonly isPrimary: boolean;
}

const TYPES: readonly (readonly [RegExp, string])[] = [
  [/^(?:n?(?:var)?char|n?text|xml|uniqueidentifier|sysname|hierarchyid|sql_variant)\b/i, 'TEXT'],
  [/^(?:(?:var)?binary|image|rowversion|timestamp|geography|geometry)\b/i, 'BLOB'],
  [/^bit\b/i, 'BOOLEAN'],
  // 19 digits, and REAL has 15.
  [/^money\b/i, 'TEXT'],
  [/^smallmoney\b/i, 'DECIMAL(10, 4)'],
];
const LONG_DECIMAL = /^(?:decimal|numeric|dec)\s*\(\s*(\d+)/i;

function typeOf(declared: string): string {
  if (Number(LONG_DECIMAL.exec(declared)?.[1] ?? 0) > 15) return 'TEXT';
  // 18 digits, where none are declared.
  if (/^(?:decimal|numeric|dec)$/i.test(declared)) return 'TEXT';
  return TYPES.find(([pattern]) => pattern.test(declared))?.[1] ?? declared;
}

/** `[id] [int] IDENTITY(1,1) NOT NULL`. @param left takes what was left out, as a whole sentence */
export function columnOf(tokens: readonly SqlToken[], left: string[], tableName: TableName): TsqlColumn {
  const name = nameOf(tokens[0]);
  const isGenerated = isWord(tokens[1], 'AS');
  const after = isGenerated ? 1 : afterType(tokens);
  const declared = isGenerated ? '' : declaredType(tokens.slice(1, after));
  const type = isGenerated ? '' : typeOf(declared);
  const given = tokens.slice(after);
  // Scripts have no values for what the server fills in.
  const isFilled = /^(?:rowversion|timestamp)$/i.test(declared) || given.some(isRowPeriod);
  const rest = isFilled ? given.filter((_, at) => !isNotNull(given, at) && !isNotNull(given, at - 1)) : given;
  if (rest.length < given.length)
    left.push(`The column “${name}”, which SQL Server fills in, may be NULL here: scripts have no values for it.`);
  const isCounting = rest.some((token) => isWord(token, 'IDENTITY'));
  return {
    name,
    type,
    rest: restOf(rest, name, left, tableName),
    holds: isGenerated ? null : contentOfType(type),
    isGenerated,
    isCounting,
    isPrimary: rest.some((token, at) => isWord(token, 'PRIMARY') && isWord(rest[at + 1], 'KEY')),
  };
}

const isNotNull = (tokens: readonly SqlToken[], at: number): boolean =>
  isWord(tokens[at], 'NOT') && isWord(tokens[at + 1], 'NULL');

/** `GENERATED ALWAYS AS ROW START`, of a temporal table. */
const isRowPeriod = (token: SqlToken, at: number, tokens: readonly SqlToken[]): boolean =>
  isWord(token, 'AS') && isWord(tokens[at + 1], 'ROW');

function afterType(tokens: readonly SqlToken[]): number {
  let at = 2;
  while (isSign(tokens[at], '.')) at += 2;
  if (isWord(tokens[at], 'PRECISION', 'VARYING')) at++;
  return isSign(tokens[at], '(') ? afterParentheses(tokens, at) : at;
}

/** `[sys].[nvarchar](50)` without brackets and schema. */
function declaredType(tokens: readonly SqlToken[]): string {
  const open = tokens.findIndex((token) => isSign(token, '('));
  const names = tokens.slice(0, open < 0 ? undefined : open).filter(({ kind }) => kind !== 'sign');
  const plain = names.length > 1 && isSign(tokens[1], '.') ? names.slice(-1) : names;
  return plain.map((token) => nameOf(token)).join(' ') + (open < 0 ? '' : written(tokens.slice(open)));
}

function restOf(tokens: readonly SqlToken[], name: string, left: string[], tableName: TableName): string {
  let text = '';
  for (let at = 0; at < tokens.length; at++) {
    if (isWord(tokens[at], 'NOT') && isWord(tokens[at + 1], 'NULL')) text += ' NOT NULL';
    else if (isWord(tokens[at], 'UNIQUE')) text += ' UNIQUE';
    else if (isWord(tokens[at], 'CHECK') && isSign(tokens[at + 1], '('))
      text += ` CHECK ${written(tokens.slice(at + 1, afterParentheses(tokens, at + 1)))}`;
    else if (isWord(tokens[at], 'AS') && isSign(tokens[at + 1], '(')) {
      const after = afterParentheses(tokens, at + 1);
      text += ` AS ${written(tokens.slice(at + 1, after))}${isWord(tokens[after], 'PERSISTED') ? ' STORED' : ''}`;
    } else if (isWord(tokens[at], 'DEFAULT')) text += defaultOf(tokens.slice(at + 1), name, left);
    else if (isWord(tokens[at], 'REFERENCES')) {
      const [table, after] = tableName(tokens, at + 1);
      const columns = isSign(tokens[after], '(')
        ? ` ${written(tokens.slice(after, afterParentheses(tokens, after)))}`
        : '';
      text += ` REFERENCES ${quoteName(table)}${columns}`;
    }
    if (isSign(tokens[at], '(')) at = afterParentheses(tokens, at) - 1;
  }
  return text;
}

/** `DEFAULT ((0))`, `DEFAULT (getdate())`. @param tokens after the word */
export function defaultOf(tokens: readonly SqlToken[], column: string, left: string[]): string {
  const end = isSign(tokens[0], '(') ? afterParentheses(tokens, 0) : isSign(tokens[0], '-') ? 2 : 1;
  const bare = withoutParentheses(tokens.slice(0, end));
  const text = bare.map((token) => token.text).join('');
  if (/^(?:getdate|sysdatetime|current_timestamp|getutcdate|sysutcdatetime)(?:\(\))?$/i.test(text))
    return ' DEFAULT CURRENT_TIMESTAMP';
  const isPlain = bare.length === 1 ? !isWord(bare[0]) : bare.length === 2 && isSign(bare[0], '-');
  const value = isPlain || isWord(bare[0], 'NULL') ? tsqlValue(bare, null) : null;
  if (value !== null) return ` DEFAULT ${value}`;
  left.push(`The default of the column “${column}”, ${written(bare)}, was left out: SQLite does not have it.`);
  return '';
}

export interface TsqlConstraint {
  readonly primaryKey: readonly string[] | null;
  readonly sql: string;
}

/** Null for tokens that are not a constraint of a table. */
export function constraintOf(tokens: readonly SqlToken[], tableName: TableName): TsqlConstraint | null {
  const bare = isWord(tokens[0], 'CONSTRAINT') ? tokens.slice(2) : tokens;
  const open = bare.findIndex((token) => isSign(token, '('));
  if (open < 0) return null;
  const columns = (): readonly string[] =>
    splitAtCommas(bare.slice(open + 1, afterParentheses(bare, open) - 1)).map(([first]) => nameOf(first));
  if (isWord(bare[0], 'PRIMARY')) return { primaryKey: columns(), sql: '' };
  if (isWord(bare[0], 'UNIQUE')) return { primaryKey: null, sql: `UNIQUE (${columns().map(quoteName).join(', ')})` };
  if (isWord(bare[0], 'FOREIGN')) {
    const not = bare.findIndex((token, at) => isWord(token, 'NOT') && isWord(bare[at + 1], 'FOR'));
    return { primaryKey: null, sql: constraintSql(not < 0 ? bare : bare.slice(0, not), tableName) };
  }
  return isWord(bare[0], 'CHECK')
    ? { primaryKey: null, sql: `CHECK ${written(bare.slice(open, afterParentheses(bare, open)))}` }
    : null;
}

// Names of tables of a file that may hold several databases of SQL Server.

/** Tables of the schema `dbo` keep their name, those of others begin with that of the schema. */
export class TsqlNames extends DumpDatabases {
  constructor() {
    // SQL Server tells names of databases by no more than their letters.
    super((name) => name.toLowerCase());
  }

  /** `[database].[schema].[table]`, or less of it. Returns the name, and the place after it. */
  readonly tableName = (tokens: readonly SqlToken[], at: number): readonly [string, number] => {
    const names = [nameOf(tokens[at])];
    let after = at + 1;
    while (isSign(tokens[after], '.')) {
      // `database..table` leaves out the schema.
      const isEmpty = isSign(tokens[after + 1], '.');
      names.push(isEmpty ? '' : nameOf(tokens[after + 1]));
      after += isEmpty ? 1 : 2;
    }
    const [table = '', schema = '', database = this.current] = names.reverse();
    if (names.length > 2) this.hasTable(database);
    const name = /^(?:dbo)?$/i.test(schema) ? table : `${schema}_${table}`;
    return [this.prefixed(database, name), after];
  };

  /** A query with the names that its tables have here. */
  query(tokens: readonly SqlToken[]): readonly SqlToken[] {
    const result: SqlToken[] = [];
    for (let at = 0; at < tokens.length; at++) {
      const token = tokens[at]!;
      const isTable =
        isWord(tokens[at - 1], 'FROM', 'JOIN', 'UPDATE', 'INTO') && (token.kind === 'name' || token.kind === 'word');
      const [name, after] = isTable ? this.tableName(tokens, at) : ['', at + 1];
      const own = tokens[after - 1]!;
      if (isTable) {
        result.push(name === nameOf(own) ? own : { kind: 'sql', text: quoteName(name), value: name, at: token.at });
        at = after - 1;
      } else if (/^dbo$/i.test(nameOf(token)) && isSign(tokens[at + 1], '.')) at++;
      else result.push(token);
    }
    return result;
  }
}

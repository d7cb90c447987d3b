// Writes names, texts, and definitions of other databases for SQLite.
import { quoteName } from '../../sql/quote.ts';
import { asText, hexOf, isUtf8Text } from './byte-text.ts';
import { isSign, isWord, type SqlToken } from './tokens.ts';

export const literalOf = (value: string): string =>
  value.includes('\0') || !isUtf8Text(value)
    ? `CAST(X'${hexOf(value)}' AS TEXT)`
    : `'${asText(value).replaceAll("'", "''")}'`;

export const blobOf = (value: string): string => `X'${hexOf(value)}'`;

export const nameOf = (token: SqlToken | undefined): string => asText(token?.value ?? '');

const MOST_NAMED = 5;

/** @param columns with their tables */
export function defaultNotes(columns: readonly string[]): readonly string[] {
  if (columns.length === 0) return [];
  const more = columns.length > MOST_NAMED ? ` and ${columns.length - MOST_NAMED} more` : '';
  const named = `${columns
    .slice(0, MOST_NAMED)
    .map((name) => `“${name}”`)
    .join(', ')}${more}`;
  return [
    `Defaults that SQLite does not have were left out: ${named}. New rows have NULL there if they give no value.`,
  ];
}

/** @param odd how many texts of each table are not in the encoding */
export const oddNotes = (odd: ReadonlyMap<string, number>, encoding: string): readonly string[] =>
  [...odd].map(
    ([table, count]) =>
      `Texts of “${table}” that are not ${encoding}: ${count.toLocaleString('en-US')}. Their bytes are kept as they are; another encoding may read them.`,
  );

export interface MadeColumn {
  readonly name: string;
  readonly type: string;
  /** NOT NULL, DEFAULT, …, as SQLite takes them. */
  readonly rest: string;
}

export interface MadeTable {
  readonly name: string;
  readonly columns: readonly MadeColumn[];
  readonly ifNotExists?: boolean;
  /** FOREIGN KEY, UNIQUE, … */
  readonly constraints: readonly string[];
  readonly primaryKey: readonly string[];
  /** The column whose values are numbered automatically. */
  readonly counts: string | null;
}

/** An integer key of one column becomes the row id, as usual in SQLite. */
export function createTableSql({ name, columns, constraints, primaryKey, counts, ifNotExists }: MadeTable): string {
  const [key] = primaryKey;
  const keyColumn = columns.find((column) => column.name === key);
  const isRowid = primaryKey.length === 1 && keyColumn !== undefined && /int|serial/i.test(keyColumn.type);
  const lines = columns.map((column) => {
    if (!isRowid || column !== keyColumn) return `${quoteName(column.name)} ${column.type}${column.rest}`.trimEnd();
    return `${quoteName(column.name)} INTEGER PRIMARY KEY${counts === column.name ? ' AUTOINCREMENT' : ''}`;
  });
  if (primaryKey.length > 0 && !isRowid) lines.push(`PRIMARY KEY (${primaryKey.map(quoteName).join(', ')})`);
  return `CREATE TABLE ${ifNotExists === true ? 'IF NOT EXISTS ' : ''}${quoteName(name)} (\n  ${[...lines, ...constraints].join(',\n  ')}\n)`;
}

export const isRowidKey = ({ columns, primaryKey }: MadeTable): boolean =>
  primaryKey.length === 1 && /int|serial/i.test(columns.find(({ name }) => name === primaryKey[0])?.type ?? '');

/** Tokens with single spaces, written for SQLite. */
export function written(tokens: readonly SqlToken[]): string {
  let text = '';
  tokens.forEach((token, at) => {
    const before = tokens[at - 1];
    const isTight =
      at === 0 ||
      isSign(token, ')') ||
      isSign(token, ',') ||
      isSign(token, '.') ||
      isSign(before, '(') ||
      isSign(before, '.');
    // `<=`, `||`, `::` are two signs here; `--` would begin a comment.
    const isJoined =
      token.kind === 'sign' &&
      before?.kind === 'sign' &&
      before.at + 1 === token.at &&
      !/[(),]|--/.test(token.text + before.text);
    text += (isTight || isJoined ? '' : ' ') + writtenToken(token);
  });
  return text;
}

function writtenToken(token: SqlToken): string {
  if (token.kind === 'sql') return token.text;
  if (token.kind === 'string') return literalOf(token.value);
  return token.kind === 'name' ? quoteName(nameOf(token)) : asText(token.text);
}

/** `FOREIGN KEY (…) REFERENCES …` and `CHECK (…)` read alike in SQLite. @param tableName of what it refers to */
export function constraintSql(
  tokens: readonly SqlToken[],
  tableName: (tokens: readonly SqlToken[], at: number) => readonly [string, number],
): string {
  const at = tokens.findIndex((token) => isWord(token, 'REFERENCES'));
  if (at < 0) return written(tokens);
  const [table, after] = tableName(tokens, at + 1);
  const rest = tokens.slice(after).filter((token) => !isWord(token, 'MATCH', 'SIMPLE', 'FULL'));
  const deferrable = rest.findIndex(
    (token, place) =>
      isWord(token, 'DEFERRABLE') || (isWord(token, 'NOT') && isWord(rest[place + 1], 'VALID', 'DEFERRABLE')),
  );
  const actions = deferrable < 0 ? rest : rest.slice(0, deferrable);
  return `${written(tokens.slice(0, at))} REFERENCES ${quoteName(table)} ${written(actions)}`.trimEnd();
}

const CHANGES_CASE = /\b(?:upper|lower)"? ?\(/i;

/** Whole sentences about generated columns that SQLite may compute differently: its functions know no letters beyond ASCII. */
export const caseNotes = (table: string, columns: readonly MadeColumn[]): readonly string[] =>
  columns
    .filter(({ rest }) => / AS \(/.test(rest) && CHANGES_CASE.test(rest))
    .map(
      ({ name }) => `The generated column “${table}.${name}” changes the case of letters: in SQLite only from A to Z.`,
    );

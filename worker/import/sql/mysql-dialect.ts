// Statements of MySQL and MariaDB, as mysqldump, phpMyAdmin and HeidiSQL write them.
import { quoteName } from '../../sql/quote.ts';
import { asText } from './byte-text.ts';
import { constraintSql, createTableSql, isRowidKey, literalOf, nameOf, written } from './rewriting.ts';
import type { MadeColumn } from './rewriting.ts';
import { afterParentheses, isSign, isWord, splitAtCommas, tokensOf } from './tokens.ts';
import type { SqlToken } from './tokens.ts';
import { columnOf } from './mysql-columns.ts';
import { insert, tableName, values } from './mysql-values.ts';
import type { SqlAction, SqlTranslator } from './translator.ts';

const MYSQL_COMMENT = /\/\*M?!\d*([^]*?)\*\//g;
const refuse = (reason: string): SqlAction => ({ do: 'refuse', reason });
const leave = (group: string): SqlAction => ({ do: 'leave', group });

const SETTINGS = 'settings of MySQL (SET, LOCK TABLES, USE, …)';
const NO_COUNTERPART: Readonly<Record<string, string>> = {
  FUNCTION: 'SQLite has no functions that are written in SQL.',
  PROCEDURE: 'SQLite has no procedures.',
  TRIGGER: 'MySQL triggers use a language that SQLite does not have.',
  EVENT: 'SQLite has no events.',
  USER: 'SQLite has no users.',
};

/** @param beginning of the file: phpMyAdmin adds keys to tables when their rows are in */
export function mysqlTranslator(beginning: string): SqlTranslator {
  const mysql = new Mysql();
  return {
    notes: [],
    looksAhead: beginning.includes('phpMyAdmin'),
    see: (text) => mysql.see(text),
    translate: (text) => mysql.translate(text),
    finish: () => mysql.indexes,
  };
}

interface LateKey {
  primaryKey: readonly string[];
  counts: string | null;
}

class Mysql {
  /** Indexes are made after the rows, which is faster. */
  readonly indexes: string[] = [];
  readonly #indexNames = new Set<string>();
  readonly #lateKeys = new Map<string, LateKey>();

  see(text: string): void {
    if (!/^ALTER\s+TABLE\b/i.test(text)) return;
    const tokens = tokensOf(text, 'mysql');
    const [table, after] = tableName(tokens, 2);
    const key = this.#lateKeys.get(table) ?? { primaryKey: [], counts: null };
    this.#lateKeys.set(table, key);
    for (const part of splitAtCommas(tokens.slice(after))) {
      if (isWord(part[0], 'ADD') && isWord(part[1], 'PRIMARY')) key.primaryKey = columnNames(part);
      if (isWord(part[0], 'MODIFY') && part.some((token) => isWord(token, 'AUTO_INCREMENT')))
        key.counts = nameOf(part[1]);
    }
  }

  translate(raw: string): SqlAction {
    const text = raw.includes('/*!') || raw.includes('/*M!') ? raw.replace(MYSQL_COMMENT, '$1').trim() : raw;
    if (text === '') return leave('comments that only MySQL reads');
    const [word = '', second = ''] = (/^\(?\s*([A-Za-z]+)(?:\s+([A-Za-z]+))?/.exec(text)?.slice(1) ?? []).map((part) =>
      (part ?? '').toUpperCase(),
    );
    switch (word) {
      case 'INSERT':
      case 'REPLACE':
        return insert(text, word);
      case 'CREATE':
        return this.#create(text);
      case 'DROP':
        return this.#drop(text, second);
      case 'ALTER':
        return this.#alter(text);
      case 'SET':
      case 'LOCK':
      case 'UNLOCK':
      case 'USE':
      case 'FLUSH':
      case 'ANALYZE':
      case 'OPTIMIZE':
        return leave(SETTINGS);
      case 'START':
        return { do: 'run', sql: ['BEGIN'] };
      case 'BEGIN':
      case 'COMMIT':
      case 'ROLLBACK':
        return { do: 'run', sql: [word] };
      case 'UPDATE':
      case 'DELETE':
        return { do: 'run', sql: [written(values(tokensOf(text, 'mysql')))] };
      case 'GRANT':
      case 'REVOKE':
        return leave('user privileges (GRANT, REVOKE)');
      case 'SELECT':
        return refuse('It is a query, which adds nothing.');
      default:
        return refuse(`It begins with “${asText(text.slice(0, 20))}”, which is not known here.`);
    }
  }

  #create(text: string): SqlAction {
    const tokens = tokensOf(text, 'mysql');
    const at = tokens.findIndex((token) =>
      isWord(token, 'TABLE', 'VIEW', 'INDEX', 'DATABASE', 'SCHEMA', ...Object.keys(NO_COUNTERPART)),
    );
    const kind = tokens[at]?.text.toUpperCase() ?? '';
    if (kind === 'TABLE') return this.#createTable(tokens, at + 1);
    if (kind === 'VIEW') return { do: 'run', sql: [`CREATE ${written(tokens.slice(at))}`] };
    if (kind === 'INDEX') return { do: 'run', sql: [written(withoutLengths(tokens))] };
    if (kind === 'DATABASE' || kind === 'SCHEMA')
      return leave('statements that create a database: the tables go into the chosen one');
    return refuse(NO_COUNTERPART[kind] ?? 'It creates something that SQLite does not have.');
  }

  #drop(text: string, kind: string): SqlAction {
    if (kind === 'TABLE' || kind === 'VIEW') return { do: 'run', sql: dropped(tokensOf(text, 'mysql'), kind) };
    if (kind === 'DATABASE' || kind === 'SCHEMA') return leave('statements that drop a database');
    return leave('statements that drop what SQLite does not have');
  }

  /** `ADD PRIMARY KEY`, `ADD KEY` and `MODIFY … AUTO_INCREMENT` of phpMyAdmin come after the rows: of these, indexes can be made. */
  #alter(text: string): SqlAction {
    if (/\b(?:DISABLE|ENABLE)\s+KEYS\b/i.test(text)) return leave(SETTINGS);
    const tokens = tokensOf(text, 'mysql');
    if (!isWord(tokens[1], 'TABLE')) return refuse('SQLite cannot change this.');
    const [table, after] = tableName(tokens, isWord(tokens[2], 'IF') ? 4 : 2);
    const parts = splitAtCommas(tokens.slice(after));
    const sql: string[] = [];
    const hasKey = (this.#lateKeys.get(table)?.primaryKey.length ?? 0) > 0;
    for (const part of parts) {
      if (hasKey && isWord(part[0], 'ADD') && isWord(part[1], 'PRIMARY')) continue;
      const added = isWord(part[0], 'ADD') ? part.slice(1) : null;
      const index = added && indexOf(added, isWord(added[0], 'PRIMARY'));
      if (index) sql.push(this.#indexSql(table, index));
      else if (!isWord(part[0], 'MODIFY', 'AUTO_INCREMENT', 'ENGINE', 'COMMENT'))
        return refuse('SQLite cannot add this to an existing table.');
    }
    this.indexes.push(...sql);
    return parts.length > 0 && sql.length === 0
      ? leave('statements that add a key, which was made with its table, or say how MySQL keeps it')
      : { do: 'run', sql: [] };
  }

  #createTable(tokens: readonly SqlToken[], from: number): SqlAction {
    const ifNotExists = isWord(tokens[from], 'IF');
    const [name, open] = tableName(tokens, ifNotExists ? from + 3 : from);
    if (!isSign(tokens[open], '(')) return { do: 'run', sql: [written(tokens)] };
    const close = afterParentheses(tokens, open);
    const columns: MadeColumn[] = [];
    const constraints: string[] = [];
    const indexes: Index[] = [];
    let primaryKey: readonly string[] = [];
    let counts: string | null = null;
    for (const item of splitAtCommas(tokens.slice(open + 1, close - 1))) {
      const index = indexOf(item, false);
      const bare = isWord(item[0], 'CONSTRAINT')
        ? item.slice(isWord(item[1], 'FOREIGN', 'CHECK', 'PRIMARY', 'UNIQUE') ? 1 : 2)
        : item;
      if (index) indexes.push(index);
      else if (isWord(bare[0], 'PRIMARY')) primaryKey = columnNames(bare);
      else if (isWord(bare[0], 'FOREIGN')) constraints.push(constraintSql(bare, tableName));
      else if (isWord(bare[0], 'CHECK')) constraints.push(written(values(bare)));
      else {
        const column = columnOf(item);
        columns.push(column);
        if (item.some((token) => isWord(token, 'AUTO_INCREMENT'))) counts = column.name;
        if (item.some((token, at) => isWord(token, 'PRIMARY') && isWord(item[at + 1], 'KEY')))
          primaryKey = [column.name];
      }
    }
    const late = this.#lateKeys.get(name);
    if (primaryKey.length === 0) primaryKey = late?.primaryKey ?? [];
    const made = { name, columns, constraints, primaryKey, counts: counts ?? late?.counts ?? null };
    const sql = [
      ifNotExists ? createTableSql(made).replace('CREATE TABLE', 'CREATE TABLE IF NOT EXISTS') : createTableSql(made),
    ];
    const next = tokens.slice(close).findIndex((token) => isWord(token, 'AUTO_INCREMENT'));
    const value = tokens.slice(close)[next + (isSign(tokens.slice(close)[next + 1], '=') ? 2 : 1)];
    if (next >= 0 && counts !== null && isRowidKey(made) && value?.kind === 'number')
      sql.push(`INSERT INTO sqlite_sequence (name, seq) VALUES (${literalOf(name)}, ${Number(value.text) - 1})`);
    // Others may refer to unique columns.
    for (const index of indexes) (index.isUnique ? sql : this.indexes).push(this.#indexSql(name, index));
    return { do: 'run', sql };
  }

  /** Their names are those of a table in MySQL, and those of the database in SQLite. */
  #indexSql(table: string, { name, columns, isUnique }: Index): string {
    let free = name === '' ? `${table}_${columns.length}` : name;
    if (name === '' || this.#indexNames.has(free.toLowerCase())) free = `${table}_${name === '' ? 'key' : name}`;
    for (let number = 2, base = free; this.#indexNames.has(free.toLowerCase()); number++) free = `${base}_${number}`;
    this.#indexNames.add(free.toLowerCase());
    return `CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX ${quoteName(free)} ON ${quoteName(table)} (${columns.join(', ')})`;
  }
}

function dropped(tokens: readonly SqlToken[], kind: string): readonly string[] {
  const from = isWord(tokens[2], 'IF') ? 4 : 2;
  return splitAtCommas(tokens.slice(from)).map((part) => `DROP ${kind} IF EXISTS ${quoteName(tableName(part, 0)[0])}`);
}

interface Index {
  readonly name: string;
  /** Columns as written in an index of SQLite. */
  readonly columns: readonly string[];
  readonly isUnique: boolean;
}

/** `[UNIQUE|FULLTEXT|SPATIAL] KEY name (…)`; null for anything else. */
function indexOf(item: readonly SqlToken[], isPrimary: boolean): Index | null {
  const bare = isWord(item[0], 'CONSTRAINT')
    ? item.slice(isWord(item[1], 'UNIQUE', 'PRIMARY', 'FOREIGN', 'CHECK') ? 1 : 2)
    : item;
  const isUnique = isWord(bare[0], 'UNIQUE');
  const isIndex = isUnique || isWord(bare[0], 'KEY', 'INDEX', 'FULLTEXT', 'SPATIAL') || isPrimary;
  const open = bare.findIndex((token) => isSign(token, '('));
  if (!isIndex || open < 0 || bare[0]?.kind === 'name') return null;
  const named = bare
    .slice(1, open)
    .find((token) => token.kind === 'name' || !isWord(token, 'KEY', 'INDEX', 'USING', 'BTREE', 'HASH'));
  const columns = splitAtCommas(bare.slice(open + 1, afterParentheses(bare, open) - 1)).map(
    (part) => quoteName(nameOf(part[0])) + (isWord(part.at(-1), 'DESC') ? ' DESC' : ''),
  );
  return { name: isPrimary || !named ? '' : nameOf(named), columns, isUnique: isUnique || isPrimary };
}

const columnNames = (tokens: readonly SqlToken[]): readonly string[] => {
  const open = tokens.findIndex((token) => isSign(token, '('));
  return splitAtCommas(tokens.slice(open + 1, afterParentheses(tokens, open) - 1)).map(([first]) => nameOf(first));
};

/** `name`(10) indexes the beginning of a text: SQLite indexes the whole. */
const withoutLengths = (tokens: readonly SqlToken[]): readonly SqlToken[] =>
  tokens.filter((token, at) => {
    const isLength = (place: number): boolean =>
      isSign(tokens[place], '(') && tokens[place + 1]?.kind === 'number' && isSign(tokens[place + 2], ')');
    return !isLength(at) && !(token.kind === 'number' && isLength(at - 1)) && !(isSign(token, ')') && isLength(at - 2));
  });

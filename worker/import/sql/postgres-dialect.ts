// Statements of PostgreSQL, as pg_dump writes them in its plain format. Keys come after the rows there, and before them in SQLite: the file is
// scanned once for them.
import { quoteName } from '../../sql/quote.ts';
import { sqlLiteral } from '../../sql/literal.ts';
import { asText } from './byte-text.ts';
import { insertSql, isDefault, rowsFrom, targetsOf, targetsOfRow } from './inserted-rows.ts';
import { columnOf, constraintOf, expression, isNextValue } from './postgres-columns.ts';
import type { Column } from './postgres-columns.ts';
import { asOf, copyFormat, valueSql } from './postgres-values.ts';
import { qualified, tableName, unqualified } from './postgres-names.ts';
import { createTableSql, nameOf } from './rewriting.ts';
import type { MadeColumn } from './rewriting.ts';
import { afterParentheses, isSign, isWord, splitAtCommas, tokensOf } from './tokens.ts';
import type { SqlToken } from './tokens.ts';
import type { CopyColumn, DumpText, SqlAction, SqlTranslator } from './translator.ts';

const refuse = (reason: string): SqlAction => ({ do: 'refuse', reason });
const leave = (group: string): SqlAction => ({ do: 'leave', group });
const run = (...sql: readonly string[]): SqlAction => ({ do: 'run', sql });

const SETTINGS = 'settings of PostgreSQL (SET, owners, privileges, comments, sequences)';
const LEFT =
  /^(?:SET|RESET|GRANT|REVOKE|COMMENT|ANALYZE|VACUUM|SECURITY|CREATE\s+(?:SCHEMA|EXTENSION|SEQUENCE|ROLE|DATABASE)|ALTER\s+(?:SEQUENCE|SCHEMA|TYPE|FUNCTION|VIEW|DATABASE|DEFAULT|EXTENSION|INDEX|DOMAIN)|DROP\s+(?:SCHEMA|EXTENSION|SEQUENCE|TYPE|FUNCTION|DATABASE))\b/i;

interface Known {
  primaryKey: readonly string[];
  readonly constraints: string[];
  counts: string | null;
}

export function postgresTranslator({ existing }: DumpText): SqlTranslator {
  const postgres = new Postgres(existing);
  return {
    notes: postgres.notes,
    looksAhead: true,
    see: (text) => postgres.see(text),
    translate: (text) => postgres.translate(text),
    finish: () => postgres.sequences,
  };
}

class Postgres {
  readonly notes: string[] = [];
  readonly sequences: string[] = [];
  readonly #known = new Map<string, Known>();
  /** Maps each sequence to the table it counts for. */
  readonly #owners = new Map<string, string>();
  readonly #columns = new Map<string, readonly CopyColumn[]>();
  readonly #existing: DumpText['existing'];

  constructor(existing: DumpText['existing']) {
    this.#existing = existing;
  }

  see(text: string): void {
    if (/^ALTER\s+TABLE\b/i.test(text)) this.#seeAlter(tokensOf(text, 'postgresql'));
    else if (/^ALTER\s+SEQUENCE\b/i.test(text)) this.#seeSequence(tokensOf(text, 'postgresql'));
  }

  translate(text: string): SqlAction {
    const [word = '', second = ''] = (/^([A-Za-z]+)(?:\s+([A-Za-z]+))?/.exec(text)?.slice(1) ?? []).map((part) =>
      (part ?? '').toUpperCase(),
    );
    if (LEFT.test(text)) return leave(SETTINGS);
    switch (word) {
      case 'BEGIN':
      case 'START':
        return run('BEGIN');
      case 'COMMIT':
      case 'END':
        return run('COMMIT');
      case 'ROLLBACK':
        return run('ROLLBACK');
      case 'COPY':
        return this.#copy(tokensOf(text, 'postgresql'));
      case 'INSERT':
        return this.#insert(tokensOf(text, 'postgresql'));
      case 'SELECT':
        return this.#select(text);
      case 'CREATE':
        return this.#create(text);
      case 'ALTER':
        return this.#alter(tokensOf(text, 'postgresql'));
      case 'DROP':
        return second === 'TABLE' || second === 'VIEW' || second === 'INDEX'
          ? this.#drop(tokensOf(text, 'postgresql'), second)
          : leave(SETTINGS);
      case 'UPDATE':
      case 'DELETE':
        return run(expression(tokensOf(text, 'postgresql')));
      default:
        return refuse(`It begins with “${asText(text.slice(0, 20))}”, which is not known here.`);
    }
  }

  #create(text: string): SqlAction {
    const tokens = tokensOf(text, 'postgresql');
    const at = tokens.findIndex((token) =>
      isWord(
        token,
        'TABLE',
        'VIEW',
        'INDEX',
        'FUNCTION',
        'PROCEDURE',
        'TRIGGER',
        'TYPE',
        'DOMAIN',
        'RULE',
        'POLICY',
        'AGGREGATE',
      ),
    );
    const kind = tokens[at]?.text.toUpperCase() ?? '';
    if (kind === 'TABLE') return this.#createTable(tokens, at + 1);
    if (kind === 'INDEX') return this.#createIndex(tokens, at + 1);
    if (kind === 'VIEW' && isWord(tokens[at - 1], 'MATERIALIZED')) return refuse('SQLite has no materialized views.');
    if (kind === 'VIEW') {
      const [name, after] = tableName(tokens, at + 1);
      return run(`CREATE VIEW ${quoteName(name)} ${expression(tokens.slice(after))}`);
    }
    if (kind === 'TYPE' || kind === 'DOMAIN')
      return refuse('SQLite has no user-defined types: columns of this type hold text.');
    if (kind === 'TRIGGER') return refuse('Triggers of PostgreSQL call functions, which SQLite does not have.');
    return refuse('It creates something that SQLite does not have.');
  }

  #createTable(tokens: readonly SqlToken[], from: number): SqlAction {
    const [name, open] = tableName(tokens, isWord(tokens[from], 'IF') ? from + 3 : from);
    if (tokens.some((token) => isWord(token, 'PARTITION', 'INHERITS')) && !isSign(tokens[open], '('))
      return refuse('SQLite has no partitions.');
    const known = this.#of(name);
    const columns: MadeColumn[] = [];
    const constraints: string[] = [];
    for (const item of splitAtCommas(tokens.slice(open + 1, afterParentheses(tokens, open) - 1))) {
      const constraint = constraintOf(item);
      if (constraint === null) {
        const column = columnOf(item);
        columns.push(column.column);
        if (column.isCounting) known.counts = column.column.name;
        if (column.isPrimary) known.primaryKey = [column.column.name];
        this.#holds(name, column);
      } else if (constraint.primaryKey) known.primaryKey = constraint.primaryKey;
      else constraints.push(constraint.sql);
    }
    return run(createTableSql({ ...known, name, columns, constraints: [...constraints, ...known.constraints] }));
  }

  #columnsOf(table: string): readonly CopyColumn[] {
    const existing = this.#existing.get(table.toLowerCase()) ?? [];
    return (
      this.#columns.get(table) ??
      existing.map(({ name, holds, isGenerated }) => ({ name, holds: holds ?? 'text', as: asOf(holds), isGenerated }))
    );
  }

  #holds(table: string, { column, holds, isGenerated }: Column): void {
    const made = { name: column.name, holds, as: asOf(holds), isGenerated };
    this.#columns.set(table, [...(this.#columns.get(table) ?? []), made]);
  }

  #createIndex(tokens: readonly SqlToken[], from: number): SqlAction {
    const on = tokens.findIndex((token) => isWord(token, 'ON'));
    const index = nameOf(tokens[isWord(tokens[from], 'CONCURRENTLY') ? from + 1 : from]);
    const [table, after] = tableName(tokens, isWord(tokens[on + 1], 'ONLY') ? on + 2 : on + 1);
    const isUsing = isWord(tokens[after], 'USING');
    if (isUsing && !isWord(tokens[after + 1], 'BTREE', 'HASH'))
      return refuse(`SQLite has no indexes of the kind ${asText(tokens[after + 1]?.text ?? '')}.`);
    const unique = tokens.slice(0, on).some((token) => isWord(token, 'UNIQUE')) ? 'UNIQUE ' : '';
    return run(
      `CREATE ${unique}INDEX ${quoteName(index)} ON ${quoteName(table)} ${expression(tokens.slice(isUsing ? after + 2 : after))}`,
    );
  }

  /** Keys are made with their table; SQLite has no use for the rest. */
  #alter(tokens: readonly SqlToken[]): SqlAction {
    if (!isWord(tokens[1], 'TABLE')) return refuse('SQLite cannot change this.');
    const added = tokens.findIndex((token) => isWord(token, 'ADD'));
    const isSeen =
      added >= 0 &&
      (constraintOf(tokens.slice(added + 1)) !== null || tokens.some((token) => isWord(token, 'GENERATED')));
    if (
      isSeen ||
      tokens.some((token) => isWord(token, 'OWNER', 'REPLICA', 'CLUSTER', 'ROW', 'STATISTICS', 'STORAGE', 'TRIGGER'))
    )
      return leave(isSeen ? 'statements that add a key: it was made with its table' : SETTINGS);
    if (tokens.some((token, at) => isWord(token, 'SET') && isWord(tokens[at + 1], 'DEFAULT')))
      return isNextValue(tokens)
        ? leave('statements that add a key: it was made with its table')
        : refuse('SQLite cannot add a default to an existing column.');
    return refuse('SQLite cannot change an existing table this way.');
  }

  #drop(tokens: readonly SqlToken[], what: string): SqlAction {
    const [name] = tableName(tokens, isWord(tokens[2], 'IF') ? 4 : 2);
    return run(`DROP ${what} IF EXISTS ${quoteName(name)}`);
  }

  #copy(tokens: readonly SqlToken[]): SqlAction {
    const [table, open] = tableName(tokens, 1);
    const known = new Map(this.#columnsOf(table).map((column) => [column.name, column]));
    const names = isSign(tokens[open], '(')
      ? splitAtCommas(tokens.slice(open + 1, afterParentheses(tokens, open) - 1)).map(([first]) => nameOf(first))
      : [...known.values()].filter(({ isGenerated }) => !isGenerated).map(({ name }) => name);
    const format = copyFormat(tokens.slice(tokens.findIndex((token) => isWord(token, 'STDIN')) + 1));
    if (format === null) return refuse('Only the text format of COPY is read.');
    return {
      do: 'copy',
      table,
      format,
      columns: names.map((name) => known.get(name) ?? { name, as: 'text', holds: 'text', isGenerated: false }),
    };
  }

  #insert(tokens: readonly SqlToken[]): SqlAction {
    const [table, after] = tableName(tokens, 2);
    const at = tokens.findIndex((token) => isWord(token, 'VALUES'));
    if (at < 0) return run(`INSERT INTO ${quoteName(table)} ${expression(tokens.slice(after))}`);
    const named = isSign(tokens[after], '(')
      ? splitAtCommas(tokens.slice(after + 1, afterParentheses(tokens, after) - 1)).map(([first]) => nameOf(first))
      : null;
    const targets = targetsOf(named, this.#columns.get(table) ?? this.#existing.get(table.toLowerCase()));
    const parsed = rowsFrom(tokens, at + 1);
    const rows = parsed.rows.map((row) => {
      const goal = targetsOfRow(targets, row.length);
      return row.map((value, place) => (isDefault(value) ? null : valueSql(value, goal?.[place]?.holds ?? null)));
    });
    return run(...insertSql(`INSERT INTO ${quoteName(table)}`, targets, rows, expression(parsed.after)));
  }

  /** `SELECT pg_catalog.setval('public.t_id_seq', 42, true)` */
  #select(text: string): SqlAction {
    const found = /\bsetval\s*\(\s*'([^']+)'(?:::regclass)?\s*,\s*(-?\d+)\s*(?:,\s*(true|false))?/i.exec(text);
    if (!found) return /set_config/i.test(text) ? leave(SETTINGS) : refuse('It is a query, which adds nothing.');
    const table = this.#owners.get(unqualified(found[1]!));
    const known = table === undefined ? undefined : this.#known.get(table);
    if (table !== undefined && known?.counts != null && known.primaryKey.length === 1) {
      const value = Number(found[2]) - (found[3] === 'false' ? 1 : 0);
      this.sequences.push(
        `DELETE FROM sqlite_sequence WHERE name = ${sqlLiteral(table)}`,
        `INSERT INTO sqlite_sequence (name, seq) VALUES (${sqlLiteral(table)}, ${value})`,
      );
    }
    return leave(SETTINGS);
  }

  #seeAlter(tokens: readonly SqlToken[]): void {
    const from = isWord(tokens[2], 'ONLY') ? 3 : 2;
    const [table, after] = tableName(tokens, isWord(tokens[from], 'IF') ? from + 2 : from);
    const known = this.#of(table);
    const rest = tokens.slice(after);
    if (isWord(rest[0], 'ADD')) {
      const constraint = constraintOf(rest.slice(1));
      if (constraint?.primaryKey) known.primaryKey = constraint.primaryKey;
      else if (constraint) known.constraints.push(constraint.sql);
    }
    const isIdentity = rest.some((token) => isWord(token, 'IDENTITY'));
    if (isWord(rest[0], 'ALTER') && (isIdentity || isNextValue(rest))) {
      known.counts = nameOf(rest[isWord(rest[1], 'COLUMN') ? 2 : 1]);
      const sequence = rest.findIndex((token) => isWord(token, 'NAME'));
      if (sequence >= 0) this.#owners.set(tableName(rest, sequence + 1)[0], table);
      const next = rest.find((token) => token.kind === 'string');
      if (next) this.#owners.set(unqualified(next.value), table);
    }
  }

  #seeSequence(tokens: readonly SqlToken[]): void {
    const owned = tokens.findIndex((token) => isWord(token, 'OWNED'));
    if (owned < 0) return;
    // OWNED BY schema.table.column
    const names = tokens.slice(owned + 2).filter(({ kind }) => kind !== 'sign');
    const table = names.at(-2);
    if (table)
      this.#owners.set(
        tableName(tokens, 2)[0],
        names.length > 2 ? qualified(nameOf(names[0]), nameOf(table)) : nameOf(table),
      );
  }

  #of(table: string): Known {
    const known = this.#known.get(table) ?? { primaryKey: [], constraints: [], counts: null };
    this.#known.set(table, known);
    return known;
  }
}

// The statements that make the rows of one database those of another, kept in a scratch database, because there may be more than fit into memory.
import { sameName } from '#shared/ddl/names.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { sqlLiteral } from '../sql/literal.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { COUNTERS } from '../schema/row-order.ts';
import type { ComparedTable } from './compared-tables.ts';
import type { RowsWriter } from './diff-tables.ts';
import type { BlockRow } from './merge-rows.ts';
import { isSameIn } from './text-writer.ts';

/** What is deleted makes room for what is inserted; the counters come last, because inserting raises them. */
const PHASE = { delete: 0, update: 1, insert: 2, lowerCounter: 3, setCounter: 4 } as const;
const MAX_WAITING = 500;

export class ScriptStatements implements RowsWriter {
  readonly #store: Connection;
  readonly #target: Connection;
  readonly #waiting: (readonly [number, string])[] = [];
  #table: ComparedTable | null = null;
  #unique: UniqueColumns = new Set();
  /** Names of the tables that they change. */
  readonly tables: string[] = [];

  /** @param target the database that they are for, with the schema that they need */
  constructor(store: Connection, target: Connection) {
    this.#store = store;
    this.#target = target;
    store.run('CREATE TABLE statements (id INTEGER PRIMARY KEY, phase INTEGER, sql TEXT)');
    store.run('CREATE INDEX by_phase ON statements (phase, id)');
  }

  /** Rows without a key are found by their row id. */
  more({ from, keys, isNullable }: ComparedTable): readonly string[] {
    return from?.key.kind === 'rowid' && (keys === 0 || isNullable) ? [quoteName(from.key.name)] : [];
  }

  begin(table: ComparedTable): void {
    this.#table = table;
    this.#unique = uniqueColumns(this.#target, table);
    this.tables.push(table.name);
  }

  row(before: BlockRow | null, after: BlockRow | null): void {
    if (before !== null && after !== null && !this.#mayMeet(before, after)) return this.#update(before, after);
    if (this.#table!.name === COUNTERS) return this.#counter((before ?? after)!, after);
    if (before !== null) this.#delete(before, PHASE.delete);
    if (after !== null) this.#insert(after, PHASE.insert);
  }

  end(): void {
    this.#flush();
  }

  /** All of them, in the order in which they work. */
  *all(): Generator<string> {
    const reading = this.#store.prepare('SELECT sql FROM statements ORDER BY phase, id');
    try {
      while (reading.step()) yield reading.value(0) as string;
    } finally {
      reading.finalize();
    }
  }

  get #name(): string {
    return quoteName(this.#table!.name);
  }

  /** A value that must be unique may still be that of another row that is changed later. */
  #mayMeet(before: BlockRow, after: BlockRow): boolean {
    if (this.#table!.name === COUNTERS || this.#unique === 'any') return true;
    return this.#table!.columns.some(
      (name, column) => (this.#unique as ReadonlySet<string>).has(name) && !isSameIn(before, after, column),
    );
  }

  /** By then, rows may have been inserted that made one. */
  #counter(any: BlockRow, after: BlockRow | null): void {
    this.#delete(any, PHASE.lowerCounter);
    if (after !== null) this.#insert(after, PHASE.setCounter);
  }

  #delete(row: BlockRow, phase: number): void {
    this.#add(phase, `DELETE FROM ${this.#name} WHERE ${this.#where(row)}`);
  }

  #update(before: BlockRow, after: BlockRow): void {
    const set = this.#table!.columns.flatMap((name, column) =>
      isSameIn(before, after, column)
        ? []
        : [`${quoteName(name)} = ${scriptLiteral(after.block.value(after.row, column))}`],
    );
    this.#add(PHASE.update, `UPDATE ${this.#name} SET ${set.join(', ')} WHERE ${this.#where(before)}`);
  }

  #insert({ block, row }: BlockRow, phase: number): void {
    const { columns } = this.#table!;
    const values = columns.map((_, column) => scriptLiteral(block.value(row, column)));
    this.#add(phase, `INSERT INTO ${this.#name} (${quoteNames(columns)}) VALUES (${values.join(', ')})`);
  }

  /** @throws AppError `unavailable` for a row that nothing names */
  #where({ block, row }: BlockRow): string {
    const { name, columns, keys, from } = this.#table!;
    const key = columns.slice(0, keys).map((column, at) => ({ column, value: block.value(row, at) }));
    if (keys > 0 && key.every(({ value }) => value !== null))
      return key.map(({ column, value }) => `${quoteName(column)} = ${scriptLiteral(value)}`).join(' AND ');
    if (from?.key.kind !== 'rowid')
      throw AppError.unavailable(
        `Rows of “${name}” cannot be named in a script: the table has no key, and its columns hide the row id. Nothing was written.`,
      );
    return `${quoteName(from.key.name)} = ${scriptLiteral(block.value(row, columns.length))}`;
  }

  #add(phase: number, sql: string): void {
    this.#waiting.push([phase, sql]);
    if (this.#waiting.length >= MAX_WAITING) this.#flush();
  }

  #flush(): void {
    this.#store.run('BEGIN');
    for (const statement of this.#waiting.splice(0))
      this.#store.run('INSERT INTO statements (phase, sql) VALUES (?, ?)', statement);
    this.#store.run('COMMIT');
  }
}

/** Columns in which no two rows have the same values; `any`: an expression, or a condition, may be part of it. */
type UniqueColumns = ReadonlySet<string> | 'any';

function uniqueColumns(connection: Connection, { name, columns }: ComparedTable): UniqueColumns {
  const rows = connection.all(
    `SELECT l.partial, x.name FROM temp.pragma_index_list(?, 'main') l, temp.pragma_index_xinfo(l.name) x WHERE l."unique" AND x.key`,
    [name],
  ) as readonly (readonly [number, string | null])[];
  if (rows.some(([partial, column]) => partial === 1 || column === null)) return 'any';
  // A generated column may be part of it.
  const own = rows.map(([, column]) => columns.find((other) => sameName(other, column!)));
  return own.includes(undefined) ? 'any' : new Set(own as string[]);
}

/** SQLite's shell drops a CR at the end of a line, even inside a text. */
function scriptLiteral(value: Value): string {
  if (typeof value !== 'string' || !value.includes('\r') || value.includes('\0')) return sqlLiteral(value);
  let mark = '\\r';
  for (let number = 0; value.includes(mark); number++) mark = `\\r${number}_`;
  return `replace(${sqlLiteral(value.replaceAll('\r', mark))}, '${mark}', char(13))`;
}

// Tables that a file of SQL has rows of and does not define: they get the columns that the rows name, and no types, so each value stays what it is.
import { SqlScanner, Token } from '#shared/sql-scanner.ts';
import type { Connection } from '../engines/engine.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import type { ExistingTable } from './existing-tables.ts';

export class UndefinedTables {
  readonly #connection: Connection;
  readonly #existing: ReadonlyMap<string, ExistingTable>;
  readonly #made = new Map<string, ExistingTable | null>();

  constructor(connection: Connection, existing: readonly ExistingTable[]) {
    this.#connection = connection;
    this.#existing = new Map(existing.map((table) => [table.name.toLowerCase(), table]));
  }

  get notes(): readonly string[] {
    return [...this.#made].map(([name, existing]) =>
      existing === null
        ? `The file does not define “${name}”: the table has the columns that its first row names, without types.`
        : `The file does not define “${name}”: its rows are for the table of the database.`,
    );
  }

  has(name: string): boolean {
    return this.#made.has(name);
  }

  /** Makes the missing table of this INSERT. False where its columns are not known, or the statement is another one. */
  makeFor(sql: string, missing: unknown): boolean {
    const found = insertHead(sql);
    // Names in SQLite's message are without what precedes a dot.
    return (
      found !== null &&
      found.table.slice(found.table.lastIndexOf('.') + 1) === missing &&
      this.make(found.table, found.columns)
    );
  }

  /** @param columns empty: those of the existing table */
  make(name: string, columns: readonly string[]): boolean {
    const existing = this.#existing.get(name.toLowerCase()) ?? null;
    const table = existing?.name ?? name;
    const names =
      columns.length > 0
        ? columns
        : (existing?.columns.filter(({ isGenerated }) => !isGenerated).map((column) => column.name) ?? []);
    // SQLite alone makes tables with such a name.
    if (names.length === 0 || this.#made.has(table) || /^sqlite_/i.test(table)) return false;
    this.#connection.run(`CREATE TABLE IF NOT EXISTS main.${quoteName(table)} (${quoteNames(names)})`);
    this.#made.set(table, existing);
    return true;
  }
}

/** `INSERT INTO t (a, b) …`; null for anything else. */
function insertHead(sql: string): { readonly table: string; readonly columns: readonly string[] } | null {
  const scanner = new SqlScanner(sql);
  const isSign = (sign: string): boolean => scanner.text === sign;
  const word = (): string => (scanner.kind === Token.word ? scanner.text.toUpperCase() : '');
  scanner.next();
  if (word() !== 'INSERT' && word() !== 'REPLACE') return null;
  while (word() !== 'INTO' && scanner.kind !== Token.end) scanner.next();
  scanner.next();
  let table = scanner.name;
  scanner.next();
  if (isSign('.')) {
    scanner.next();
    table = scanner.name;
    scanner.next();
  }
  const columns: string[] = [];
  if (isSign('('))
    do {
      scanner.next();
      columns.push(scanner.name);
      scanner.next();
    } while (isSign(','));
  return table === '' ? null : { table, columns };
}

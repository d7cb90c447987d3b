// INSERT statements, with or without those that create the table.
import { asStatement } from '#shared/ddl/definition-statement.ts';
import type { ByteWriter } from '../byte-writer.ts';
import type { Cells } from '../cells.ts';
import { uniqueNames, type ExportColumn, type RowsHead } from '../rows-head.ts';
import type { ExportFormat, FormatJob, FormatWriter } from '../format.ts';
import { writeLiteral } from '../sql-literal.ts';
import { quoteName, quoteNames } from '../../sql/quote.ts';

/** Column types that SQLite accepts without quotes. */
const PLAIN_TYPE = /^[A-Za-z_][\w ]*(\( *[+-]?\d+ *(, *[+-]?\d+ *)?\))?$/;

class SqlWriter implements FormatWriter {
  readonly #out: ByteWriter;
  readonly #job: FormatJob;
  #insert = '';
  #places: readonly number[] = [];
  #after: readonly string[] = [];
  #tables = 0;

  constructor(out: ByteWriter, job: FormatJob) {
    this.#out = out;
    this.#job = job;
    if (!job.isFragment) out.ascii('BEGIN TRANSACTION;\n');
  }

  begin(head: RowsHead): void {
    const { options, several } = this.#job;
    const name = several || options.tableName === '' ? head.name : options.tableName;
    const columns = head.columns.filter((column) => !head.generated.has(column.name));
    const names = uniqueNames(
      columns.map((column) => column.name),
      true,
    );
    this.#places = columns.map(({ place }) => place);
    this.#insert = `INSERT INTO ${quoteName(name)}(${quoteNames(names)}) VALUES(`;
    this.#after = [];
    if (this.#tables++ > 0 && !this.#job.isFragment) this.#out.byte(0x0a);
    if (!options.ddl) return;
    const isOwn = head.ddl !== null && name === head.name;
    const before = isOwn ? head.ddl!.before.map(({ sql }) => sql) : [createTable(name, names, columns)];
    for (const sql of before) this.#statement(sql);
    if (isOwn) this.#after = head.ddl!.after.map(({ sql }) => sql);
  }

  rows(cells: Cells, from: number, to: number): void {
    const out = this.#out;
    for (let row = from; row < to; row++) {
      out.text(this.#insert);
      const first = row * cells.columnCount;
      for (let index = 0; index < this.#places.length; index++) {
        if (index > 0) out.byte(0x2c);
        writeLiteral(cells, first + this.#places[index]!, out, this.#job.options.stable);
      }
      out.ascii(');\n');
    }
  }

  end(): void {
    for (const sql of this.#after) this.#statement(sql);
  }

  finish(): void {
    if (!this.#job.isFragment) this.#out.ascii('COMMIT;\n');
  }

  #statement(sql: string): void {
    this.#out.text(`${asStatement(sql)}\n`);
  }
}

/** Builds a CREATE TABLE for rows without a known table definition. */
export function createTable(name: string, names: readonly string[], columns: readonly ExportColumn[]): string {
  const lines = columns.map(
    ({ declaredType }, index) =>
      `${quoteName(names[index]!)}${PLAIN_TYPE.test(declaredType) ? ` ${declaredType}` : ''}`,
  );
  return `CREATE TABLE ${quoteName(name)}(${lines.join(', ')})`;
}

export const SQL: ExportFormat = {
  info: {
    id: 'sql',
    label: 'SQL INSERT',
    extension: 'sql',
    mediaType: 'application/sql',
    options: ['ddl', 'tableName'],
    cannotHold: [],
    sources: ['table', 'result', 'query', 'tables'],
  },
  start: (out, job) => new SqlWriter(out, job),
};

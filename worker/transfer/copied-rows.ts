// Rows as PostgreSQL writes them after COPY … FROM stdin: one per line, tabs between values, `\N` for NULL
// (postgresql.org/docs/current/sql-copy.html, “Text Format”).
import { counted } from '#shared/counted.ts';
import { whatHappened } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import type { RecordInsert } from '../engines/record-insert.ts';
import type { CopyColumn, CopyFormat, SqlAction } from '../import/sql/translator.ts';
import { bytesOf } from '../import/sql/byte-text.ts';
import { bytesOfBytea } from '../import/sql/bytea.ts';
import { BatchWriter } from '../records/batch-writer.ts';
import { FIELD } from '../records/record-batch.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
const ESCAPED = /\\(?:x([\da-fA-F]{1,2})|([0-7]{1,3})|([^]))/g;

type Copy = Extract<SqlAction, { do: 'copy' }>;
type Refused = (line: number, reason: string, text: string) => void;

export class CopiedRows {
  readonly #insert: RecordInsert;
  readonly #columns: readonly CopyColumn[];
  readonly #format: CopyFormat;
  readonly #batch = new BatchWriter();
  #wrong = { values: -1, reason: '' };

  /** @throws as `insertRecords` */
  constructor(connection: Connection, { table, columns, format }: Copy) {
    this.#columns = columns;
    this.#format = format;
    this.#insert = connection.insertRecords(
      {
        into: `INSERT INTO main.${quoteName(table)} (${quoteNames(columns.map(({ name }) => name))})`,
        row: `(${columns.map(() => '?').join(', ')})`,
        onConflict: '',
      },
      { parameters: columns.map(({ as }, field) => ({ field, as })), nullTokens: [], decimalComma: false },
    );
  }

  /** @param text whole lines, of bytes */
  add(text: string, firstLine: number, refused: Refused): void {
    const lines = text.split('\n');
    if (lines.at(-1) === '') lines.pop();
    lines.forEach((whole, index) => {
      const line = whole.endsWith('\r') ? whole.slice(0, -1) : whole;
      const fields = fieldsOf(line, this.#format.delimiter);
      if (fields.length !== this.#columns.length && !(this.#columns.length === 0 && line === ''))
        refused(firstLine + index, this.#wrongCount(fields.length), line);
      else this.#addRow(fields, firstLine + index);
      if (this.#batch.isFull) this.#write(refused);
    });
    this.#write(refused);
  }

  close(): void {
    this.#insert.close();
  }

  /** Made once for rows of the same length: there can be millions. */
  #wrongCount(values: number): string {
    if (values !== this.#wrong.values) {
      const reason = `The row has ${counted(values, 'value')} for ${counted(this.#columns.length, 'column')}.`;
      this.#wrong = { values, reason };
    }
    return this.#wrong.reason;
  }

  #addRow(fields: readonly string[], line: number): void {
    this.#batch.begin(line);
    this.#columns.forEach(({ holds }, index) => this.#addField(fields[index]!, holds));
    this.#batch.end();
  }

  #addField(field: string, holds: CopyColumn['holds']): void {
    if (field === this.#format.nullText) return this.#batch.bare(FIELD.null);
    const text = field.includes('\\') ? field.replace(ESCAPED, unescape) : field;
    if (holds === 'booleans' && (text === 't' || text === 'f'))
      return this.#batch.bare(text === 't' ? FIELD.true : FIELD.false);
    if (holds === 'bytes') return this.#batch.field(FIELD.blob, bytesOf(bytesOfBytea(text)));
    this.#batch.field(FIELD.text, bytesOf(text));
  }

  #write(refused: Refused): void {
    const batch = this.#batch.take();
    if (batch.records > 0) {
      this.#insert.load(batch);
      this.#insert.run(0, {
        deadlineMs: Infinity,
        refused: (record, error) => refused(batch.lines[record]!, whatHappened(error), ''),
      });
    }
    this.#batch.clear();
  }
}

/** A delimiter after a backslash is part of the value. */
function fieldsOf(line: string, delimiter: string): readonly string[] {
  const pieces = line.split(delimiter);
  if (!line.includes(`\\${delimiter}`)) return pieces;
  const fields: string[][] = [[]];
  pieces.forEach((piece, at) => {
    fields.at(-1)!.push(piece);
    if (!endsInEscape(piece) && at < pieces.length - 1) fields.push([]);
  });
  return fields.map((field) => field.join(delimiter));
}

function endsInEscape(text: string): boolean {
  let backslashes = 0;
  while (text[text.length - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}

function unescape(
  _whole: string,
  hex: string | undefined,
  octal: string | undefined,
  letter: string | undefined,
): string {
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
  return ESCAPES[letter!] ?? letter!;
}

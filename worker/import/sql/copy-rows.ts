// Rows as PostgreSQL writes them after COPY … FROM stdin: one per line, tabs between values, `\N` for NULL
// (postgresql.org/docs/current/sql-copy.html, “Text Format”).
import { counted } from '#shared/counted.ts';
import { BatchWriter } from '../../records/batch-writer.ts';
import { FIELD, type RecordBatch, type RecordProblem } from '../../records/record-batch.ts';
import { MAX_PROBLEMS } from '../reading-limits.ts';
import { bytesOf } from './byte-text.ts';
import { bytesOfBytea } from './bytea.ts';
import { shownOf } from './dump-steps.ts';
import type { CopyColumn, CopyFormat } from './translator.ts';

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
const ESCAPED = /\\(?:x([\da-fA-F]{1,2})|([0-7]{1,3})|([^]))/g;

/** Some rows. Valid until the next ones are read. */
export interface CopiedBatch {
  readonly batch: RecordBatch;
  /** Rows that have another number of values, as they are in the file. */
  readonly problems: readonly RecordProblem[];
  /** Characters of the text. */
  readonly length: number;
}

export class CopyRows {
  readonly #columns: readonly CopyColumn[];
  readonly #format: CopyFormat;
  readonly #batch = new BatchWriter();
  #problems: RecordProblem[] = [];
  #wrong = { values: -1, reason: '' };

  constructor({ columns, format }: { readonly columns: readonly CopyColumn[]; readonly format: CopyFormat }) {
    this.#columns = columns;
    this.#format = format;
  }

  /** @param text whole lines, of bytes */
  *read(text: string, firstLine: number): Generator<CopiedBatch> {
    let from = 0;
    for (let at = 0, line = firstLine; at < text.length; line++) {
      const next = text.indexOf('\n', at);
      const end = next < 0 ? text.length : next;
      this.#add(text.slice(at, text[end - 1] === '\r' && end > at ? end - 1 : end), line);
      at = end + 1;
      if (!this.#batch.isFull && this.#problems.length < MAX_PROBLEMS) continue;
      yield this.#taken(at - from);
      from = at;
    }
    yield this.#taken(text.length - from);
  }

  #taken(length: number): CopiedBatch {
    const problems = this.#problems;
    this.#problems = [];
    const batch = this.#batch.take();
    this.#batch.clear();
    return { batch, problems, length };
  }

  #add(line: string, number: number): void {
    const fields = fieldsOf(line, this.#format.delimiter);
    if (fields.length !== this.#columns.length && !(this.#columns.length === 0 && line === '')) {
      this.#problems.push({ line: number, reason: this.#wrongCount(fields.length), text: shownOf(line) });
      return;
    }
    this.#batch.begin(number);
    this.#columns.forEach(({ holds }, index) => this.#addField(fields[index]!, holds));
    this.#batch.end();
  }

  /** Made once for rows of the same length: there can be millions. */
  #wrongCount(values: number): string {
    if (values !== this.#wrong.values) {
      const reason = `The row has ${counted(values, 'value')} for ${counted(this.#columns.length, 'column')}.`;
      this.#wrong = { values, reason };
    }
    return this.#wrong.reason;
  }

  #addField(field: string, holds: CopyColumn['holds']): void {
    if (field === this.#format.nullText) return this.#batch.bare(FIELD.null);
    const text = field.includes('\\') ? field.replace(ESCAPED, unescape) : field;
    if (holds === 'booleans' && (text === 't' || text === 'f'))
      return this.#batch.bare(text === 't' ? FIELD.true : FIELD.false);
    if (holds === 'bytes') return this.#batch.field(FIELD.blob, bytesOf(bytesOfBytea(text)));
    this.#batch.field(FIELD.text, bytesOf(text));
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

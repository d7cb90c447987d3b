// Rows as PostgreSQL writes them after COPY … FROM stdin (postgresql.org/docs/current/sql-copy.html): in the text format one per line, tabs
// between values, `\N` for NULL; in the format CSV a value in quotes may have line endings, and nothing at all is NULL.
import { counted } from '#shared/counted.ts';
import { BatchWriter } from '../../records/batch-writer.ts';
import { FIELD, type RecordBatch, type RecordProblem } from '../../records/record-batch.ts';
import { MAX_PROBLEMS, READING_LIMITS } from '../reading-limits.ts';
import { utf8End } from '../csv/odd-bytes.ts';
import { bytesOf, bytesOfBytea, ESCAPES, textOfEscapes } from './byte-text.ts';
import { shownOf } from './dump-steps.ts';
import type { CopyColumn, CopyFormat } from './translator.ts';

/** What a line without any of these has is ASCII. */
const MAY_BE_ODD = /[\x80-\xff\\]/;
const LETTERS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

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
  #isHeader: boolean;
  /** A row in the format CSV that continues in the next line, and where it begins. */
  #open = '';
  #openLine = 0;
  /** A quote is open that will not be closed. */
  #isLost = false;
  readonly #encoding: string;
  /** Texts that are not UTF-8, which are kept as BLOBs. */
  odd = 0;
  oddLine = 0;

  /** @param encoding of the file, which is decoded */
  constructor(
    { columns, format }: { readonly columns: readonly CopyColumn[]; readonly format: CopyFormat },
    encoding: string,
  ) {
    this.#columns = columns;
    this.#format = format;
    this.#encoding = encoding;
    this.#isHeader = format.hasHeader;
  }

  /** @param text whole lines, of bytes */
  *read(text: string, firstLine: number): Generator<CopiedBatch> {
    let from = 0;
    for (let at = 0, line = firstLine; at < text.length; line++) {
      const next = text.indexOf('\n', at);
      const end = next < 0 ? text.length : next + 1;
      this.#addLine(text.slice(at, end), line);
      at = end;
      if (!this.#batch.isFull && this.#problems.length < MAX_PROBLEMS) continue;
      yield this.#taken(at - from);
      from = at;
    }
    yield this.#taken(text.length - from);
  }

  /** Call after the last line: a row may be open. */
  *end(): Generator<CopiedBatch> {
    if (this.#open === '') return;
    this.#lose();
    yield this.#taken(0);
  }

  #taken(length: number): CopiedBatch {
    const problems = this.#problems;
    this.#problems = [];
    const batch = this.#batch.take();
    this.#batch.clear();
    return { batch, problems, length };
  }

  #addLine(line: string, number: number): void {
    const { csv } = this.#format;
    if (csv === null) return this.#add(line, number);
    if (this.#isLost) return;
    if (this.#open === '') this.#openLine = number;
    const isInQuotes = endsInQuotes(line, this.#open !== '', csv);
    const record = this.#open + line;
    this.#open = isInQuotes ? record : '';
    if (!isInQuotes) this.#add(record, this.#openLine);
    else if (record.length > READING_LIMITS.statementBytes) this.#lose();
  }

  #lose(): void {
    const reason = 'A quote that begins in this row is never closed. Nothing from here on was read of these rows.';
    this.#problems.push({ line: this.#openLine, reason, text: shownOf(this.#open) });
    this.#open = '';
    this.#isLost = true;
  }

  /** @param text with the end of its line */
  #add(text: string, number: number): void {
    if (this.#isHeader) {
      this.#isHeader = false;
      return;
    }
    const line = withoutEnd(text);
    const fields = fieldsOf(line, this.#format, this.#encoding);
    if (fields === null) {
      const reason = `It has an escape for bytes that are no character in ${this.#encoding}.`;
      this.#problems.push({ line: number, reason, text: shownOf(line) });
      return;
    }
    if (fields.length !== this.#columns.length && !(this.#columns.length === 0 && line === '')) {
      this.#problems.push({ line: number, reason: this.#wrongCount(fields.length), text: shownOf(line) });
      return;
    }
    this.#batch.begin(number);
    const oddLine = MAY_BE_ODD.test(line) ? number : 0;
    this.#columns.forEach(({ holds }, index) => this.#addValue(fields[index]!, holds, oddLine));
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

  /** @param oddLine 0: everything is ASCII */
  #addValue(text: string | null, holds: CopyColumn['holds'], oddLine: number): void {
    if (text === null) return this.#batch.bare(FIELD.null);
    if (holds === 'booleans' && (text === 't' || text === 'f'))
      return this.#batch.bare(text === 't' ? FIELD.true : FIELD.false);
    if (holds === 'bytes') return this.#batch.field(FIELD.blob, bytesOf(bytesOfBytea(text)));
    const bytes = bytesOf(text);
    const isText = oddLine === 0 || utf8End(bytes, 0, bytes.length) === bytes.length;
    if (!isText && this.odd++ === 0) this.oddLine = oddLine;
    this.#batch.field(isText ? FIELD.text : FIELD.blob, bytes);
  }
}

function withoutEnd(line: string): string {
  const end = line.endsWith('\n') ? line.length - 1 : line.length;
  return line.slice(0, line[end - 1] === '\r' ? end - 1 : end);
}

/** Null: NULL; instead of them all, an escape is no character. */
function fieldsOf(
  line: string,
  { delimiter, nullText, csv }: CopyFormat,
  encoding: string,
): readonly (string | null)[] | null {
  if (csv === null) {
    let isValid = true;
    const unescape = (found: string, letter?: string): string => {
      if (letter !== undefined) return LETTERS[letter] ?? letter;
      const text = textOfEscapes(found, encoding);
      isValid &&= text !== null;
      return text ?? '';
    };
    const texts = piecesOf(line, delimiter).map((field) => {
      if (field === nullText) return null;
      return field.includes('\\') ? field.replace(ESCAPES, unescape) : field;
    });
    return isValid ? texts : null;
  }
  const fields: (string | null)[] = [];
  let [text, isQuoted, isInQuotes] = ['', false, false];
  const end = (): void => {
    fields.push(!isQuoted && text === nullText ? null : text);
    [text, isQuoted] = ['', false];
  };
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    if (isInQuotes && isEscape(line, at, csv)) text += line[++at]!;
    else if (character === csv.quote) [isQuoted, isInQuotes] = [true, !isInQuotes];
    else if (character === delimiter && !isInQuotes) end();
    else text += character;
  }
  end();
  return fields;
}

type Csv = NonNullable<CopyFormat['csv']>;

/** Within quotes: whether the next character is part of the value. */
const isEscape = (line: string, at: number, { quote, escape }: Csv): boolean =>
  line[at] === escape && (line[at + 1] === quote || line[at + 1] === escape);

function endsInQuotes(line: string, beginsInQuotes: boolean, csv: Csv): boolean {
  if (!line.includes(csv.quote)) return beginsInQuotes;
  let isInQuotes = beginsInQuotes;
  for (let at = 0; at < line.length; at++)
    if (isInQuotes && isEscape(line, at, csv)) at++;
    else if (line[at] === csv.quote) isInQuotes = !isInQuotes;
  return isInQuotes;
}

/** A delimiter after a backslash is part of the value. */
function piecesOf(line: string, delimiter: string): readonly string[] {
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

// Feeds the records of a reader to an insert statement, passing over those that do not fit the columns, and notes what became of each.
import { whatHappened } from '#shared/protocol/errors.ts';
import type { ImportFormatId } from '#shared/protocol/import.ts';
import type { RecordInsert } from '../engines/record-insert.ts';
import { fieldTexts, firstField } from '../records/field-texts.ts';
import { FIELD } from '../records/record-batch.ts';
import type { RecordBatch, RecordReader } from '../records/record-batch.ts';
import type { ProblemLog } from './problem-log.ts';

/** Formats whose records have as many fields as there are columns. */
const EVEN_FORMATS: ReadonlySet<ImportFormatId> = new Set(['csv']);

export class RecordFeed {
  readonly #insert: RecordInsert;
  readonly #reader: Pick<RecordReader, 'columns' | 'takeProblems'>;
  readonly #problems: ProblemLog;
  readonly #isEven: boolean;
  #batch: RecordBatch | null = null;
  #at = 0;
  /** Records of the batch with too many fields, in order, and one past its end. */
  #long: readonly number[] = [];
  #nextLong = 0;
  #taken = 0;
  #short = 0;
  #firstShortLine = 0;

  constructor(
    insert: RecordInsert,
    reader: Pick<RecordReader, 'columns' | 'takeProblems'>,
    problems: ProblemLog,
    format: ImportFormatId,
  ) {
    this.#insert = insert;
    this.#reader = reader;
    this.#problems = problems;
    this.#isEven = EVEN_FORMATS.has(format);
  }

  /** Records that SQLite took, whatever it did with them. */
  get taken(): number {
    return this.#taken;
  }

  /** Whole sentences about records that were taken although something was odd. */
  get notes(): readonly string[] {
    if (this.#short === 0) return [];
    const line = this.#firstShortLine;
    const which =
      this.#short === 1 ? `The record in line ${line} has` : `${this.#short} records (the first in line ${line}) have`;
    return [`${which} fewer fields than there are columns. The missing ones are NULL.`];
  }

  /** Everything of the batch before is done. */
  load(batch: RecordBatch): void {
    this.#noteUnreadable();
    this.#batch = batch;
    this.#at = this.#nextLong = 0;
    this.#long = [...this.#lookAtLengths(batch), batch.records];
    this.#insert.load(batch);
  }

  /** After the last batch. */
  end(): void {
    this.#batch = null;
    this.#noteUnreadable();
  }

  /** Answers whether the batch is done. @throws as {@link RecordInsert.run} */
  run(deadlineMs: number): boolean {
    const batch = this.#batch!;
    while (this.#at < batch.records) {
      const until = this.#long[this.#nextLong]!;
      if (this.#at < until && this.#insertTo(batch, until, deadlineMs) < until) return false;
      if (until < batch.records) this.#noteLong(batch, this.#at++);
      this.#nextLong++;
    }
    return true;
  }

  #insertTo(batch: RecordBatch, until: number, deadlineMs: number): number {
    const from = this.#at;
    let refused = 0;
    this.#at = this.#insert.run(from, {
      until,
      deadlineMs,
      refused: (record, error) => {
        refused++;
        this.#problems.add(batch.lines[record]!, whatHappened(error), () => fieldTexts(batch, record));
      },
    });
    this.#taken += this.#at - from - refused;
    return this.#at;
  }

  /** Answers the records with more fields than there are columns; counts those with fewer. */
  #lookAtLengths({ records, recordEnds, kinds, lines }: RecordBatch): readonly number[] {
    const long: number[] = [];
    if (!this.#isEven) return long;
    const columns = this.#reader.columns.length;
    let start = 0;
    for (let record = 0; record < records; record++) {
      const end = recordEnds[record]!;
      if (end - start > columns && hasText(kinds, start + columns, end)) long.push(record);
      else if (end - start < columns || kinds[start + columns - 1] === FIELD.absent) this.#noteShort(lines[record]!);
      start = end;
    }
    return long;
  }

  #noteShort(line: number): void {
    if (this.#short++ === 0) this.#firstShortLine = line;
  }

  #noteLong(batch: RecordBatch, record: number): void {
    const fields = batch.recordEnds[record]! - firstField(batch, record);
    const reason = `It has ${fields} fields, but there are ${this.#reader.columns.length} columns.`;
    this.#problems.add(batch.lines[record]!, reason, () => fieldTexts(batch, record));
  }

  #noteUnreadable(): void {
    for (const { line, reason, text } of this.#reader.takeProblems()) this.#problems.add(line, reason, () => [text]);
  }
}

/** Delimiters alone at the end of a line are no fields anybody would miss. */
function hasText(kinds: Uint8Array, from: number, to: number): boolean {
  for (let field = from; field < to; field++) {
    if (kinds[field] !== FIELD.absent && kinds[field] !== FIELD.empty) return true;
  }
  return false;
}

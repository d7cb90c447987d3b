// Feeds the records of a reader to an insert statement and notes the result of each.
import { whatHappened } from '#shared/protocol/errors.ts';
import { placeWord, type ImportFormatId } from '#shared/import-formats.ts';
import type { RecordInsert } from '../engines/record-insert.ts';
import { fieldTexts } from '../records/field-texts.ts';
import type { RecordBatch, RecordReader } from '../records/record-batch.ts';
import type { ChangedNumbers } from './changed-numbers.ts';
import type { ProblemLog } from './problem-log.ts';

const MAX_NOTICES = 50;

/** The part of a reader that reports what it had to skip. */
export type Remarks = Pick<RecordReader, 'takeProblems' | 'takeNotices'>;

interface FedBy {
  readonly insert: RecordInsert;
  readonly remarks: Remarks;
  readonly problems: ProblemLog;
  readonly format: ImportFormatId;
  readonly changed: ChangedNumbers;
}

export class RecordFeed {
  readonly #insert: RecordInsert;
  readonly #remarks: Remarks;
  readonly #problems: ProblemLog;
  readonly #format: ImportFormatId;
  readonly #changed: ChangedNumbers;
  readonly #notices: string[] = [];
  #batch: RecordBatch | null = null;
  #at = 0;
  #taken = 0;

  constructor({ insert, remarks, problems, format, changed }: FedBy) {
    this.#insert = insert;
    this.#remarks = remarks;
    this.#problems = problems;
    this.#format = format;
    this.#changed = changed;
  }

  /** Records that SQLite accepted, whatever it did with them. */
  get taken(): number {
    return this.#taken;
  }

  /** Sentences about values that were read differently from how they are written, or are stored so. */
  get notes(): readonly string[] {
    return [...this.#notices, ...this.#changed.notes];
  }

  /** The previous batch must be done. */
  load(batch: RecordBatch): void {
    this.#takeRemarks();
    this.#batch = batch;
    this.#at = 0;
    this.#changed.add(batch);
    this.#insert.load(batch);
  }

  /** Called after the last batch. */
  end(): void {
    this.#batch = null;
    this.#takeRemarks();
  }

  /** Returns whether the batch is done. @throws as {@link RecordInsert.run} */
  run(deadlineMs: number): boolean {
    const batch = this.#batch!;
    const from = this.#at;
    let refused = 0;
    this.#at = this.#insert.run(from, {
      deadlineMs,
      refused: (record, error) => {
        refused++;
        this.#problems.add(batch.lines[record]!, whatHappened(error), () => fieldTexts(batch, record));
      },
    });
    this.#taken += this.#at - from - refused;
    return this.#at >= batch.records;
  }

  #takeRemarks(): void {
    const { takeNotices } = this.#remarks;
    for (const problem of this.#remarks.takeProblems()) this.#problems.addUnread(problem);
    if (takeNotices === undefined) return;
    for (const { line, text } of takeNotices.call(this.#remarks)) {
      if (this.#notices.length < MAX_NOTICES)
        this.#notices.push(`${placeWord(this.#format)} ${line.toLocaleString('en-US')}: ${text}`);
    }
  }
}

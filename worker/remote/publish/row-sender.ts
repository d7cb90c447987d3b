// Sends rows of a table to the server in transactions that are short, and notes what each of them has saved.
import { AppError, inParts, whatHappened } from '#shared/protocol/errors.ts';
import { isRawText, isReal } from '#shared/protocol/values.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../../engines/engine.ts';
import type { RecordInsert } from '../../engines/record-insert.ts';
import { realText } from '../../export/byte-writer.ts';
import { BatchWriter } from '../../records/batch-writer.ts';
import { FIELD } from '../../records/record-batch.ts';
import type { Pause, Turn } from '../../sessions/session.ts';
import { quoteName, quoteNames } from '../../sql/quote.ts';
import { SourceRows } from './source-rows.ts';
import type { SentTable } from './sent-table.ts';

/** Servers end a transaction after five seconds. */
const TRANSACTION_MS = 1000;
/** Bytes and rows of the source in one batch, of which one to three requests are made. */
const BATCH_BYTES = 1 << 19;
const BATCH_ROWS = 4000;

export class RowSender {
  readonly #table: SentTable;
  readonly #rows: SourceRows;
  readonly #batch = new BatchWriter();
  #waiting: readonly Value[] | null;

  /** Begins after the rows that the server has. */
  constructor(source: Connection, table: SentTable) {
    this.#table = table;
    this.#rows = new SourceRows(source, table.plan);
    this.#rows.skip(table.saved);
    this.#waiting = this.#rows.next();
  }

  /**
   * One transaction. What it sends is unsure until that is settled. Returns whether there are more rows.
   * @throws AppError
   */
  *sendSome(turn: Turn, sent: () => void): Generator<Pause, boolean> {
    if (this.#waiting === null) return false;
    const { connection } = turn;
    const table = this.#table;
    const digest = table.digest.copy();
    const endMs = performance.now() + TRANSACTION_MS;
    connection.beginWithoutForeignKeys();
    table.unsureDigest = digest;
    do {
      const first = table.saved + table.unsure;
      const insert = this.#insertInto(connection);
      try {
        this.#fill(first, (row) => digest.add(row));
        const records = this.#batch.take();
        insert.load(records);
        for (let at = 0; at < records.records;) {
          const before = at;
          const refused = (record: number, error: AppError): never => {
            throw rejected(table.plan.name, records.lines[record]!, error);
          };
          at = insert.run(at, { deadlineMs: performance.now(), refused });
          table.unsure += at - before;
          sent();
          yield 'alone';
        }
      } finally {
        insert.close();
      }
    } while (this.#waiting !== null && performance.now() < endMs);
    connection.run('COMMIT');
    return this.#waiting !== null;
  }

  close(): void {
    this.#rows.close();
  }

  #insertInto(connection: Connection): RecordInsert {
    const { name, columns } = this.#table.plan;
    const parameters = columns.map((_, field) => ({ field, as: 'any' as const }));
    return connection.insertRecords(
      {
        into: `INSERT INTO main.${quoteName(name)} (${quoteNames(columns)})`,
        row: `(${columns.map(() => '?').join(', ')})`,
        onConflict: '',
      },
      { parameters, nullTokens: [], decimalComma: false },
    );
  }

  #fill(rowsBefore: number, seen: (row: readonly Value[]) => void): void {
    this.#batch.clear();
    let bytes = 0;
    for (let rows = 0; this.#waiting !== null && rows < BATCH_ROWS && bytes < BATCH_BYTES && !this.#batch.isFull;) {
      const row = this.#waiting;
      this.#batch.begin(rowsBefore + ++rows);
      for (const value of row) bytes += addValue(this.#batch, value);
      this.#batch.end();
      seen(row);
      this.#waiting = this.#rows.next();
    }
  }
}

/** Returns the approximate size of the value in bytes. */
function addValue(batch: BatchWriter, value: Value): number {
  if (value === null) batch.bare(FIELD.null);
  else if (
    typeof value === 'bigint' ||
    (typeof value === 'number' && Number.isSafeInteger(value) && !Object.is(value, -0))
  )
    batch.text(FIELD.number, String(value));
  else if (typeof value === 'number') batch.text(FIELD.number, realText(value));
  else if (isReal(value)) batch.text(FIELD.number, realText(value.real));
  else if (typeof value === 'string') {
    batch.text(FIELD.quoted, value);
    return value.length;
  } else if (isRawText(value)) {
    batch.field(FIELD.quoted, value.textBytes);
    return value.textBytes.length;
  } else {
    const bytes = value as Uint8Array;
    batch.field(FIELD.blob, bytes);
    return bytes.length;
  }
  return 8;
}

const rejected = (table: string, row: number, error: AppError): AppError =>
  new AppError({
    code: error.code,
    ...inParts(
      `The server rejects row ${row} of “${table}”: ${whatHappened(error)}`,
      'Change the row, and publish again.',
    ),
    ...(error.sqlite && { sqlite: error.sqlite }),
  });

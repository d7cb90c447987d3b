// Rows that follow a COPY of PostgreSQL, into a scratch database.
import { whatHappened } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import type { RecordInsert } from '../engines/record-insert.ts';
import type { CopiedBatch } from '../import/sql/copy-rows.ts';
import type { SqlAction } from '../import/sql/translator.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';

type Copy = Extract<SqlAction, { do: 'copy' }>;
type Refused = (line: number, reason: string, text: string) => void;

export class CopiedRows {
  readonly #insert: RecordInsert;

  /** @throws as `insertRecords` */
  constructor(connection: Connection, { table, columns }: Copy) {
    this.#insert = connection.insertRecords(
      {
        into: `INSERT INTO main.${quoteName(table)} (${quoteNames(columns.map(({ name }) => name))})`,
        row: `(${columns.map(() => '?').join(', ')})`,
        onConflict: '',
      },
      { parameters: columns.map(({ as }, field) => ({ field, as })), nullTokens: [], decimalComma: false },
    );
  }

  add({ batch, problems }: CopiedBatch, refused: Refused): void {
    for (const { line, reason, text } of problems) refused(line, reason, text);
    if (batch.records === 0) return;
    this.#insert.load(batch);
    this.#insert.run(0, {
      deadlineMs: Infinity,
      refused: (record, error) => refused(batch.lines[record]!, whatHappened(error), ''),
    });
  }

  close(): void {
    this.#insert.close();
  }
}

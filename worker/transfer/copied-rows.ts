// Rows that follow a COPY of PostgreSQL, into a scratch database.
import { whatHappened } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import { insertFields } from '../engines/insert-fields.ts';
import type { RecordInsert } from '../engines/record-insert.ts';
import type { CopiedBatch } from '../import/sql/copy-rows.ts';
import type { SqlAction } from '../import/sql/translator.ts';

type Copy = Extract<SqlAction, { do: 'copy' }>;
type Refused = (line: number, reason: string, text: string) => void;

export class CopiedRows {
  readonly #insert: RecordInsert;

  /** @throws as `insertRecords` */
  constructor(connection: Connection, { table, columns }: Copy) {
    const names = columns.map(({ name }) => name);
    this.#insert = insertFields(
      connection,
      table,
      names,
      columns.map(({ as }) => as),
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

// State of a tab that imports tables from an SQL file or another SQLite file, as plain values.
import type { DatabaseId, HistoryStep, SqlDialect, TransferContents, TransferReply } from '#shared/protocol/index.ts';
import type { ShownWork } from '../../workbench/jobs.ts';
import type { TransferChoices } from '#shared/import/transfer-choices.ts';

export interface TransferOutcome extends Omit<TransferReply, 'timeMs'> {
  readonly database: DatabaseId;
  readonly databaseName: string;
  readonly timeMs: number;
  readonly isNewDatabase: boolean;
  readonly steps: readonly HistoryStep[];
  readonly isUndone: boolean;
}

export interface TransferView {
  readonly fileName: string;
  readonly reading: ShownWork | null;
  readonly failure: string | null;
  readonly contents: TransferContents | null;
  /** Chosen by the user; null: detected. */
  readonly dialect: SqlDialect | null;
  readonly encoding: string | null;
  /** Null: a new one in the library, called `databaseName`. */
  readonly database: DatabaseId | null;
  readonly databaseName: string;
  /** Tables and views of the database. */
  readonly taken: readonly string[];
  readonly choices: TransferChoices;
  readonly running: ShownWork | null;
  readonly outcome: TransferOutcome | null;
  /** Why the last import was not done. */
  readonly problem: string | null;
}

export const firstTransferView = (fileName: string, database: DatabaseId | null): TransferView => ({
  fileName,
  reading: null,
  failure: null,
  contents: null,
  dialect: null,
  encoding: null,
  database,
  databaseName: fileName.replace(/\.[^.]*$/, ''),
  taken: [],
  choices: { tables: [], indexes: true, triggers: true, looseKeys: false },
  running: null,
  outcome: null,
  problem: null,
});

// A column of the imported file, with the facts about it.
import type { ColumnFacts } from '#shared/protocol/index.ts';
import type { ColumnChoice } from '#shared/import/column-choices.ts';

export interface ShownColumn {
  readonly choice: ColumnChoice;
  /** Its index in the file. */
  readonly at: number;
  readonly facts: ColumnFacts | null;
  readonly problem: string | undefined;
}

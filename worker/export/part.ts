// The parts of an export in order: text that is written unchanged, and the rows of a statement or of a kept result.
import type { RowInterval } from '#shared/protocol/export.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { TableRows } from '../engines/engine.ts';
import type { KeptRows as RowsByPosition } from '../readers/arrange/arranged-rows.ts';
import type { KeySlices } from './key-slices.ts';
import type { SeenRows } from './seen-rows.ts';
import type { RowsHead, SchemaObject } from './rows-head.ts';
import type { SmallRows } from './small-tables.ts';

export interface StatementRows {
  readonly sql: string;
  readonly params: readonly Value[];
  /** The rows to write, by position among the rows of the statement; null: all. */
  readonly keep: readonly RowInterval[] | null;
  /** What the user sees of the rows to write. */
  readonly seen?: SeenRows | undefined;
  /** Set if they are all rows of a table, which the engine may have a faster way to read. */
  readonly scan?: TableRows | undefined;
  /** These rows, if they are few and were read with those of other tables. */
  readonly small?: () => SmallRows | null;
  /** Slices of these rows, where they are read in slices. */
  readonly slices?: KeySlices | undefined;
  /** Estimates the number of rows, which reads some of them; null when it is unknown. Asked only where there are more than a few. */
  readonly estimate: () => number | null;
}

export interface KeptRows {
  /** Rows as shown: sorted and filtered by the user. */
  readonly shown: RowsByPosition;
  readonly keep: readonly RowInterval[] | null;
}

/** The purpose of the SQL, for a format that runs it instead of writing it. */
export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
  /** Begins or ends the complete dump. */
  readonly isFrame?: true;
  readonly defines?: SchemaObject;
  /** The object is kept even if SQLite cannot use it here: it is no more broken than in the database, which is exported as a whole. */
  readonly isKept?: boolean;
  /** The sentence for the user that the SQL comment contains. */
  readonly note?: string;
  /** The text puts the definition into the schema without running it. */
  readonly isStored?: true;
  /** The note is about rows that are missing. */
  readonly isLoss?: true;
}

export type ExportPart =
  | TextPart
  | {
      readonly kind: 'statement';
      readonly head: RowsHead;
      readonly rows: StatementRows;
      /** Rows that cannot be read are left out, with a note, and the export goes on. */
      readonly goesOn?: true;
    }
  | { readonly kind: 'kept'; readonly head: RowsHead; readonly rows: KeptRows };

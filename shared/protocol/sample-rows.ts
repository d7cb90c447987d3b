// Sample rows: fills a table with made-up rows that follow from a seed.
import type { DatabaseId } from './database-id.ts';
import type { Op } from './envelope.ts';
import type { Progress } from './library.ts';
import type { Value } from './values.ts';

/** Made of word lists; all are TEXT. */
export const SAMPLE_TEXTS = [
  'full-name', 'given-name', 'family-name', 'user-name', 'email', 'phone', 'company', 'job', 'street', 'city', 'post-code', 'country',
  'country-code', 'url', 'slug', 'color', 'currency', 'language', 'file-name', 'ip-address', 'uuid', 'json',
] as const; // prettier-ignore
export type SampleText = (typeof SAMPLE_TEXTS)[number];

/** How a point in time is stored: as text that SQLite's date functions read, or as seconds or milliseconds since 1970. */
export const SAMPLE_TIMES = ['date', 'datetime', 'time', 'unix', 'unix-ms'] as const;
export type SampleTime = (typeof SAMPLE_TIMES)[number];

/** Source of the values of a column. */
export type SampleSource =
  /** The column is left out of the INSERT: its default. */
  | { readonly kind: 'default' }
  | { readonly kind: 'null' }
  | { readonly kind: 'constant'; readonly value: string | number }
  /** `start` null: after the largest value of the column. */
  | { readonly kind: 'sequence'; readonly start: number | null; readonly step: number }
  | { readonly kind: 'integer'; readonly from: number; readonly to: number }
  | { readonly kind: 'real'; readonly from: number; readonly to: number; readonly decimals: number }
  /** `from` and `to` as `YYYY-MM-DD`, both included. */
  | { readonly kind: 'moment'; readonly as: SampleTime; readonly from: string; readonly to: string }
  | { readonly kind: 'text'; readonly of: SampleText }
  | { readonly kind: 'words'; readonly from: number; readonly to: number }
  | { readonly kind: 'list'; readonly values: readonly (string | number)[] }
  /** `#` a digit, `A` and `a` a letter, `*` either, `{…}` one of a list (`{red|green}`), `\` before a character that stands for itself. */
  | { readonly kind: 'pattern'; readonly pattern: string }
  | { readonly kind: 'blob'; readonly bytes: number }
  /** Keys of rows of the table that the column's foreign key refers to. */
  | { readonly kind: 'reference' };

export interface SampleColumn {
  readonly name: string;
  readonly source: SampleSource;
  /** A number from 0 to 100. */
  readonly nullPercent: number;
}

export interface SamplePlan {
  readonly table: string;
  readonly rows: number;
  /** Whole number from 0 to 2^32 − 1. */
  readonly seed: number;
  /** Columns that are not listed get their default. */
  readonly columns: readonly SampleColumn[];
}

export interface SuggestedColumn extends SampleColumn {
  readonly declaredType: string;
  readonly canBeNull: boolean;
  /** The table its foreign key refers to; null without a foreign key. */
  readonly refersTo: string | null;
  /** Why this source: “name”, “CHECK”, …, for people; '' if only the type decided. */
  readonly why: string;
}

export interface SampleSuggestion {
  /** Name of the table as declared. */
  readonly table: string;
  /** Excludes generated columns. */
  readonly columns: readonly SuggestedColumn[];
}

export interface SamplePreview {
  /** All columns of the table, including generated ones. */
  readonly columns: readonly string[];
  /** Rows as they will be stored: inserted and rolled back. */
  readonly rows: readonly (readonly Value[])[];
  /** Why no further row could be made; null if all could. */
  readonly problem: string | null;
}

export interface SampleReply {
  readonly table: string;
  readonly inserted: number;
  /** Rows a trigger or an ON CONFLICT clause left out. */
  readonly skipped: number;
  /** Rows that were made again because they broke a constraint. */
  readonly repeated: number;
  readonly timeMs: number;
}

export interface SampleRowsOperations {
  /** Returns a source for each column, chosen from its name, type, and constraints. Fails with `invalid` for anything but a table. */
  'sampleRows.suggest': Op<{ readonly database: DatabaseId; readonly table: string }, SampleSuggestion>;
  /** Returns the first rows of the plan. Changes nothing. Fails with `invalid` for a plan that cannot work. */
  'sampleRows.preview': Op<
    { readonly database: DatabaseId; readonly plan: SamplePlan; readonly maxRows: number },
    SamplePreview
  >;
  /**
   * Inserts the rows in one transaction, one step of the history. If it is stopped or fails, nothing changes. Fails with `constraint` for a
   * row that still breaks a constraint after many attempts, `not-undoable` if the history could not undo it and `withoutUndo` is not set.
   */
  'sampleRows.insert': Op<
    { readonly database: DatabaseId; readonly plan: SamplePlan; readonly withoutUndo?: boolean },
    SampleReply,
    Progress
  >;
}

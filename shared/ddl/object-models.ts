// The contents of CREATE INDEX, VIEW, TRIGGER and VIRTUAL TABLE statements, with their positions in the text.
import type { CommentsOf, IndexedColumn, Name, Span, SqlPart } from './table-model.ts';

interface StatementModel {
  readonly understood: true;
  readonly text: string;
  readonly schema: Name | null;
  readonly name: Name;
  readonly ifNotExists: boolean;
  /** The statement without any text after it. */
  readonly span: Span;
}

export interface IndexModel extends StatementModel {
  readonly kind: 'index';
  /** The keyword UNIQUE; null if the index is not unique. */
  readonly unique: Span | null;
  readonly table: Name;
  readonly columns: readonly (IndexedColumn & CommentsOf)[];
  /** Span between the parentheses. */
  readonly body: Span;
  /** The condition without WHERE. */
  readonly where: SqlPart | null;
}

export interface ViewModel extends StatementModel {
  readonly kind: 'view';
  readonly temporary: boolean;
  /** Null if the query names them. */
  readonly columns: readonly Name[] | null;
  readonly query: SqlPart;
}

export type TriggerTiming = 'BEFORE' | 'AFTER' | 'INSTEAD OF';
export type TriggerEvent = 'INSERT' | 'UPDATE' | 'DELETE';

export interface TriggerModel extends StatementModel {
  readonly kind: 'trigger';
  readonly temporary: boolean;
  readonly timing: TriggerTiming;
  /** Empty, before the event, if it is not written: BEFORE. */
  readonly timingSpan: Span;
  readonly event: TriggerEvent;
  /** Includes the columns of `UPDATE OF`. */
  readonly eventSpan: Span;
  /** The columns of `UPDATE OF`; empty: every column. */
  readonly columns: readonly Name[];
  readonly table: Name;
  readonly when: SqlPart | null;
  /** Includes the keyword WHEN. */
  readonly whenSpan: Span | null;
  /** End of the last token before WHEN or BEGIN. */
  readonly headEnd: number;
  /** The text between BEGIN and END. */
  readonly body: SqlPart;
}

export interface VirtualTableModel extends StatementModel {
  readonly kind: 'virtual';
  readonly module: Name;
  /** The texts between the commas; each module interprets them differently. */
  readonly arguments: readonly VirtualArgument[];
  /** Span between the parentheses; null if there are none. */
  readonly body: Span | null;
}

export interface VirtualArgument extends CommentsOf {
  readonly part: SqlPart;
  /** `content=''`: an option in the style of FTS5; its value without quotes. */
  readonly option: { readonly name: string; readonly value: string } | null;
  /** Otherwise the column name, if it starts with one. */
  readonly column: string | null;
}

// What the texts of CREATE INDEX, VIEW, TRIGGER and VIRTUAL TABLE say, and where in the text they say it.
import type { CommentsOf, IndexedColumn, Name, Span, SqlPart } from './table-model.ts';

interface StatementModel {
  readonly understood: true;
  readonly text: string;
  readonly schema: Name | null;
  readonly name: Name;
  readonly ifNotExists: boolean;
  /** The statement without what follows it. */
  readonly span: Span;
}

export interface IndexModel extends StatementModel {
  readonly kind: 'index';
  /** The word; null where the index is none. */
  readonly unique: Span | null;
  readonly table: Name;
  readonly columns: readonly (IndexedColumn & CommentsOf)[];
  /** Between the parentheses. */
  readonly body: Span;
  /** The condition without WHERE. */
  readonly where: SqlPart | null;
}

export interface ViewModel extends StatementModel {
  readonly kind: 'view';
  readonly temporary: boolean;
  /** Null where the query names them. */
  readonly columns: readonly Name[] | null;
  readonly query: SqlPart;
}

export interface TriggerModel extends StatementModel {
  readonly kind: 'trigger';
  readonly temporary: boolean;
  readonly timing: 'BEFORE' | 'AFTER' | 'INSTEAD OF';
  readonly event: 'INSERT' | 'UPDATE' | 'DELETE';
  /** Of `UPDATE OF`; empty: every column. */
  readonly columns: readonly Name[];
  readonly table: Name;
  readonly when: SqlPart | null;
  /** Between BEGIN and END. */
  readonly body: SqlPart;
}

export interface VirtualTableModel extends StatementModel {
  readonly kind: 'virtual';
  readonly module: Name;
  /** What stands between the commas; each module reads it in its own way. */
  readonly arguments: readonly VirtualArgument[];
}

export interface VirtualArgument {
  readonly part: SqlPart;
  /** `content=''`: an option, as FTS5 has them; its value without quotes. */
  readonly option: { readonly name: string; readonly value: string } | null;
  /** The name of the column otherwise, if it begins with one. */
  readonly column: string | null;
}

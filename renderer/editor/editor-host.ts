// What the editor needs from the owner of its text; asked each time, so that the answers may change.
import type { EditorState } from '@codemirror/state';
import type { TextRange } from '#shared/split-statements.ts';
import type { AddedNames } from '#shared/extensions.ts';
import type { SchemaColumns } from './scope/names.ts';

export interface SqlProblem extends TextRange {
  readonly message: string;
  /** Name that it is about, as written in the text. */
  readonly name: string | null;
}

export interface EditorHost {
  columns(): SchemaColumns;
  /** Functions and table-valued functions of extensions. */
  added(): AddedNames;
  /** Resolves once {@link columns} knows a schema that is being read now; null if none is. */
  columnsBeingRead(): Promise<void> | null;
  /** Resolves once nothing runs that questions would hold up. */
  whenFree(): Promise<void>;
  /** The first problem of each statement that SQLite finds without running the text; null when that is not available now. */
  check(sql: string): Promise<readonly SqlProblem[] | null>;
  /** Shows a table or view that a name in the text stands for. */
  openTable(table: string): void;
  /** The text changed. */
  onText(state: EditorState): void;
}

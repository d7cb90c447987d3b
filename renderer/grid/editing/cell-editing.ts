// What the grid needs from the owner of its cells: the grid knows the overlay, the owner knows the meaning of text.
import type { CellReference } from '../grid-source.ts';

export interface EditTarget {
  readonly row: number;
  readonly column: number;
  /** Null in the draft row. */
  readonly cell: CellReference | null;
}

export type EditOutcome =
  | { readonly kind: 'done' }
  /** The text stays in the editor; `choices` are ways out. */
  | { readonly kind: 'failed'; readonly message: string; readonly choices: readonly EditChoice[] };

export interface EditChoice {
  readonly label: string;
  /** Answers with what comes next; `revert` closes the editor and leaves the cell as it is. */
  run(text: string): Promise<EditOutcome> | 'revert';
}

/** One cell being edited: knows which row it is, wherever that row moves meanwhile. */
export interface EditSession {
  /** The present value as text; a promise while the whole of a long value is being read. */
  readonly text: string | Promise<string>;
  /** The present value is NULL: shown as such until something is typed. */
  readonly isNull: boolean;
  /** Text the person has really touched; otherwise nothing is committed. */
  commit(text: string): Promise<EditOutcome>;
  /** The cell holds the value this began with, which may be newer than what was painted then. */
  beganWith?(cell: CellReference): boolean;
}

/** What others did to the cell under an open editor. */
export type EditNews =
  | {
      readonly kind: 'changed';
      /** What is there now, for people. */ readonly text: string;
      readonly cell: CellReference;
    }
  | { readonly kind: 'deleted' };

export interface GridEditing {
  /** A session, or a sentence why this cell cannot be edited. */
  begin(target: EditTarget): EditSession | string;
  /** Saves text that has lost its row. */
  copyText(text: string): void;
}

// The interface to the owner of the cells: the grid shows the editor, the owner interprets its text.
import type { CellReference } from '../grid-source.ts';
import type { Suggestion } from '../../ui/suggested.ts';
import type { SuggestionSource } from '../../ui/suggestions.tsx';

interface EditTarget {
  readonly row: number;
  readonly column: number;
  /** Null in the draft row. */
  readonly cell: CellReference | null;
}

export type EditOutcome =
  | { readonly kind: 'done' }
  /** The text stays in the editor; `choices` are ways to continue. */
  | { readonly kind: 'failed'; readonly message: string; readonly choices: readonly EditChoice[] };

export interface EditChoice {
  readonly label: string;
  /** Returns what happens next; `revert` closes the editor and leaves the cell unchanged. */
  run(text: string): Promise<EditOutcome> | 'revert';
}

/** Movement of the cursor after the editor has closed. */
export type AfterEdit = 'stay' | 'down' | 'next' | 'previous';

/** A value offered under the editor. */
export interface OfferedValue extends Suggestion {
  /** Stores the value, and values of other cells of the row if the offer has any. */
  choose(): Promise<EditOutcome>;
}

/** One cell being edited. It keeps track of its row, even if that moves. */
export interface EditSession {
  /** The current value as text; a promise while a long value is being read. */
  readonly text: string | Promise<string>;
  /** The current value is NULL, shown as such until the user types. */
  readonly isNull: boolean;
  /** Which of its forms is edited, where the cell has more than one; shown beside the text. */
  readonly note?: string;
  /** The text is the form that the cell shows, not its stored value. */
  readonly isShownForm?: boolean;
  /** Called only with text the user has changed; otherwise nothing is committed. */
  commit(text: string): Promise<EditOutcome>;
  /** Values that can be chosen instead of typing one. */
  readonly offers?: SuggestionSource<OfferedValue> | null;
  /** Whether the cell still holds the value with which the edit began, which may be newer than the value painted at that time. */
  beganWith?(cell: CellReference): boolean;
}

/** Changes by others to the cell while it was being edited. */
export type EditNews =
  | {
      readonly kind: 'changed';
      /** Current content of the cell, for people. */
      readonly text: string;
      readonly cell: CellReference;
    }
  | { readonly kind: 'deleted' };

export interface GridEditing {
  /** Returns a session, or a sentence why this cell cannot be edited. */
  begin(target: EditTarget): EditSession | string;
  /** Stores the text in every selected cell; missing where cells are edited one by one. */
  fillSelection?(text: string): Promise<EditOutcome>;
  /** Copies text whose row is gone, so that it is not lost. */
  copyText(text: string): void;
}

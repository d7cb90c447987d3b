// Definition of a command.

export type MenuName = 'File' | 'Edit' | 'View' | 'Database' | 'Query' | 'Help';

export interface Command {
  readonly id: string;
  readonly title: string;
  /** Electron accelerator syntax; `CmdOrCtrl` is Command on macOS. */
  readonly key?: string;
  /** Replaces `key` on macOS, where that edits text. */
  readonly macKey?: string;
  /** Additional keys for the same command. */
  readonly otherKeys?: readonly string[];
  readonly menu?: MenuName;
  /** Starts a new group in its menu. */
  readonly group?: boolean;
  /** It turns something on or off, or is one of a choice: menus show what is on. */
  readonly check?: 'checkbox' | 'radio';
  /** Scope of its keys. `grid` and `editor` need the focus there; `text` needs it in the text of the editor, not in its results. */
  readonly scope: 'window' | 'grid' | 'editor' | 'text';
  /** While the user edits text, its keys and its menu entry act on that text. */
  readonly inText?: 'undo' | 'redo';
  /** Has the key of that command while it can run itself. It comes before that command in the list. */
  readonly takesKeyOf?: string;
}

/** Keeps the ids as types. */
export const define = <const T extends readonly Command[]>(commands: T): T => commands;

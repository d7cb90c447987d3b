// The interface of a display format: another form in which the cells of a column are shown. The stored value never changes by it.
import type { StorageClass, Value } from '../protocol/values.ts';

/** A value, or a sentence why the text stands for none. */
export type Parsed = { readonly value: Value } | { readonly problem: string };

/** `utc`, `local`, or the name of a zone: “Europe/Berlin”. */
export type ZoneName = string;

export interface DisplayFormat {
  /** Remembered with the column: must not change. */
  readonly id: string;
  readonly name: string;
  readonly group: 'date' | 'number' | 'bytes';
  /** Storage classes of values that can be shown. */
  readonly classes: readonly StorageClass[];
  /** Moments are shown in a zone. */
  readonly hasZone: boolean;
  /** NULL can be replaced by a typed text, because the format alone says what that becomes. */
  readonly takesNull: boolean;
  /** The text begins with what the first bytes of a value give: how many bytes make whole characters; missing if all bytes are needed. */
  readonly wholeBytes?: number;
  /** Null: the value does not fit and is shown as stored. */
  show(value: Value, zone: ZoneName): string | null;
  /**
   * The exact value of a text that the user has changed; a sentence if there is none. Missing: cells are edited as stored.
   * @param stored the value that the text replaces, which decides its form: a fraction becomes a REAL only where one was
   */
  parse?(text: string, zone: ZoneName, stored: Value): Parsed;
}

export const problem = (sentence: string): Parsed => ({ problem: sentence });

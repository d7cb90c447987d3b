// Values this window has just stored and the grid has not received yet: the next edit of the same cell starts from them.
import { isRawText, isReal, storageClassOf } from '#shared/protocol/values.ts';
import type { Value } from '#shared/protocol/values.ts';

interface OwnEdit {
  readonly before: Value;
  readonly after: Value;
}

export class OwnEdits {
  readonly #edits = new Map<string, OwnEdit>();

  note(key: readonly Value[], column: number, before: Value, after: Value): void {
    this.#edits.set(nameOf(key, column), { before, after });
  }

  /** Updates have arrived: the painted values are at least as new. */
  forget(): void {
    this.#edits.clear();
  }

  /** Returns the current value of a cell; the grid shows `painted`. */
  present(key: readonly Value[], column: number, painted: Value): Value {
    const edit = this.#edits.get(nameOf(key, column));
    return edit && sameValue(edit.before, painted) ? edit.after : painted;
  }
}

/** The same for equal keys, and only for those. */
export const keyName = (key: readonly Value[]): string => JSON.stringify(key.map(spelled));

const nameOf = (key: readonly Value[], column: number): string => `${column}:${keyName(key)}`;

export const sameValue = (a: Value, b: Value): boolean => spelled(a) === spelled(b);

/** Equal for equal values of one storage class. */
function spelled(value: Value): string {
  if (value === null) return 'null';
  if (isReal(value)) return `real ${value.real}`;
  if (isRawText(value)) return `raw ${String(value.textBytes)}`;
  return `${storageClassOf(value)} ${String(value)}`;
}

// Values this window has just stored and the grid has not received yet: they are shown, and the next edit of the same cell starts from them.
import { isRawText, isReal, storageClassOf } from '#shared/protocol/values.ts';
import type { Value } from '#shared/protocol/values.ts';

interface OwnEdit {
  readonly before: Value;
  readonly after: Value;
}

export class OwnEdits {
  /** Edits by the name of their row, and then by column. */
  readonly #rows = new Map<string, Map<number, OwnEdit>>();
  readonly #onNoted: (() => void) | null;

  /** @param onNoted called after each edit that is noted */
  constructor(onNoted: (() => void) | null = null) {
    this.#onNoted = onNoted;
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0;
  }

  note(key: readonly Value[], column: number, before: Value, after: Value): void {
    const name = keyName(key);
    const row = this.#rows.get(name) ?? new Map<number, OwnEdit>();
    this.#rows.set(name, row.set(column, { before, after }));
    this.#onNoted?.();
  }

  /** Updates have arrived: the painted values are at least as new. */
  forget(): void {
    this.#rows.clear();
  }

  /** Returns the current value of a cell; the grid shows `painted`. */
  present(key: readonly Value[], column: number, painted: Value): Value {
    const edit = this.#rows.get(keyName(key))?.get(column);
    return edit && sameValue(edit.before, painted) ? edit.after : painted;
  }

  /** Columns of a row that were edited. @param name {@link keyName} of the row */
  columnsOf(name: string): readonly number[] {
    return [...(this.#rows.get(name)?.keys() ?? [])];
  }
}

/** The same for equal keys, and only for those. */
export const keyName = (key: readonly Value[]): string => JSON.stringify(key.map(spelled));

export const sameValue = (a: Value, b: Value): boolean => spelled(a) === spelled(b);

/** Equal for equal values of one storage class. */
function spelled(value: Value): string {
  if (value === null) return 'null';
  if (isReal(value)) return `real ${value.real}`;
  if (isRawText(value)) return `raw ${String(value.textBytes)}`;
  return `${storageClassOf(value)} ${String(value)}`;
}

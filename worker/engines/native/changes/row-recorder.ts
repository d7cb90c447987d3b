// Writes the rows that triggers report to the row log of the open transaction.
import { Entry, MAX_NAME_VALUE_BYTES, Tag } from '../../row-log/format.ts';
import { Recording } from '../../row-log/recording.ts';
import type { RowLog } from '../../row-log/row-log.ts';
import type { SequenceRow } from '../../row-log/sequences.ts';
import type { RowLayout } from '../../table-layouts.ts';
import type { NativeValue } from '../statements/binding.ts';

/** Values that a trigger passes for one row. */
export type TriggerValues = readonly NativeValue[];

const REPLACEMENT = '\ufffd';
const encoder = new TextEncoder();

export class RowRecorder extends Recording {
  readonly #inTransaction: () => boolean;
  #isAsking = false;

  constructor(inTransaction: () => boolean) {
    super();
    this.#inTransaction = inTransaction;
  }

  /** The guard is being called from inside a statement. */
  get isAsking(): boolean {
    return this.#isAsking;
  }

  /** Triggers pass the values of inserted rows, not only their keys. */
  get keepsInserted(): boolean {
    return this.keepsAfter;
  }

  /** Called between transactions: the values from {@link set} take effect here. */
  apply(): void {
    if (this.isChanging) this.clear();
  }

  /** Call after a statement whose changes cannot be logged row by row, as if the budget were used up. */
  giveUp(): void {
    this.stopCounting();
    // Outside a transaction it is committed already.
    if (this.isOpen) this.end(this.#inTransaction() ? this.askGuard() : 'drop');
  }

  /** Call inside a statement whose changes cannot be logged row by row. */
  cannotTell(): void {
    if (this.isOpen) this.#overBudget();
  }

  insert(layout: RowLayout, key: TriggerValues, row: TriggerValues): void {
    if (!this.isOpen) return;
    const writer = this.writer!;
    const table = this.numberOf(layout);
    const withAfter = this.keepsAfter;
    const rowid = Number(key[0]);
    if (!withAfter && layout.primaryKey === null && Number.isSafeInteger(rowid)) {
      if (!writer.insertRowid(table, rowid)) this.#overBudget();
      return;
    }
    writer.begin(withAfter ? Entry.insert : Entry.insertKey, table);
    this.#end(withAfter ? [...key, ...row] : key);
  }

  delete(layout: RowLayout, key: TriggerValues, row: TriggerValues): void {
    if (!this.isOpen) return;
    this.writer!.begin(Entry.delete, this.numberOf(layout));
    this.#end([...key, ...row]);
  }

  /**
   * @param changes indexes in the log, each with the value before and after
   * @param unchangedKey values of the unchanged columns of the `declaredKey`; only called when they are kept
   */
  update(
    layout: RowLayout,
    keys: { readonly before: TriggerValues; readonly after: TriggerValues; readonly moved: boolean },
    changes: readonly (readonly [place: number, before: NativeValue, after: NativeValue])[],
    unchangedKey: () => TriggerValues,
  ): void {
    if (!this.isOpen) return;
    const writer = this.writer!;
    const withAfter = this.keepsAfter;
    writer.begin((keys.moved ? Entry.move : Entry.update) + (withAfter ? 1 : 0), this.numberOf(layout));
    let isWhole = this.#values(keys.before);
    if (keys.moved) isWhole = this.#values(keys.after) && isWhole;
    writer.number(changes.length);
    for (const [index, before, after] of changes) {
      writer.number(index);
      isWhole = this.#values(withAfter ? [before, after] : [before]) && isWhole;
    }
    if (withAfter) for (const part of unchangedKey()) this.#namePart(part);
    if (!writer.end() || !isWhole) this.#overBudget();
  }

  override log(sequences: readonly SequenceRow[] | null): RowLog | 'dropped' | null {
    // Names that the user has written there may be invalid UTF-8.
    const isWhole = ![...(this.sequences ?? []), ...(sequences ?? [])].some((row) => row.some(mayBeOther));
    return this.isOpen && !isWhole ? 'dropped' : super.log(sequences);
  }

  #end(values: TriggerValues): void {
    const isWhole = this.#values(values);
    if (!this.writer!.end() || !isWhole) this.#overBudget();
  }

  /** False when a value may differ from the stored one, as invalid UTF-8 does. */
  #values(values: TriggerValues): boolean {
    const writer = this.writer!;
    let isWhole = true;
    for (const value of values) {
      if (value === null) writer.null();
      else if (typeof value === 'bigint') {
        const number = Number(value);
        if (Number.isSafeInteger(number)) writer.integer(number);
        else writer.bigInteger(value);
      } else if (typeof value === 'number') writer.real(value);
      else if (typeof value === 'string') {
        if (mayBeOther(value)) isWhole = false;
        const bytes = encoder.encode(value);
        writer.bytes(Tag.text, bytes, 0, bytes.length);
      } else writer.bytes(Tag.blob, value, 0, value.length);
    }
    return isWhole;
  }

  /** Used for display only, so it may contain invalid UTF-8 as it was read. */
  #namePart(value: NativeValue): void {
    const isText = typeof value === 'string';
    if (!isText && !(value instanceof Uint8Array)) this.#values([value]);
    // A character takes at least one byte.
    else if (value.length > MAX_NAME_VALUE_BYTES) this.writer!.null();
    else {
      const bytes = isText ? encoder.encode(value) : value;
      if (bytes.length > MAX_NAME_VALUE_BYTES) this.writer!.null();
      else this.writer!.bytes(isText ? Tag.text : Tag.blob, bytes, 0, bytes.length);
    }
  }

  /** Called inside SQLite. An exception ends the statement. */
  #overBudget(): void {
    this.#isAsking = true;
    const answer = this.askGuard();
    this.#isAsking = false;
    if (this.end(answer)) throw this.refusal(this.#inTransaction());
  }
}

/** Invalid UTF-8 arrives with this character in it. */
function mayBeOther(value: unknown): boolean {
  return typeof value === 'string' && value.includes(REPLACEMENT);
}

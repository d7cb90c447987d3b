// Writes what the triggers tell into the row log of the open transaction, and decides when that log ends.
import { AppError } from '#shared/protocol/errors.ts';
import { Entry, Tag } from '../row-log/format.ts';
import { readRowLog } from '../row-log/reader.ts';
import { MAX_ROWS_WITH_AFTER } from '../row-log/row-log.ts';
import type { ChangeGuard, RowLog } from '../row-log/row-log.ts';
import { sequenceEntries } from '../row-log/sequences.ts';
import type { SequenceRow } from '../row-log/sequences.ts';
import { RowLogWriter } from '../row-log/writer.ts';
import type { LogMark } from '../row-log/writer.ts';
import type { RowLayout } from '../table-layouts.ts';
import type { NativeValue } from './binding.ts';

export interface RecordOptions {
  readonly budgetBytes: number;
  readonly guard: ChangeGuard;
}

/** `dropped`: the rest of the transaction is not kept. `refused`: the transaction must not be committed. */
type State = 'off' | 'open' | 'dropped' | 'refused';

/** What a trigger hands over of one row. */
export type TriggerValues = readonly NativeValue[];

const REPLACEMENT = '\ufffd';
const encoder = new TextEncoder();

export class RowRecorder {
  readonly #inTransaction: () => boolean;
  #options: RecordOptions | null = null;
  #next: { readonly options: RecordOptions | null } | null = null;
  #writer: RowLogWriter | null = null;
  #state: State = 'off';
  /** The guard was asked: a copy of the database stands for the log of this transaction. */
  #isGuarded = false;
  /** By the name of their tables, as the log numbers them. */
  readonly #numbers = new Map<string, number>();
  /** AUTOINCREMENT tables among them. */
  readonly #counting = new Set<string>();
  /** As it was before the transaction wrote to an AUTOINCREMENT table. */
  #sequences: readonly SequenceRow[] | null = null;
  #isAsking = false;

  constructor(inTransaction: () => boolean) {
    this.#inTransaction = inTransaction;
  }

  get isOn(): boolean {
    return this.#options !== null;
  }

  /** The open transaction must not be committed. */
  get isRefused(): boolean {
    return this.#state === 'refused';
  }

  get isGuarded(): boolean {
    return this.#isGuarded;
  }

  /** The guard is being asked from inside a statement. */
  get isAsking(): boolean {
    return this.#isAsking;
  }

  get hasSequences(): boolean {
    return this.#sequences !== null;
  }

  /** Whether AUTOINCREMENT counts differ from what they were before the transaction. */
  hasCounted(sequences: readonly SequenceRow[] | null): boolean {
    return sequences !== null && sequenceEntries(this.#sequences ?? [], sequences, []).contents().length > 0;
  }

  /** From the next transaction on. */
  set(options: RecordOptions | null): void {
    this.#next = { options };
  }

  /** Between transactions: what {@link set} was given counts from here. */
  apply(): void {
    if (this.#next !== null) this.clear();
  }

  /** Ready for another transaction. */
  clear(): void {
    if (this.#next !== null) {
      this.#options = this.#next.options;
      this.#writer = this.#options && new RowLogWriter(this.#options.budgetBytes);
      this.#next = null;
    }
    this.#writer?.clear();
    this.#numbers.clear();
    this.#counting.clear();
    this.#sequences = null;
    this.#isGuarded = false;
    this.#state = this.#writer === null ? 'off' : 'open';
  }

  mark(): LogMark | null {
    return this.#state === 'open' ? this.#writer!.mark() : null;
  }

  goBack(mark: LogMark | null): void {
    if (this.#state === 'open' && mark !== null) this.#writer!.goBack(mark);
  }

  hasGrown(mark: LogMark | null): boolean {
    return this.#state === 'open' && mark !== null && this.#writer!.hasGrown(mark);
  }

  /** Something comes that rows do not tell. May throw what the guard throws. */
  guard(): void {
    if (this.#options === null || this.#isGuarded) return;
    this.#options.guard.beforeSchemaChange();
    this.#isGuarded = true;
    this.#drop();
  }

  /** What has happened cannot be told row by row, as if the budget were used up. After a statement. */
  giveUp(): void {
    if (this.#state !== 'open') return;
    // Outside of a transaction it is committed already.
    const answer = this.#inTransaction() ? this.#options!.guard.overBudget() : 'drop';
    this.#drop();
    if (answer === 'stop') this.#state = 'refused';
  }

  /** The same inside a statement. */
  cannotTell(): void {
    if (this.#state === 'open') this.#overBudget();
  }

  noteSequences(rows: readonly SequenceRow[]): void {
    this.#sequences = rows;
  }

  insert(layout: RowLayout, key: TriggerValues, row: TriggerValues): void {
    if (this.#state !== 'open') return;
    const writer = this.#writer!;
    const table = this.#number(layout);
    const withAfter = writer.rowCount < MAX_ROWS_WITH_AFTER;
    const rowid = Number(key[0]);
    if (!withAfter && layout.primaryKey === null && Number.isSafeInteger(rowid)) {
      if (!writer.insertRowid(table, rowid)) this.#overBudget();
      return;
    }
    writer.begin(withAfter ? Entry.insert : Entry.insertKey, table);
    this.#end(withAfter ? [...key, ...row] : key);
  }

  delete(layout: RowLayout, key: TriggerValues, row: TriggerValues): void {
    if (this.#state !== 'open') return;
    this.#writer!.begin(Entry.delete, this.#number(layout));
    this.#end([...key, ...row]);
  }

  /** @param changes places in the log, with the value before and after */
  update(
    layout: RowLayout,
    keys: { readonly before: TriggerValues; readonly after: TriggerValues; readonly moved: boolean },
    changes: readonly (readonly [place: number, before: NativeValue, after: NativeValue])[],
  ): void {
    if (this.#state !== 'open') return;
    const writer = this.#writer!;
    const withAfter = writer.rowCount < MAX_ROWS_WITH_AFTER;
    writer.begin((keys.moved ? Entry.move : Entry.update) + (withAfter ? 1 : 0), this.#number(layout));
    let isWhole = this.#values(keys.before);
    if (keys.moved) isWhole = this.#values(keys.after) && isWhole;
    writer.number(changes.length);
    for (const [place, before, after] of changes) {
      writer.number(place);
      isWhole = this.#values(withAfter ? [before, after] : [before]) && isWhole;
    }
    if (!writer.end() || !isWhole) this.#overBudget();
  }

  /** What was logged so far; `sequences` as they are now, when {@link hasSequences}. */
  log(sequences: readonly SequenceRow[] | null): RowLog | 'dropped' | null {
    if (this.#state === 'off') return null;
    if (this.#state !== 'open') return 'dropped';
    // Names written there by hand need not be UTF-8.
    if ([...(this.#sequences ?? []), ...(sequences ?? [])].some((row) => row.some(mayBeOther))) return 'dropped';
    const writer = this.#writer!;
    const names = writer.tablesWithRowsThatCameOrWent.filter((name) => this.#counting.has(name));
    const bytes = writer.seal(sequences && sequenceEntries(this.#sequences ?? [], sequences, names));
    return bytes && readRowLog(bytes);
  }

  #number({ shape, isAutoincrement }: RowLayout): number {
    if (isAutoincrement) this.#counting.add(shape.name);
    let number = this.#numbers.get(shape.name);
    if (number === undefined) this.#numbers.set(shape.name, (number = this.#writer!.addTable(shape)));
    return number;
  }

  #end(values: TriggerValues): void {
    const isWhole = this.#values(values);
    if (!this.#writer!.end() || !isWhole) this.#overBudget();
  }

  /** False when one of them may not be what is stored: text that is not UTF-8 looks like this. */
  #values(values: TriggerValues): boolean {
    const writer = this.#writer!;
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

  /** Inside SQLite. What is thrown ends the statement. */
  #overBudget(): void {
    this.#isAsking = true;
    const answer = this.#options!.guard.overBudget();
    this.#isAsking = false;
    this.#drop();
    if (answer === 'drop') return;
    this.#state = 'refused';
    throw refusedError(this.#options!.budgetBytes, this.#inTransaction());
  }

  #drop(): void {
    this.#writer!.clear();
    this.#state = 'dropped';
  }
}

/** Text that is not UTF-8 arrives with this character in it. */
function mayBeOther(value: unknown): boolean {
  return typeof value === 'string' && value.includes(REPLACEMENT);
}

function refusedError(budgetBytes: number, inTransaction: boolean): AppError {
  const size = `${Math.max(1, Math.round(budgetBytes / (1 << 20)))} MB`;
  const kept = inTransaction ? 'The open transaction was rolled back.' : 'Nothing was changed.';
  return new AppError({
    code: 'not-undoable',
    message: `This would change more than ${size} and could not be taken back. ${kept}`,
  });
}

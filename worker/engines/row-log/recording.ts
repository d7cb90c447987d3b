// The row log of the open transaction: from when on it is kept, what is asked before it cannot continue, and how it ends. How the values
// of a row are read is each engine's own.
import { AppError, inParts } from '#shared/protocol/errors.ts';
import type { RowLayout } from '../table-layouts.ts';
import { readRowLog } from './reader.ts';
import { MAX_ROWS_WITH_AFTER, type ChangeGuard, type LoggedTable, type RowLog, type LoggedShape } from './row-log.ts';
import { RowCounts, type Counted } from './row-counts.ts';
import { sequenceEntries, type SequenceRow } from './sequences.ts';
import { RowLogWriter, type LogPosition } from './writer.ts';

export interface RecordOptions {
  readonly budgetBytes: number;
  readonly guard: ChangeGuard;
}

/**
 * `covered`: a copy stands for the transaction, whose rows are counted. `dropped`: the rest of the transaction is not kept. `refused`: the
 * transaction must not be committed.
 */
type State = 'off' | 'open' | 'covered' | 'dropped' | 'refused';

/** A state to go back to: that of the log, or the counts. */
export type RecordingMark = LogPosition | readonly number[];

export class Recording {
  /** Null while nothing is recorded. */
  protected writer: RowLogWriter | null = null;
  /** Content of `sqlite_sequence` before the transaction wrote to an AUTOINCREMENT table. */
  protected sequences: readonly SequenceRow[] | null = null;
  #options: RecordOptions | null = null;
  #next: { readonly options: RecordOptions | null } | null = null;
  #state: State = 'off';
  /** The guard was asked: a copy of the database replaces the log of this transaction. */
  #isGuarded = false;
  /** Table numbers in the log, by table name. */
  readonly #numbers = new Map<string, number>();
  /** The changed tables that use AUTOINCREMENT. */
  readonly #counting = new Set<string>();
  readonly #counts = new RowCounts();

  get isOn(): boolean {
    return this.#options !== null;
  }

  /** Rows are reported, with their values. */
  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Rows are reported, but only to be counted. */
  get isCovered(): boolean {
    return this.#state === 'covered';
  }

  /** Counts so far; null unless the transaction {@link isCovered}. */
  get counted(): readonly LoggedTable[] | null {
    return this.#state === 'covered' ? this.#counts.tables : null;
  }

  /** Nothing has been reported of the open transaction that would require waiting for its end. */
  protected get isIdle(): boolean {
    return this.sequences === null && (this.writer?.rowCount ?? 0) === 0 && this.#counts.isEmpty;
  }

  /** Call before a statement that may change rows. */
  beginRows(): void {
    if (this.#state === 'open' && this.writer!.rowCount === 0 && this.#options!.guard.covers()) this.#state = 'covered';
  }

  count(shape: LoggedShape, what: Counted): void {
    this.#counts.add(shape, what);
  }

  /** Call when it is not known how many rows a statement has changed. */
  protected stopCounting(): void {
    this.#counts.giveUp();
  }

  /** The open transaction must not be committed. */
  get isRefused(): boolean {
    return this.#state === 'refused';
  }

  get isGuarded(): boolean {
    return this.#isGuarded;
  }

  get hasSequences(): boolean {
    return this.sequences !== null;
  }

  /** Whether AUTOINCREMENT counts differ from what they were before the transaction. */
  hasCounted(sequences: readonly SequenceRow[] | null): boolean {
    return sequences !== null && sequenceEntries(this.sequences ?? [], sequences, []).contents().length > 0;
  }

  /** Takes effect with the next transaction. */
  set(options: RecordOptions | null): void {
    this.#next = { options };
  }

  /** {@link set} is waiting for the end of the open transaction. */
  get isChanging(): boolean {
    return this.#next !== null;
  }

  /** Ready for another transaction. */
  clear(): void {
    if (this.#next !== null) {
      this.#options = this.#next.options;
      this.writer = this.#options && new RowLogWriter(this.#options.budgetBytes);
      this.#next = null;
    }
    this.writer?.clear();
    this.#numbers.clear();
    this.#counting.clear();
    this.#counts.clear();
    this.sequences = null;
    this.#isGuarded = false;
    this.#state = this.writer === null ? 'off' : 'open';
  }

  mark(): RecordingMark | null {
    if (this.isCovered) return this.#counts.mark();
    return this.isOpen ? this.writer!.mark() : null;
  }

  hasGrown(mark: RecordingMark | null): boolean {
    if (this.isCovered) return this.#counts.hasGrown(countsAt(mark));
    return this.isOpen && isOfLog(mark) && this.writer!.hasGrown(mark);
  }

  goBack(mark: RecordingMark | null): void {
    if (this.isCovered) this.#counts.goBack(countsAt(mark));
    else if (this.isOpen && isOfLog(mark)) this.writer!.goBack(mark);
  }

  /** Something comes that rows do not tell. May throw what the guard throws. */
  guard(): void {
    if (this.#options === null || this.#isGuarded) return;
    this.#options.guard.beforeSchemaChange();
    this.#isGuarded = true;
    this.end('drop');
  }

  noteSequences(rows: readonly SequenceRow[]): void {
    this.sequences = rows;
  }

  /** The log so far; `sequences` as they are now, when {@link hasSequences}. */
  log(sequences: readonly SequenceRow[] | null): RowLog | 'dropped' | null {
    if (this.#state === 'off' || this.#state === 'covered') return null;
    if (this.#state !== 'open') return 'dropped';
    const writer = this.writer!;
    const names = writer.tablesWithRowsThatCameOrWent.filter((name) => this.#counting.has(name));
    const bytes = writer.seal(sequences && sequenceEntries(this.sequences ?? [], sequences, names));
    return bytes && readRowLog(bytes);
  }

  /** Values after the change are still kept. */
  protected get keepsAfter(): boolean {
    return this.writer!.rowCount < MAX_ROWS_WITH_AFTER;
  }

  protected numberOf({ shape, isAutoincrement }: RowLayout): number {
    let number = this.#numbers.get(shape.name);
    if (number === undefined) {
      this.#numbers.set(shape.name, (number = this.writer!.addTable(shape)));
      if (isAutoincrement) this.#counting.add(shape.name);
    }
    return number;
  }

  /** The log cannot continue: may the transaction? */
  protected askGuard(): 'drop' | 'stop' {
    return this.#options!.guard.overBudget();
  }

  /** Returns whether the transaction must not be committed. */
  protected end(answer: 'drop' | 'stop'): boolean {
    this.writer!.clear();
    this.#state = answer === 'drop' ? 'dropped' : 'refused';
    return answer === 'stop';
  }

  protected refusal(inTransaction: boolean): AppError {
    const size = `${Math.max(1, Math.round(this.#options!.budgetBytes / (1 << 20)))} MB`;
    const kept = inTransaction ? 'The open transaction was rolled back.' : 'Nothing was changed.';
    return AppError.notUndoable(inParts(`This would change more than ${size} and could not be undone.`, kept));
  }
}

function isOfLog(mark: RecordingMark | null): mark is LogPosition {
  return mark !== null && 'range' in mark;
}

/** A state of the log is one from before the first row: the transaction was covered from there on. */
function countsAt(mark: RecordingMark | null): readonly number[] {
  return mark === null || isOfLog(mark) ? [] : mark;
}

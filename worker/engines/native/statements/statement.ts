// One prepared statement: binding, stepping, and what is left behind when it ends or fails.
import { AppError } from '#shared/protocol/errors.ts';
import type { ResultColumn } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { Control, ScriptStatement, TableRead } from '../../engine.ts';
import { type Literals, LiteralKind } from '../../repeated/literals.ts';
import type { ScriptText } from '../../repeated/repeated-statements.ts';
import { ParameterList, type NativeArguments, type NativeValue } from './binding.ts';
import { closedError } from '../../engine-errors.ts';
import type { Watched } from '../changes/change-watch.ts';
import type { PreparedStatement, RowIterator } from '../runtime/load.ts';
import type { Pulse } from '../runtime/pulse.ts';
import { columnsChanged, describeColumns, packRows, toValue, type NativeRow } from './row.ts';
import type { StatementToRun } from './statement-plans.ts';
import { CONTROLS, type StatementShape, type Verb } from './statement-shape.ts';

/** Rows between two looks at the clock. */
const CLOCK_ROWS = 16;
/** Rows that are read before they are packed: both go faster when they do not take turns. */
const ROWS_AHEAD = 64;

/** How often a statement is used before its program is looked at, which takes longer than one use. */
const MANY_USES = 3;

/** The part of its connection that a statement needs. */
export interface StatementOwner {
  readonly isOpen: boolean;
  readonly pulse: Pulse;
  /** Every statement with rows still to come: closing ends them. */
  readonly reading: Set<NativeStatement>;
  /** Prepares this statement with other expressions in the place of its parameters. */
  prepareAgain(sql: string): PreparedStatement;
  /** Runs a statement without columns, even while other statements are being read. Returns the number of rows it changed. */
  execute(prepared: PreparedStatement, args: NativeArguments, verb: Verb): number;
  readsOf(sql: string): readonly TableRead[];
  /** Whether its program says that there is no second row. */
  returnsOneRow(sql: string): boolean;
  /** Call before the first step of a statement that may write or ends a transaction. Returns the state at that moment. */
  begin(statement: StatementToRun): Watched;
  succeeded(watched: Watched): void;
  /** Undoes what the failed statement noted; the error is for throwing after {@link settled}. */
  failed(thrown: unknown, watched: Watched | null): AppError;
  /** The statement is reset: commits may be published now. */
  settled(): void;
  release(statement: NativeStatement): void;
}

export class NativeStatement implements ScriptStatement {
  /** Position in the script that walks it. */
  from = 0;
  to = 0;
  readonly control: Control | null;
  readonly columnCount: number;
  readonly readonly: boolean;
  readonly returnsRows: boolean;
  readonly sql: string;
  readonly shape: StatementShape;
  isOfRecords = false;
  readonly #owner: StatementOwner;
  readonly #prepared: PreparedStatement;
  readonly #parameters: ParameterList;
  readonly #isWatched: boolean;
  /** Null: nothing is bound. */
  #arguments: NativeArguments | null = null;
  /** Stands in for the prepared one when a value has to be cast to text. */
  #casting: PreparedStatement | null = null;
  #columns: readonly ResultColumn[] | null = null;
  #uses = 1;
  #hasOneRow = false;
  #state: 'ready' | 'running' | 'done' | 'finalized' = 'ready';
  #rows: RowIterator | null = null;
  #row: NativeRow = [];
  /** Read, and not given out: the bytes that were asked for were full. */
  #ahead: readonly NativeRow[] = [];
  #watched: Watched | null = null;
  #changes = 0;

  constructor(owner: StatementOwner, sql: string, shape: StatementShape, prepared: PreparedStatement) {
    this.#owner = owner;
    this.#prepared = prepared;
    this.sql = sql;
    this.shape = shape;
    this.#parameters = new ParameterList(shape.parameters);
    this.readonly = prepared.readonly;
    this.control = CONTROLS[shape.verb] ?? null;
    // SQLite counts transactions as reading, but they change what is committed; DETACH may take away a file that is to stay.
    const endsOrBegins = this.control === 'transaction' || this.control === 'savepoint' || shape.verb === 'detach';
    this.#isWatched = !prepared.readonly || endsOrBegins || shape.target?.name === 'recursive_triggers';
    this.returnsRows = prepared.reader;
    this.columnCount = this.returnsRows ? prepared.columns().length : 0;
    if (this.returnsRows) prepared.raw(true).safeIntegers(true);
  }

  get parameterCount(): number {
    return this.#parameters.count;
  }

  get columns(): readonly ResultColumn[] {
    this.#columns ??= this.returnsRows ? describeColumns(this.#prepared) : [];
    return this.#columns;
  }

  get readTables(): readonly string[] {
    return this.reads.map(({ table }) => table);
  }

  get reads(): readonly TableRead[] {
    return this.#owner.readsOf(this.sql);
  }

  /** Rows the last run changed, for a statement without columns. */
  get changes(): number {
    return this.#changes;
  }

  bind(params: readonly Value[]): void {
    this.#assertOpen();
    if (this.#state !== 'ready') this.reset();
    this.#arguments = this.#parameters.toArguments(params);
    this.#casting = null;
    if (!this.#parameters.hasRawText(params)) return;
    this.#casting = this.#owner.prepareAgain(this.#parameters.castingText(this.sql, params));
    if (this.#casting.reader) this.#casting.raw(true).safeIntegers(true);
  }

  /** Binds literals of `text`, all of which better-sqlite3 accepts. */
  bindLiterals(literals: Literals, text: ScriptText): boolean {
    this.#arguments = [toNativeValues(literals, text)];
    return true;
  }

  /** Runs a statement without columns over values as better-sqlite3 takes them. Returns the rows it changed. */
  runWith(values: readonly NativeValue[]): number {
    this.#assertOpen();
    if (this.#state !== 'ready') this.reset();
    this.#arguments = [values];
    this.#casting = null;
    this.isOfRecords = true;
    this.step();
    return this.#changes;
  }

  step(): boolean {
    if (this.#state === 'done' && this.#ahead.length === 0) return false;
    this.#assertOpen();
    if (this.#ahead.length > 0) {
      this.#row = this.#ahead[0]!;
      this.#ahead = this.#ahead.slice(1);
      return true;
    }
    try {
      if (this.#state === 'ready' && this.#start()) {
        this.#end(null);
        return false;
      }
      const { value, done } = this.#rows!.next();
      if (!done) {
        this.#row = value;
        if (value.length !== this.columnCount) throw columnsChanged();
        // A writing statement is read to its end whatever happens, so a Stop there would only hide what it did.
        if (this.readonly) this.#owner.pulse.beat();
        return true;
      }
    } catch (error) {
      this.#end({ thrown: error });
    }
    this.#end(null);
    return false;
  }

  value(column: number): Value {
    return toValue(this.#row[column] ?? null);
  }

  pack(writer: PackedRowsWriter, limits: { maxRows: number; maxBytes?: number; deadlineMs?: number }): boolean {
    const maxBytes = limits.maxBytes ?? Infinity;
    const deadlineMs = limits.deadlineMs ?? Infinity;
    let missing = limits.maxRows;
    while (missing > 0) {
      const rows = this.#ahead.length > 0 ? this.#ahead : this.#readAhead(missing, deadlineMs);
      if (rows.length === 0) return false;
      const packed = packRows(rows, writer, { columnCount: this.columnCount, maxRows: missing, maxBytes });
      this.#ahead = rows.slice(packed);
      missing -= packed;
      if (writer.sizeBytes >= maxBytes) return true;
      if (deadlineMs !== Infinity && performance.now() >= deadlineMs) return true;
    }
    return true;
  }

  /** Empty at the end. What writes is not read further than it is packed. */
  #readAhead(maxRows: number, deadlineMs: number): readonly NativeRow[] {
    const rows: NativeRow[] = [];
    const count = this.#isWatched ? 1 : Math.min(maxRows, ROWS_AHEAD);
    while (rows.length < count && this.step()) {
      rows.push(this.#row);
      const isDue = this.#owner.pulse.isSlow || rows.length % CLOCK_ROWS === 0;
      if (isDue && deadlineMs !== Infinity && performance.now() >= deadlineMs) break;
    }
    return rows;
  }

  reset(): void {
    if (this.#state === 'running' && this.#owner.isOpen) this.#stopReading();
    if (this.#state !== 'finalized') this.#state = 'ready';
    this.#ahead = [];
  }

  finalize(): void {
    if (this.#state === 'finalized') return;
    try {
      this.reset();
    } finally {
      this.#state = 'finalized';
      this.#owner.release(this);
    }
  }

  /** Called by the statement cache: puts it back in use after {@link finalize}. */
  revive(): void {
    this.#state = 'ready';
    this.isOfRecords = false;
    this.#casting = null;
    this.#arguments = null;
    if (++this.#uses === MANY_USES)
      this.#hasOneRow = this.readonly && this.shape.verb === 'read' && this.#owner.returnsOneRow(this.sql);
  }

  /** Called by the owner when it closes. */
  abandon(): void {
    this.#rows?.return();
    this.#rows = null;
  }

  /** True when the statement is done already: there are no rows to come. */
  #start(): boolean {
    this.#state = 'running';
    this.#owner.pulse.begin();
    this.#watched = this.#isWatched ? this.#owner.begin(this) : null;
    const prepared = this.#casting ?? this.#prepared;
    const args = this.#arguments ?? this.#parameters.toArguments([]);
    if (!this.returnsRows) {
      this.#changes = this.#owner.execute(prepared, args, this.shape.verb);
      return true;
    }
    if (this.#hasOneRow) {
      this.#rows = new FewRows(prepared.all(...args));
      return false;
    }
    this.#rows = prepared.iterate(...args);
    this.#owner.reading.add(this);
    return false;
  }

  #stopReading(): void {
    try {
      // A writing statement is read to its end: letting go would hide that its commit failed.
      if (this.#watched !== null && !this.readonly) while (this.#rows?.next().done === false);
      else this.#rows?.return();
    } catch (error) {
      this.#end({ thrown: error });
    }
    this.#end(null);
  }

  /** Ends at once, not with the next bind: a statement that is done must not hold its locks. */
  #end(failure: { readonly thrown: unknown } | null): void {
    const watched = this.#watched;
    const error = failure === null ? null : this.#failed(failure.thrown, watched);
    this.#rows = null;
    this.#watched = null;
    this.#owner.reading.delete(this);
    this.#state = error === null ? 'done' : 'ready';
    if (error === null && watched !== null) this.#owner.succeeded(watched);
    if (error !== null || watched !== null) this.#owner.settled();
    if (error !== null) throw error;
  }

  #failed(thrown: unknown, watched: Watched | null): AppError {
    // Our own error, thrown while rows were still to come.
    if (thrown instanceof AppError) this.#rows?.return();
    return this.#owner.failed(thrown, watched);
  }

  #assertOpen(): void {
    if (this.#state === 'finalized' || !this.#owner.isOpen) throw closedError();
  }
}

/**
 * The rows of a statement that returns one at most, read in one call: an iterator of better-sqlite3 is an object with three calls of its
 * own, and takes longer than the statement.
 */
class FewRows implements RowIterator {
  readonly #rows: readonly NativeRow[];
  #at = 0;

  constructor(rows: readonly unknown[]) {
    this.#rows = rows as readonly NativeRow[];
  }

  next(): { readonly value: NativeRow; readonly done: boolean } {
    const value = this.#rows[this.#at++];
    return value === undefined ? END : { value, done: false };
  }

  return(): void {
    this.#at = this.#rows.length;
  }
}

const END = { value: [], done: true } as const;

function toNativeValues(literals: Literals, text: ScriptText): readonly NativeValue[] {
  const values: NativeValue[] = [];
  for (let index = 0; index < literals.count; index++) values.push(literalValue(literals, index, text));
  return values;
}

function literalValue({ kinds, numbers, starts, ends }: Literals, index: number, text: ScriptText): NativeValue {
  switch (kinds[index]) {
    case LiteralKind.integer:
      return BigInt(numbers[index]!);
    case LiteralKind.real:
      return numbers[index]!;
    case LiteralKind.text:
      return text.slice(starts[index]!, ends[index]!);
    case LiteralKind.quotedText:
      return text.slice(starts[index]!, ends[index]!).replaceAll("''", "'");
    case LiteralKind.longInteger:
      return BigInt(text.slice(starts[index]!, ends[index]!));
    case LiteralKind.longReal:
      return text.slice(starts[index]!, ends[index]!);
    case LiteralKind.blob:
      return Buffer.from(text.slice(starts[index]!, ends[index]!), 'hex');
    default:
      return null;
  }
}

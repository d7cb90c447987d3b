// One statement for a server: what it is, its values, and its rows.
import { AppError } from '#shared/protocol/errors.ts';
import type { ResultColumn } from '#shared/protocol/rows.ts';
import { isRawText, isReal, type Value } from '#shared/protocol/values.ts';
import type { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { closedError } from '../../engine-errors.ts';
import type { Control, ScriptStatement, TableRead } from '../../engine.ts';
import { type StatementShape, CONTROLS } from '../../native/statements/statement-shape.ts';
import type { Understood } from '../schema/schema-copy.ts';
import type { RemoteRows } from './remote-rows.ts';

/** Rows between two checks of the clock. */
const CLOCK_ROWS = 64;

/** The parts of a connection that its statements use. */
export interface RemoteOwner {
  readonly isOpen: boolean;
  /** Statements with rows still to come. */
  readonly reading: Set<RemoteStatement>;
  /** Runs it. @throws AppError */
  execute(statement: RemoteStatement, params: readonly Value[]): Ran;
  readsOf(sql: string): readonly TableRead[];
  writtenBy(statement: RemoteStatement): readonly string[] | undefined;
}

export interface Ran {
  readonly rows: RemoteRows;
  readonly changes: number;
  /** Number counted by the server; undefined where it does not say. */
  readonly rowsRead: number | undefined;
}

/** Statement that sessions run when they open. SQLite calls it a write, because with a value it would be (`sqlite3_stmt_readonly`). */
const ASKS_JOURNAL_MODE = 'PRAGMA journal_mode';

export class RemoteStatement implements ScriptStatement {
  from = 0;
  to = 0;
  /** Statements of scripts are written by a person and can run without end; on the server they can be stopped. */
  isOfScript = false;
  readonly control: Control | null;
  readonly columns: readonly ResultColumn[];
  readonly columnCount: number;
  readonly readonly: boolean;
  readonly parameterCount: number;
  /** Text of this statement alone. */
  readonly sql: string;
  /** Positions in it count from its beginning. */
  readonly shape: StatementShape;
  readonly #owner: RemoteOwner;
  #params: readonly Value[] = [];
  #state: 'ready' | 'running' | 'done' | 'finalized' = 'ready';
  #rows: RemoteRows | null = null;
  #row: readonly Value[] = [];
  #changes = 0;
  #rowsRead: number | undefined = undefined;

  constructor(owner: RemoteOwner, sql: string, shape: StatementShape, understood: Understood) {
    this.#owner = owner;
    this.sql = sql;
    this.shape = shape;
    this.columns = understood.columns;
    this.columnCount = understood.columns.length;
    this.readonly = understood.readonly;
    this.control = CONTROLS[shape.verb] ?? null;
    this.parameterCount = Math.max(0, ...shape.parameters.map(({ index }) => index));
  }

  get canWrite(): boolean {
    return !this.readonly && this.sql !== ASKS_JOURNAL_MODE;
  }

  get reads(): readonly TableRead[] {
    return this.#owner.readsOf(this.sql);
  }

  get readTables(): readonly string[] {
    return this.reads.map(({ table }) => table);
  }

  get writtenTables(): readonly string[] | undefined {
    return this.#owner.writtenBy(this);
  }

  get rowsVisited(): number | undefined {
    return this.#rowsRead;
  }

  /** Rows the last run changed. */
  get changes(): number {
    return this.#changes;
  }

  bind(params: readonly Value[]): void {
    this.#assertOpen();
    if (params.length > this.parameterCount)
      throw AppError.invalid('There are more values than the statement has parameters.');
    if (this.#state !== 'ready') this.reset();
    this.#params = params;
  }

  step(): boolean {
    if (this.#state === 'done') return false;
    this.#assertOpen();
    try {
      if (this.#state === 'ready') this.#start();
      const row = this.#rows!.next();
      if (row !== null) {
        this.#row = row;
        return true;
      }
    } catch (error) {
      this.#end('ready');
      throw error;
    }
    this.#end('done');
    return false;
  }

  value(column: number): Value {
    return this.#row[column] ?? null;
  }

  pack(writer: PackedRowsWriter, limits: { maxRows: number; maxBytes?: number; deadlineMs?: number }): boolean {
    const { maxRows, maxBytes = Infinity, deadlineMs = Infinity } = limits;
    for (let packed = 0; packed < maxRows;) {
      if (!this.step()) return false;
      for (const value of this.#row) packValue(value, writer);
      packed++;
      if (writer.sizeBytes >= maxBytes) return true;
      if (packed % CLOCK_ROWS === 0 && deadlineMs !== Infinity && performance.now() >= deadlineMs) return true;
    }
    return true;
  }

  reset(): void {
    if (this.#state === 'finalized') return;
    this.#end('ready');
  }

  finalize(): void {
    if (this.#state === 'finalized') return;
    this.#end('finalized');
  }

  #start(): void {
    this.#state = 'running';
    this.#rowsRead = undefined;
    const { rows, changes, rowsRead } = this.#owner.execute(this, this.#params);
    this.#rows = rows;
    this.#changes = changes;
    this.#rowsRead = rowsRead;
    this.#owner.reading.add(this);
  }

  #end(state: 'ready' | 'done' | 'finalized'): void {
    this.#owner.reading.delete(this);
    const rows = this.#rows;
    this.#rows = null;
    this.#state = state;
    rows?.end();
  }

  #assertOpen(): void {
    if (this.#state === 'finalized' || !this.#owner.isOpen) throw closedError();
  }
}

function packValue(value: Value, writer: PackedRowsWriter): void {
  switch (typeof value) {
    case 'number':
      if (Number.isInteger(value)) writer.integer(value);
      else writer.real(value);
      break;
    case 'bigint':
      writer.bigInteger(value);
      break;
    case 'string':
      writer.text(value);
      break;
    default:
      if (value === null) writer.null();
      else if (isReal(value)) writer.real(value.real);
      else if (isRawText(value)) writer.textBytes(value.textBytes);
      else writer.blob(value);
  }
}

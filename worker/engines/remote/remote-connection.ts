// One open database on a server: its statements, its transaction, and the changes it publishes.
import type { Value } from '#shared/protocol/values.ts';
import {
  closedError,
  noStatementError,
  nulCharacterError,
  secondStatementError,
  parameterValues,
} from '../engine-errors.ts';
import type { Connection, Script, ScriptParameters, TableRead, CommittedPiece } from '../engine.ts';
import type { RowLog } from '../row-log/row-log.ts';
import { SmallReads } from '../small-reads.ts';
import type { TransactionChanges } from '../transaction-changes.ts';
import { assertNoTransaction } from '../transaction.ts';
import { type StatementShape, readStatement } from '../native/statements/statement-shape.ts';
import type { BoundSql, GuardedOutcome, GuardedWrite, StatementOutcome } from '../guarded-write.ts';
import { assertInTransaction, type RecordInsert, type RecordSql } from '../record-insert.ts';
import type { RecordBinding } from '../record-values.ts';
import type { RemoteSql } from './hrana/messages.ts';
import { noteEdits, RemoteChanges } from './changes/remote-changes.ts';
import type { Listening } from './network/blocking-http.ts';
import { isUnknownOutcome, statementOutcomes } from './session/outcomes.ts';
import type { ServerSession, RowsTouched } from './session/server-session.ts';
import { copySchema } from './schema/schema-copy.ts';
import type { RemoteSchema } from './schema/remote-schema.ts';
import { asNumber, runStatement } from './statements/run-statement.ts';
import { RemoteRecordInsert, type Sent } from './statements/remote-record-insert.ts';
import { RemoteStatement, type Ran, type RemoteOwner } from './statements/remote-statement.ts';
import { skipToStatement } from '#shared/sql-scanner.ts';
import { bindText } from './statements/remote-text.ts';
import { AppError, inParts } from '#shared/protocol/errors.ts';
import { TextScript } from '../native/statements/text-script.ts';

/**
 * Methods that a connection to a server lacks or does not need, because file, memory, and log of the database are the server's.
 */
abstract class WithoutFile extends SmallReads implements Partial<Connection> {
  readonly memoryBytes = null;
  readonly openLog: RowLog | null = null;
  /** A server may send rows without end, whatever it was asked. */
  protected override readonly mostBytes = 64 << 20;
  abstract readonly isOpen: boolean;

  /** The server's administrator decides this. */
  setDurability(): void {
    this.assertOpen();
  }

  useCache(): void {
    this.assertOpen();
  }

  passCache(): void {
    this.assertOpen();
  }

  /** The server does this. */
  checkpoint(): void {
    this.assertOpen();
  }

  record(options: unknown): void {
    if (options !== null)
      throw AppError.unavailable('A server does not tell which rows a statement changed, so they cannot be recorded.');
  }

  replay(): never {
    throw AppError.unavailable('A database on a server has no history of its changes.');
  }

  // oxlint-disable-next-line require-yield -- there is nothing to give
  *copyCommitted(): Generator<CommittedPiece, void> {
    throw noFile();
  }

  restoreFrom(): void {
    throw noFile();
  }

  readFile(): Uint8Array {
    throw noFile();
  }

  protected assertOpen(): void {
    if (!this.isOpen) throw closedError();
  }
}

const noFile = (): AppError =>
  AppError.unavailable(
    'The file of this database is on a server and cannot be read from here. Copy its tables instead.',
  );

interface Parts {
  readonly location: string;
  readonly session: ServerSession;
  readonly schema: RemoteSchema;
  /** The reason why nothing can be written, in words; null when writing works as far as is known. */
  readonly whyReadOnly: string | null;
  readonly fileSizeBytes: number;
  setProgress(handler: (() => boolean) | null): void;
  /** Throws when the handler says so. */
  look(): void;
  /** `listen` of `HranaClient`. */
  readonly listen: (table: string) => Listening;
  closed(): void;
  /** A new, empty database on this computer. */
  readonly openNear: (() => Connection) | undefined;
}

export class RemoteConnection extends WithoutFile implements Connection, RemoteOwner {
  readonly location: string;
  readonly isMetered = true;
  readonly forgetsSettings = true;
  readonly whyReadOnly: string | null;
  readonly fileSizeBytes: number;
  readonly reading = new Set<RemoteStatement>();
  readonly openNear?: () => Connection;
  isOpen = true;
  /** Called before each statement that can write; an error it throws keeps the statement from running. */
  beforeWriting: (() => void) | null = null;
  readonly #session: ServerSession;
  readonly #schema: RemoteSchema;
  readonly #parts: Parts;
  readonly #changes: RemoteChanges;
  readonly #listeners: Listeners;
  #totalChanges = 0;
  #rollbacks = 0;
  #lastInsertRowid: number | bigint = 0;

  constructor(parts: Parts) {
    super();
    this.#parts = parts;
    this.location = parts.location;
    this.whyReadOnly = parts.whyReadOnly;
    this.fileSizeBytes = parts.fileSizeBytes;
    this.#session = parts.session;
    this.#schema = parts.schema;
    this.#changes = new RemoteChanges(parts.session);
    this.#listeners = new Listeners(parts.listen);
    const { openNear } = parts;
    if (openNear) this.openNear = () => copySchema(this, openNear());
  }

  prepare(sql: string): RemoteStatement {
    this.assertOpen();
    const shape = readOne(sql);
    return this.prepareShape(sql, shape);
  }

  check(sql: string): void {
    this.assertOpen();
    this.#schema.understand(sql, readOne(sql), 'check');
  }

  script(sql: string, parameters: ScriptParameters = {}): Script {
    this.assertOpen();
    return remoteScript(this, sql, parameters);
  }

  run(sql: string, params: readonly Value[] = []): number {
    const statement = this.prepare(sql);
    try {
      statement.bind(params);
      while (statement.step());
      return statement.changes;
    } finally {
      statement.finalize();
    }
  }

  writeTogether(writes: readonly GuardedWrite[]): GuardedOutcome {
    this.assertOpen();
    assertNoTransaction(this.#session.canRunTogether);
    const note = (returned: readonly (readonly Value[] | null)[]): void => {
      const statements = Array.from(new Set(writes.map(({ write }) => write.sql)), (sql) => this.prepare(sql));
      const ran = statements.map((statement) => ({ statement, tables: this.writtenBy(statement) ?? null }));
      noteEdits(this.#changes, { ran, copy: this.#schema.copy, writes, returned });
      this.#changes.settle(false);
    };
    const prepare = (sql: string): RemoteStatement => this.prepare(sql);
    const mayWrite = (): void => this.#assertWritable();
    try {
      const outcome = this.#session.writeTogether({ prepare, mayWrite, look: this.#parts.look }, writes);
      if (outcome.kind === 'done') note(outcome.rows);
      return outcome;
    } catch (error) {
      if (isUnknownOutcome(error)) note([]);
      throw error;
    }
  }

  runInTransaction(statements: readonly BoundSql[], goOn: boolean): readonly StatementOutcome[] {
    this.assertOpen();
    assertInTransaction(this.autocommit);
    this.#assertWritable();
    try {
      const ran = this.#session.runInTransaction(statements.map(bind), goOn);
      this.#changes.noteAnything();
      return statementOutcomes(ran);
    } finally {
      this.#changes.settle(true);
    }
  }

  insertRecords(sql: RecordSql, binding: RecordBinding): RecordInsert {
    this.assertOpen();
    this.#assertWritable();
    return new RemoteRecordInsert(this, sql, binding);
  }

  get autocommit(): boolean {
    return this.#session.autocommit;
  }

  /** Rows that triggers and foreign keys changed are not counted: the server does not say. */
  get totalChanges(): number {
    return this.#totalChanges;
  }

  get rollbacks(): number {
    return this.#rollbacks + this.#session.lostTransactions;
  }

  get whyLost(): AppError | null {
    return this.#session.whyLost;
  }

  get lastInsertRowid(): number | bigint {
    return this.#lastInsertRowid;
  }

  /** Rows of all requests so far, as the server counts and bills them. */
  get rowsTouched(): RowsTouched {
    return this.#session.touched;
  }

  onProgress(handler: (() => boolean) | null): void {
    this.#parts.setProgress(handler);
  }

  onCommit(listener: ((changes: TransactionChanges) => void) | null): void {
    this.#changes.listener = listener;
  }

  beginWithoutForeignKeys(): void {
    this.assertOpen();
    assertNoTransaction(this.autocommit);
    this.#assertWritable();
    this.#session.beginWith(['PRAGMA foreign_keys = OFF', 'BEGIN IMMEDIATE']);
  }

  /** The state after the last write of this connection. */
  get writtenIndex(): string | null {
    return this.#session.written;
  }

  get schemaVersion(): number {
    return this.#session.schemaVersion;
  }

  /** Changes with every commit, of this connection and of others, as of the last reply. */
  get commitMark(): string {
    return `server ${this.#session.index ?? ''}`;
  }

  /** One round trip outside a transaction. */
  get dataVersion(): number {
    this.assertOpen();
    this.#session.refresh();
    return this.#session.otherCommits;
  }

  refreshSchema(): void {
    this.assertOpen();
    this.#session.refreshSchema();
  }

  /**
   * Hears of changes to rows of a table, by its exact name, until it is ended or the connection closed. The server reports no change of the
   * schema, of a table WITHOUT ROWID, or by a DELETE of all rows, so this only makes it worthwhile to ask for `dataVersion` now.
   */
  listen(table: string): Listening {
    this.assertOpen();
    return this.#listeners.add(table);
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    for (const statement of this.reading) statement.reset();
    this.#changes.listener = null;
    this.#parts.setProgress(null);
    this.#listeners.end();
    this.#session.close();
    this.#schema.close();
    this.#parts.closed();
  }

  // For statements and scripts

  prepareShape(sql: string, shape: StatementShape): RemoteStatement {
    const understood = this.#schema.understand(sql, shape, 'run');
    const text = sql.slice(shape.from, shape.to);
    return new RemoteStatement(this, text, { ...shape, from: 0, to: text.length }, understood);
  }

  execute(statement: RemoteStatement, params: readonly Value[]): Ran {
    const wasOpen = !this.autocommit;
    const rows = this.#schema.answer(statement, params);
    if (rows !== null) return rows;
    assertSettingHolds(statement, !this.autocommit);
    if (statement.canWrite) this.#assertWritable();
    // Read from the schema before the statement runs: it may drop a table.
    const written = this.writtenBy(statement) ?? null;
    try {
      const { ran, lastInsertRowid } = runStatement(this.#session, statement, params);
      if (!statement.readonly) this.#totalChanges += ran.changes;
      if (lastInsertRowid !== null && statement.shape.verb === 'insert') this.#lastInsertRowid = lastInsertRowid;
      if (statement.shape.verb === 'rollback' || statement.shape.verb === 'rollback-to') this.#rollbacks++;
      this.#changes.noteRun(statement, written, ran.changes);
      return ran;
    } catch (error) {
      this.#changes.noteFailed(statement, written, error);
      throw error;
    } finally {
      this.#changes.settle(wasOpen);
    }
  }

  sendRecords(statement: RemoteStatement, statements: readonly RemoteSql[], goOn: boolean): Sent {
    try {
      const { step_results: results, step_errors: errors } = this.#session.runInTransaction(statements, goOn);
      let changes = 0;
      for (const result of results) {
        changes += result?.affected_row_count ?? 0;
        const rowid = result?.last_insert_rowid;
        if (result?.affected_row_count && rowid) this.#lastInsertRowid = asNumber(BigInt(rowid));
      }
      this.#totalChanges += changes;
      this.#changes.noteRun(statement, this.writtenBy(statement) ?? null, changes);
      return { results, errors };
    } finally {
      this.#changes.settle(true);
    }
  }

  readsOf(sql: string): readonly TableRead[] {
    return this.#schema.copy.readsOf(sql);
  }

  writtenBy({ shape, readonly }: RemoteStatement): readonly string[] | undefined {
    if (readonly) return [];
    return this.#schema.copy.writtenBy(shape) ?? undefined;
  }

  #assertWritable(): void {
    if (this.whyReadOnly !== null) throw AppError.unavailable(`${this.whyReadOnly} Nothing was changed.`);
    this.beforeWriting?.();
  }
}

/** Reads a text that must be one statement. @throws AppError `sql` for none, or several */
function readOne(sql: string): StatementShape {
  const nul = sql.indexOf('\0');
  if (nul >= 0) throw nulCharacterError(nul);
  const shape = readStatement(sql);
  if (shape === null) throw noStatementError(sql.length);
  const rest = skipToStatement(sql, shape.to);
  if (rest < sql.length) throw secondStatementError(rest);
  return shape;
}

function bind({ sql, params }: BoundSql): RemoteSql {
  const shape = readOne(sql);
  return bindText(sql.slice(shape.from, shape.to), shape, params);
}

const SWITCHED_ON = /[=(]\s*['"]?(?:on|yes|true|1)['"]?\s*(?:\)\s*)?;?$/i;

/**
 * Outside of a transaction each statement has a connection of its own on the server, where foreign keys are on; inside one SQLite does not
 * turn them off (sqlite.org/pragma.html#pragma_foreign_keys). A script that believes they are off may delete rows by dropping a table.
 * @throws AppError `unavailable`
 */
function assertSettingHolds({ sql, shape }: RemoteStatement, isInTransaction: boolean): void {
  if (shape.verb !== 'pragma' || !shape.hasValue) return;
  const [name, isOn] = [shape.target?.name.toLowerCase(), SWITCHED_ON.test(sql.trim())];
  if (name === 'foreign_keys' && !isOn) throw wouldBeForgotten('Foreign keys cannot be turned off on a server');
  if (name === 'defer_foreign_keys' && isOn && !isInTransaction)
    throw wouldBeForgotten('Foreign keys can only be deferred inside a transaction');
}

const wouldBeForgotten = (what: string): AppError =>
  AppError.unavailable(
    inParts(
      `${what}: each statement outside of a transaction has a connection of its own there, so the setting would be gone before the next one. If rows are to refer to rows that come later, run PRAGMA defer_foreign_keys = ON after BEGIN.`,
      'Nothing was changed.',
    ),
  );

interface ScriptOwner {
  readonly isOpen: boolean;
  prepareShape(sql: string, shape: StatementShape): RemoteStatement;
}

/** Walks the statements of a script, each found by its tokens and understood alone. */
function remoteScript(owner: ScriptOwner, sql: string, parameters: ScriptParameters): Script {
  return new TextScript(owner, sql, (position) => {
    const shape = readStatement(sql, position);
    if (shape === null) return null;
    const statement = owner.prepareShape(sql, shape);
    if (parameters !== 'bound' && statement.parameterCount > 0)
      statement.bind(parameterValues(statement.sql, shape.from, parameters));
    statement.isOfScript = true;
    statement.from = shape.from;
    statement.to = shape.to;
    return statement;
  });
}

class Listeners {
  readonly #listen: (table: string) => Listening;
  readonly #open = new Set<Listening>();

  constructor(listen: (table: string) => Listening) {
    this.#listen = listen;
  }

  add(table: string): Listening {
    const listening = this.#listen(table);
    this.#open.add(listening);
    return {
      get state() {
        return listening.state;
      },
      get heard() {
        return listening.heard;
      },
      end: () => {
        if (this.#open.delete(listening)) listening.end();
      },
    };
  }

  end(): void {
    for (const listening of this.#open) listening.end();
  }
}

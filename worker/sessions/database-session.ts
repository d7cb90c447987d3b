// An open database: its connection, its queue, the windows that use it, and the events they get.
import { AppError, inParts } from '#shared/protocol/errors.ts';
import type { Durability, LibraryEntry } from '#shared/protocol/library.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { AttachedState, DatabaseState } from '#shared/protocol/session.ts';
import { rowsKey } from '#shared/rows-key.ts';
import type { TransactionChanges } from '../engines/transaction-changes.ts';
import { ChangeFeed, type ChangedTables } from './change-feed.ts';
import { type Clock, QuietTimer } from './clock.ts';
import type { CommitJournal } from './journal.ts';
import { LockWait } from './lock-wait.ts';
import { FirstWrite } from './first-write.ts';
import type { DatabaseUse } from './out-of-memory.ts';
import { PendingTransaction } from './pending-transaction.ts';
import { QueuedWork } from './queued-work.ts';
import type { RestingConnection } from './resting-connection.ts';
import { Scheduler } from './scheduler.ts';
import type { DatabaseSession, WindowSession, WorkRequest } from './session.ts';
import { TransactionOwner } from './transaction-owner.ts';
import type { WorkMonitor } from './work-monitor.ts';
import { WritingHealth } from './writing-health.ts';
import type { Connection } from '../engines/engine.ts';

/** Context that an open database needs from its opener. */
export interface DatabaseContext {
  readonly clock: Clock;
  readonly monitor: WorkMonitor;
  /** The current entry of the catalogue. */
  readonly entryOf: (id: DatabaseId) => Omit<LibraryEntry, 'sizeBytes'>;
  readonly busyElsewhere: (than: DatabaseSession) => boolean;
  /** Explains an error in more detail. Called after the work that failed has ended. */
  readonly explain?: (error: unknown) => unknown;
  /** How long work waits for another program's lock; forever if omitted. */
  readonly lockTimeoutMs?: number;
  /** The user is asked before the first write to it. */
  readonly asksBeforeWriting?: (id: DatabaseId) => boolean;
  readonly onChanges: (id: DatabaseId, changes: ChangedTables) => void;
  readonly onStateChanged: (id: DatabaseId, state: DatabaseState) => void;
  /** The files that are attached to it. */
  readonly attachedTo?: (id: DatabaseId) => readonly AttachedState[];
  /** The extensions in its list. */
  readonly extensionsOf?: (id: DatabaseId) => Pick<DatabaseState, 'extensions' | 'trustsSchema'>;
  /** Keeps the history of what is committed. */
  readonly journal?: (database: DatabaseSession, connection: Connection) => CommitJournal | null;
}

export class OpenDatabase implements DatabaseSession {
  readonly id: DatabaseId;
  readonly windows = new Set<WindowSession>();
  readonly pending: PendingTransaction;
  readonly #resources = new WindowResources();
  readonly #needs = new Set<() => boolean>();
  readonly #connection: RestingConnection;
  readonly #context: DatabaseContext;
  readonly #scheduler: Scheduler<QueuedWork>;
  readonly #owner: TransactionOwner;
  readonly #locks: LockWait;
  readonly #health = new WritingHealth();
  readonly #firstWrite: FirstWrite;
  readonly #feed: ChangeFeed;
  readonly #journal: CommitJournal | null;
  readonly #format: FileFormat;
  #now: QueuedWork | null = null;
  #committed = false;
  /** Some work is paused inside a transaction that it began itself. */
  #pausedOpen = false;
  #usedAtMs: number;
  readonly #checkpoints: Checkpoints;
  /** Copied from the catalogue, because a query there takes longer than a small commit. */
  #name: string;

  constructor(id: DatabaseId, connection: RestingConnection, context: DatabaseContext) {
    this.id = id;
    this.#connection = connection;
    this.#context = context;
    this.#usedAtMs = context.clock.now();
    this.pending = new PendingTransaction(connection);
    this.#owner = new TransactionOwner(id, connection, this.pending);
    this.#locks = new LockWait(connection, context.clock, context.lockTimeoutMs);
    this.#feed = new ChangeFeed(context.clock, (changes) => context.onChanges(id, changes));
    this.#format = new FileFormat(connection);
    this.#name = this.entry.name;
    this.#firstWrite = new FirstWrite(connection, context.asksBeforeWriting?.(id) ?? false);
    this.#checkpoints = new Checkpoints(context.clock, () => this.#checkpoint());
    this.#journal = context.journal?.(this, connection) ?? null;
    connection.onProgress(() => this.#now?.isToInterrupt ?? false);
    connection.onCommit((changes) => this.#onCommit(changes));
    this.#scheduler = new Scheduler<QueuedWork>({
      clock: context.clock,
      busyElsewhere: () => context.busyElsewhere(this),
      inTransaction: () => !connection.autocommit,
      refusal: (work) => this.#refusal(work),
      beforeTurn: (work) => this.#beforeTurn(work),
      afterTurn: (work, ended, error) => this.#afterTurn(work, ended, error),
    });
  }

  get entry(): LibraryEntry {
    return { ...this.#context.entryOf(this.id), sizeBytes: this.#connection.fileSizeBytes };
  }

  get state(): DatabaseState {
    const { entry } = this;
    const owner = this.#owner.window;
    const pending = this.pending.state;
    const attached = this.#context.attachedTo?.(this.id) ?? [];
    const { standIns } = this.#connection;
    return {
      entry,
      durability: entry.durability,
      transaction: owner && pending && { windowId: owner.windowId, windowTitle: owner.windowTitle, ...pending },
      ...this.#format.known,
      writable: this.#health.why === null,
      why: this.#health.why,
      ...(this.#health.isHeld && { readOnly: true }),
      ...(this.asksBeforeWriting && { asksBeforeWriting: true }),
      ...(attached.length > 0 && { attached }),
      ...this.#context.extensionsOf?.(this.id),
      ...(standIns.length > 0 && { standIns }),
    };
  }

  /** A file that nobody can write to is not asked about. */
  get asksBeforeWriting(): boolean {
    return this.#firstWrite.isAwaited && !this.#health.isHeld;
  }

  /** See {@link Connection.commitMark}. */
  get commitMark(): string {
    return this.#connection.commitMark;
  }

  /** Whether commits are still only in the WAL. */
  get checkpoints(): { readonly checkpointed: boolean; readonly lastCheckpointAtMs: number | null } {
    return this.#checkpoints.state;
  }

  get busy(): boolean {
    return !this.#scheduler.idle;
  }

  /** True from {@link rest} until the next use. */
  get isResting(): boolean {
    return this.#connection.isResting && (this.#journal?.isResting ?? true);
  }

  /** Time at which a request last used it. */
  get usedAtMs(): number {
    return this.busy ? this.#context.clock.now() : this.#usedAtMs;
  }

  /** Why it cannot be put to rest; null when only the connection itself may know a reason. */
  get whyOpen(): DatabaseUse | null {
    if (this.#owner.window || !this.#connection.autocommit) return 'transaction';
    if (this.busy) return 'running';
    return [...this.#needs].some((needs) => needs()) ? 'used' : null;
  }

  /** See {@link Connection.memoryBytes}. */
  get memoryBytes(): number | null {
    return this.#connection.memoryBytes;
  }

  use(): void {
    this.#usedAtMs = this.#context.clock.now();
    this.#connection.useCache(true);
  }

  /** See {@link Connection.useCache}. */
  useCache(isUsed: boolean): void {
    this.#connection.useCache(isUsed);
  }

  keepOpenWhile(needs: () => boolean): () => void {
    this.#needs.add(needs);
    return () => void this.#needs.delete(needs);
  }

  /**
   * Closes the file and its history file until the next request; windows, readers and positions in the history stay. Returns false when the
   * database has to stay open.
   */
  rest(): boolean {
    if (this.isResting) return true;
    if (this.whyOpen !== null) return false;
    const mark = this.commitMark;
    if (!this.#connection.rest()) return false;
    if (this.#checkpoints.isDue || this.commitMark !== mark) this.#journal?.checkpointed();
    this.#checkpoints.done();
    this.#journal?.rest();
    return true;
  }

  /** Reopens a resting database because a window is about to show it. Waits for a lock like any work. */
  async wake(window: WindowSession): Promise<void> {
    this.use();
    if (!this.#connection.isResting) return;
    await this.enqueue({ window, kind: 'read', title: `Opening ${this.#name}`, body: () => undefined });
  }

  enqueue<T>(request: WorkRequest<T>): Promise<T> {
    const { clock } = this.#context;
    const work = new QueuedWork(request, { connection: this.#connection, clock, locks: this.#locks });
    const { result, stop } = this.#scheduler.add(work);
    request.onCancel?.(stop);
    const ended = result.finally(() => work.end()) as Promise<T>;
    return ended.catch((error: unknown) => {
      throw this.#context.explain?.(error) ?? error;
    });
  }

  onChanged(listener: (changes: TransactionChanges) => void): () => void {
    return this.#feed.listen(listener);
  }

  onLeave(window: WindowSession, dispose: () => void): () => void {
    return this.#resources.add(window, dispose);
  }

  setDurability(durability: Durability): void {
    this.#connection.setDurability(durability);
  }

  /** Another program has committed something unknown. */
  noteForeignChange(schema: boolean): void {
    this.#feed.publish({ tables: null, schema, log: null });
    this.#journal?.othersCommitted();
  }

  /** Something was committed to a file that is attached; `schema`: its tables may be others now. */
  noteAttachedChange(schema: boolean): void {
    this.#feed.publish({ tables: new Map(), schema: false, log: null, attached: schema ? 'schema' : 'rows' });
  }

  /** Refuses writes with this sentence from now on; null allows them again. */
  holdWrites(why: string | null): void {
    if (this.#health.hold(why)) this.announceState();
  }

  /**
   * The user has said that the file may be changed, or wants to be asked again.
   * @throws AppError `refused`: what has begun to write is not asked about halfway
   */
  allowWriting(isAllowed: boolean): void {
    if (!isAllowed && !this.#firstWrite.isAwaited && this.whyOpen !== null && this.whyOpen !== 'used')
      throw AppError.refused(
        inParts(
          `“${this.#name}” is in use at the moment.`,
          'Its edits go where they went: try again when that is done.',
        ),
      );
    if (this.#firstWrite.allow(isAllowed)) this.announceState();
  }

  announceState(): void {
    const { state } = this;
    this.#name = state.entry.name;
    this.#context.onStateChanged(this.id, state);
  }

  /** Ends the window's work here, frees its resources and rolls its transaction back. */
  leave(window: WindowSession): void {
    if (!this.windows.delete(window)) return;
    this.#resources.dispose(window);
    const holdsTransaction = this.#owner.window === window || this.#scheduler.taskInTransaction?.lane === window;
    this.#scheduler.dropLane(
      window,
      AppError.disconnected('The window was closed. Its unfinished work was rolled back.'),
    );
    if (holdsTransaction && !this.#connection.autocommit) this.#connection.run('ROLLBACK');
    this.#noteTransaction(window);
  }

  /**
   * Closes the database and leaves one file with everything committed, and an empty WAL. Never throws, because other databases have to be
   * closed too.
   */
  close(): void {
    this.#checkpoints.cancel();
    this.#feed.dispose();
    this.#scheduler.close(AppError.disconnected('The database was closed. Open it again.'));
    try {
      if (!this.#connection.autocommit) this.#connection.run('ROLLBACK');
      this.#connection.checkpoint();
      if (!this.#connection.isResting) this.#journal?.checkpointed();
    } catch {
      // Nothing is lost, whatever the disk says: the WAL is read again at the next open, and what is not committed is not in it.
    }
    this.#journal?.close();
    this.#connection.close();
  }

  #refusal(work: QueuedWork): AppError | null {
    if (work.kind === 'read' || work.decides) return null;
    const refusal = this.#owner.refusal(work.lane, work.kind);
    if (refusal !== null || work.kind === 'file') return refusal;
    return this.#health.refusal() ?? this.#firstWrite.refusal(work, this.#name);
  }

  #beforeTurn(work: QueuedWork): void {
    this.use();
    this.#now = work;
    this.#committed = false;
    work.turnBegins(() =>
      this.#context.monitor.begin({
        window: work.lane,
        databaseName: this.#name,
        title: work.title,
        rowsOf: work.rowsOf === null ? null : rowsKey(this.id, work.rowsOf),
        call: work.call,
      }),
    );
    if (work.kind !== 'write') return;
    if (this.#refusal(work) === null) this.#firstWrite.beforeWrite();
    this.#journal?.turnBegan(work.lane, work.origin);
  }

  #afterTurn(work: QueuedWork, ended: 'no' | 'done' | 'failed', error: unknown): void {
    this.#now = null;
    this.use();
    work.turnEnds();
    if (work.kind === 'write') {
      this.#firstWrite.afterWrite();
      this.#journal?.turnEnded();
    }
    if (ended === 'no') {
      if (!this.#connection.autocommit) this.#pausedOpen = true;
      return;
    }
    if (work.kind === 'write' && this.#health.note(error)) this.announceState();
    if (this.#format.hasChanged(work.origin.sql)) this.announceState();
    this.#noteTransaction(work.lane);
    if (!this.#owner.window) this.#checkpoints.plan();
  }

  #onCommit(changes: TransactionChanges): void {
    this.#committed = true;
    this.#checkpoints.noteCommit();
    this.#feed.publish(changes);
    this.#journal?.committed(changes);
  }

  #noteTransaction(window: WindowSession): void {
    if (this.#scheduler.taskInTransaction) return; // the script that began it may still end it: checked when the script ends
    const { hasChanged, shown } = this.#owner.afterWork(window, this.#committed, this.#pausedOpen);
    this.#pausedOpen = false;
    if (shown) this.#feed.publish({ tables: null, schema: shown === 'schema', log: null });
    if (hasChanged) this.announceState();
  }

  #checkpoint(): void {
    if (this.busy || !this.#connection.autocommit) return; // planned again when the work ends
    try {
      this.#connection.checkpoint();
      this.#checkpoints.done();
      this.#journal?.checkpointed();
    } catch {
      // Nothing is lost: the content stays in the WAL, and the next write reports what is wrong.
    }
  }
}

/** Resources each window uses in a database, to be freed when the window leaves it. */
class WindowResources {
  readonly #byWindow = new Map<WindowSession, Set<() => void>>();

  /** Returns a function for when the resource has been freed earlier. */
  add(window: WindowSession, dispose: () => void): () => void {
    const disposers = this.#byWindow.get(window) ?? new Set();
    this.#byWindow.set(window, disposers);
    disposers.add(dispose);
    return () => void disposers.delete(dispose);
  }

  dispose(window: WindowSession): void {
    for (const dispose of this.#byWindow.get(window) ?? []) dispose();
    this.#byWindow.delete(window);
  }
}

interface Format {
  readonly journalMode: string;
  /** In bytes. */
  readonly pageSize: number;
}

/** How a database is stored in its file, which its SQL may change. */
class FileFormat {
  readonly #connection: Pick<Connection, 'one'>;
  #known: Format;

  constructor(connection: Pick<Connection, 'one'>) {
    this.#connection = connection;
    this.#known = this.#read();
  }

  get known(): Format {
    return this.#known;
  }

  /** Call after a text has run. Returns whether the format is another one now. */
  hasChanged(sql: string | null): boolean {
    if (sql === null || !/journal_mode|page_size|vacuum/i.test(sql)) return false;
    const { journalMode, pageSize } = this.#known;
    try {
      this.#known = this.#read();
    } catch (error) {
      // Another program has locked the file: it is asked again after the next such text.
      if (!(error instanceof AppError)) throw error;
    }
    return this.#known.journalMode !== journalMode || this.#known.pageSize !== pageSize;
  }

  #read(): Format {
    return {
      journalMode: String(this.#connection.one('PRAGMA journal_mode')?.[0] ?? 'unknown'),
      pageSize: Number(this.#connection.one('PRAGMA page_size')?.[0] ?? 0),
    };
  }
}

/** After this much quiet the WAL is moved into the file, so that it stays small and the next start has nothing to recover. */
const IDLE_CHECKPOINT_MS = 2000;

/**
 * Tracks whether the WAL of one database holds commits that its file does not, and when it is quiet enough to move them into the file.
 */
class Checkpoints {
  readonly #timer: QuietTimer;
  #isDue = false;
  #lastAtMs: number | null = null;

  /** @param move called when it is quiet; the caller reports success with {@link done} */
  constructor(clock: Clock, move: () => void) {
    this.#timer = new QuietTimer(clock, IDLE_CHECKPOINT_MS, move);
  }

  get isDue(): boolean {
    return this.#isDue;
  }

  get state(): { readonly checkpointed: boolean; readonly lastCheckpointAtMs: number | null } {
    return { checkpointed: !this.#isDue, lastCheckpointAtMs: this.#lastAtMs };
  }

  noteCommit(): void {
    this.#isDue = true;
  }

  /** Called after each piece of work: it is not quiet yet. */
  plan(): void {
    if (this.#isDue) this.#timer.poke();
  }

  /** Everything is in the file. */
  done(): void {
    if (this.#isDue) this.#lastAtMs = Date.now();
    this.#isDue = false;
    this.#timer.cancel();
  }

  cancel(): void {
    this.#timer.cancel();
  }
}

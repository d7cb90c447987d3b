// The session that handlers receive for a window that works on files in place.
import type { StandIn } from '#shared/stand-ins.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { FileToken } from '#shared/protocol/files.ts';
import type { Durability, LibraryEntry } from '#shared/protocol/library.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { EngineInfo } from '#shared/protocol/session.ts';
import type { HistoryKeeper } from '../library/context.ts';
import { exportDatabase, readDatabase, type ExportContext } from '../library/export.ts';
import type { Connection } from '../engines/engine.ts';
import type { Attachments } from './attachments.ts';
import { claimantOf } from './history-claims.ts';
import { filesOf } from '../library/files.ts';
import type { ProgressCall } from '../library/long-work.ts';
import type { ScratchDatabase } from '../library/scratch.ts';
import { OpenDatabase } from '../sessions/database-session.ts';
import { detachedFrom, type OperationSession } from '../sessions/session.ts';
import { isLock, stoppedWaiting, waitedTooLong } from '../sessions/lock-wait.ts';
import type { StandIns } from '../engines/stand-ins/stand-ins.ts';
import type { ClientWindow } from '../sessions/window-session.ts';
import { closeSourcesOf } from '../transfer/opened-sources.ts';
import type { ScratchStore } from '../transfer/scratch.ts';
import type { RunningWork } from '../sessions/work-monitor.ts';

/** Each try may take 20 ms in which nothing else is done here. */
const TRY_EVERY_MS = 100;

export interface InPlaceContext extends ExportContext {
  readonly engine: EngineInfo;
  /** Whether it was opened in place in this window. */
  isOf(windowId: string, database: DatabaseId): boolean;
  /** Missing where no files can be attached: in a process of its own for one file. */
  readonly attachments?: Pick<Attachments, 'add' | 'remove'>;
  /** Missing where none can be defined: on a server. */
  readonly standIns?: Pick<StandIns, 'prepare'>;
  setDurability(database: DatabaseId, durability: Durability): void;
  walSizeOf(database: DatabaseId): number;
  /** Keeps history for a comparison copy that is about to be opened: commits to it are measured. */
  keepHistoryOf(comparisonCopy: DatabaseId): void;
  /** Drops it for a comparison copy that is closed. */
  forgetHistoryOf(comparisonCopy: DatabaseId): void;
  /** Reports whether Stop was pressed while a database is being opened; null once it is open. */
  readonly opening?: (isStopped: (() => boolean) | null) => void;
  /** The programs that have it locked, as text. */
  lockHoldersOf(database: DatabaseId): string;
  readonly histories: HistoryKeeper;
  openScratch(): ScratchDatabase;
  /** How long to wait for another program's lock. */
  readonly lockTimeoutMs: number;
  readonly scratchStore: ScratchStore;
}

export class InPlaceSession implements OperationSession {
  readonly window: ClientWindow;
  readonly #context: InPlaceContext;
  #ended = false;

  constructor(window: ClientWindow, context: InPlaceContext) {
    this.window = window;
    this.#context = { ...context, files: filesOf(context.files, window) };
  }

  get engine(): EngineInfo {
    return this.#context.engine;
  }

  /** The parts used by the operations of the history and of imports. */
  get library(): Pick<InPlaceContext, 'files' | 'histories' | 'monitor' | 'clock'> {
    return this.#context;
  }

  get scratchStore(): ScratchStore {
    return this.#context.scratchStore;
  }

  database(id: DatabaseId): OpenDatabase {
    return this.#context.databases.of(this.window, id);
  }

  /**
   * Another program may have the file locked for reading: it is waited for, and Stop ends that. One try can take long too (a log that
   * was left behind, a schema that was made to): windows see it, and that it holds up all others.
   */
  async open(id: DatabaseId, call: number, standIns: readonly StandIn[] = []): Promise<OpenDatabase> {
    this.#assertOpened(id);
    await this.#context.standIns?.prepare(id, standIns);
    const running = this.#beginOpening(id, call);
    const { clock, lockTimeoutMs } = this.#context;
    const beganAtMs = clock.now();
    try {
      for (;;) {
        // A pending open would never be closed after the window is gone.
        if (this.#ended) throw AppError.disconnected('The window was closed.');
        running.resumes();
        const outcome = this.#tryToOpen(id, running);
        running.pauses();
        if (outcome instanceof OpenDatabase) return outcome;
        if (clock.now() - beganAtMs >= lockTimeoutMs) throw waitedTooLong(outcome.holders);
        running.waitFor(outcome.holders);
        await new Promise<void>((resolve) => void clock.after(TRY_EVERY_MS, resolve));
        if (running.stopRequested) throw stoppedWaiting(outcome.holders);
      }
    } finally {
      running.end();
    }
  }

  #tryToOpen(id: DatabaseId, running: RunningWork): OpenDatabase | { readonly holders: string } {
    this.#context.opening?.(() => running.stopRequested);
    try {
      return this.#context.databases.join(this.window, id);
    } catch (error) {
      if (!isLock(error)) throw error;
      return { holders: claimantOf(error) ?? this.#context.lockHoldersOf(id) };
    } finally {
      this.#context.opening?.(null);
    }
  }

  #beginOpening(id: DatabaseId, call: number): RunningWork {
    const { name } = this.#context.catalogue.entry(id);
    return this.#context.monitor.begin({ window: this.window, databaseName: name, title: `Opening ${name}`, call });
  }

  show(ids: readonly DatabaseId[]): Promise<void> {
    return this.#context.databases.show(this.window, ids);
  }

  close(id: DatabaseId): void {
    this.#context.databases.leave(this.window, id);
  }

  async setDurability(id: DatabaseId, durability: Durability): Promise<LibraryEntry> {
    const database = this.database(id);
    // Queued, because SQLite changes `synchronous` only outside a transaction.
    await database.enqueue({
      window: detachedFrom(this.window),
      kind: 'file',
      title: 'Changing durability',
      body: ({ connection }) => connection.setDurability(durability),
    });
    this.#context.setDurability(id, durability);
    database.announceState();
    return database.entry;
  }

  attach(id: DatabaseId, name: string, file: DatabaseId): Promise<null> {
    this.#attachments();
    this.#assertOpened(file);
    const { name: fileName } = this.#context.catalogue.entry(file);
    return this.#changeAttached(id, `Attaching ${fileName}`, (attachments, connection) =>
      attachments.add(id, connection, name, file),
    );
  }

  detach(id: DatabaseId, name: string): Promise<null> {
    return this.#changeAttached(id, `Detaching ${name}`, (attachments, connection) =>
      attachments.remove(id, connection, name),
    );
  }

  /** Queued, because it is done only outside a transaction. */
  async #changeAttached(
    id: DatabaseId,
    title: string,
    change: (attachments: NonNullable<InPlaceContext['attachments']>, connection: Connection) => void,
  ): Promise<null> {
    const attachments = this.#attachments();
    const database = this.database(id);
    const body = ({ connection }: { readonly connection: Connection }): void => change(attachments, connection);
    await database.enqueue({ window: this.window, kind: 'file', title, body });
    database.announceState();
    return null;
  }

  #attachments(): NonNullable<InPlaceContext['attachments']> {
    const { attachments } = this.#context;
    if (attachments) return attachments;
    throw AppError.unavailable(
      'Files can be attached only to a file that is opened in place without extensions: others have a process of their own, which knows no other file.',
    );
  }

  #assertOpened(id: DatabaseId): void {
    if (!this.#context.isOf(this.window.windowId, id))
      throw AppError.notFound('This file is not open in this window. Open it again.');
  }

  openComparisonCopy(id: DatabaseId, call: number, history: boolean): Promise<OpenDatabase> {
    if (history) this.#context.keepHistoryOf(id);
    return this.open(id, call);
  }

  closeComparisonCopy(id: DatabaseId): void {
    this.close(id);
    this.#context.forgetHistoryOf(id);
  }

  walSizeOf(id: DatabaseId): number {
    return this.#context.walSizeOf(id);
  }

  exportFile(params: { readonly database: DatabaseId; readonly sink: FileToken }, call: ProgressCall) {
    return exportDatabase(this.#context, this.window, params, call);
  }

  async scratch(): Promise<ScratchDatabase> {
    return this.#context.openScratch();
  }

  readFile(database: DatabaseId, call: ProgressCall): Promise<Uint8Array> {
    return readDatabase(this.#context, this.window, database, call);
  }

  end(): void {
    this.#ended = true;
    closeSourcesOf(this.window);
    this.#context.databases.leaveAll(this.window);
  }
}

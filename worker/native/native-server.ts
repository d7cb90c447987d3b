// Serves windows for databases that are files in place: owns the engine, the open databases, and the watch on each file.
import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isUnpacked } from '#shared/archives.ts';
import { AppError, toErrorData } from '#shared/protocol/errors.ts';
import { isComparisonCopy } from '#shared/protocol/compare.ts';
import { NATIVE_READERS_FROM, NATIVE_WORKS_FROM } from '#shared/protocol/in-place.ts';
import { ownReadersFrom, ownWorksFrom } from '#shared/protocol/own-process.ts';
import type { DatabaseState } from '#shared/protocol/session.ts';
import type { Durability } from '#shared/protocol/library.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { Port } from '#shared/rpc/port.ts';
import type { Connection, Engine } from '../engines/engine.ts';
import { StandIns } from '../engines/stand-ins/stand-ins.ts';
import { OPENED_READ_ONLY } from '../engines/native/native-engine.ts';
import { lockHolderNames } from '../engines/native/storage/lock-holders.ts';
import { numberReadersFrom, startReadersAt } from '../live/reader-registry.ts';
import { inPlaceHandlers } from './in-place.ts';
import { InPlaceSession, type InPlaceContext } from './in-place-session.ts';
import { SessionServer } from '../sessions/session-server.ts';
import { createClock, type Clock } from '../sessions/clock.ts';
import { OpenDatabases } from '../sessions/open-databases.ts';
import { WorkMonitor } from '../sessions/work-monitor.ts';
import { Attachments } from './attachments.ts';
import { HistoryClaims } from './history-claims.ts';
import { openHistoryFiles } from './history-files.ts';
import { ExtensionCopies } from './extension-copies.ts';
import { endingWith, openScratchFile, scratchFiles } from './transfer-files.ts';
import { FileWatch } from './file-watch.ts';
import { holdForCopy, isReadOnly } from './hold-for-copy.ts';
import { networkDriveOf } from './network-drive.ts';
import type { ServerParts } from './server-thread.ts';
import type { ExtensionState } from '#shared/extensions.ts';
import type { AttachedPath, NativeFile, ThreadData } from '#shared/native-link.ts';

interface Parts extends ServerParts {
  readonly engine: Engine;
  /** Folder for the app's own history. */
  readonly historyFolder: string;
  readonly command?: ThreadData['command'];
  /** In a process of its own for one file, beside which others serve the same windows. */
  readonly ofOwn?: {
    /** Keeps the numbers of its readers and work apart from theirs. */
    readonly slot: number;
    /** Called when the file is opened, and when it is closed. */
    readonly opened: (isOpen: boolean) => void;
  };
}

interface Known extends NativeFile {
  durability: Durability;
  lastUsedAtMs: number;
  readonly networkDrive: string | null;
}

/** In the profile, beside the histories. */
const COPIES_FOLDER = 'copies-of-extensions';

export class NativeServer {
  readonly #engine: Engine;
  readonly #known = new Map<DatabaseId, Known>();
  /** Per window: a page may name only files that were opened in its own window. */
  readonly #ofWindows = new Map<string, Set<DatabaseId>>();
  /** As they were when the connection was opened last. */
  readonly #extensions = new Map<DatabaseId, readonly ExtensionState[]>();
  readonly #copies: ExtensionCopies;
  readonly #standIns = new StandIns();
  readonly #watches = new Map<DatabaseId, FileWatch>();
  readonly #clock: Clock = createClock();
  readonly #attachments = new Attachments({
    clock: this.#clock,
    fileOf: (id) => this.#file(id),
    changed: (id, schema) => this.#databases.find(id)?.noteAttachedChange(schema),
  });
  readonly #opened: (isOpen: boolean) => void;
  readonly #databases: OpenDatabases;
  readonly #server: SessionServer<InPlaceSession>;

  constructor({ engine, files, historyFolder, workStatus, onBusy, command, ofOwn }: Parts) {
    this.#engine = engine;
    this.#opened = ofOwn?.opened ?? (() => undefined);
    if (ofOwn) startReadersAt(ownReadersFrom(ofOwn.slot, Date.now()));
    else numberReadersFrom(NATIVE_READERS_FROM);
    this.#copies = new ExtensionCopies(join(dirname(historyFolder), COPIES_FOLDER));
    const clock = this.#clock;
    const histories = openHistoryFiles(historyFolder, { engine, clock, keeps: !command && !ofOwn });
    const claims = new HistoryClaims(historyFolder, command ? 'command' : 'app');
    const measured = new Set<DatabaseId>();
    const monitor = new WorkMonitor(workStatus, clock, onBusy, ofOwn ? ownWorksFrom(ofOwn.slot) : NATIVE_WORKS_FROM);
    this.#databases = new OpenDatabases(
      {
        clock,
        monitor,
        ...(command && { lockTimeoutMs: command.lockTimeoutMs }),
        entryOf: (id) => this.#entry(id),
        attachedTo: (id) => this.#attachments.of(id),
        extensionsOf: (id) => this.#extensionsOf(id),
        asksBeforeWriting: (id) => this.#file(id).asksBeforeWriting === true,
        onChanges: (database, { tables, schema }) =>
          this.#server.broadcast('database.changed', { database, tables, schema }),
        onStateChanged: (database, state) => this.#server.broadcast('database.stateChanged', { database, state }),
        staysOpen: isComparisonCopy,
        journal: (database, connection) =>
          keepsNoHistory(database.id, measured) || isReadOnly(connection)
            ? null
            : claims.journal(database.id, () => histories.journalOf(database, connection)),
      },
      (id) => this.#connect(id),
    );
    const context: InPlaceContext = {
      databases: this.#databases,
      engine: engine.info,
      catalogue: { entry: (id) => this.#entry(id) },
      isOf: (windowId, id) => this.#ofWindows.get(windowId)?.has(id) ?? false,
      ...(!ofOwn && { attachments: this.#attachments }),
      standIns: this.#standIns,
      files,
      histories,
      scratchStore: scratchFiles(engine),
      monitor,
      clock,
      hold: holdForCopy,
      openScratch: () => openScratchFile(engine),
      lockTimeoutMs: command?.lockTimeoutMs ?? Infinity,
      walSizeOf: (id) => statSync(`${this.#file(id).path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
      lockHoldersOf: (id) => lockHolderNames(this.#file(id).path) ?? 'another program',
      keepHistoryOf: (comparisonCopy) => void measured.add(comparisonCopy),
      forgetHistoryOf(comparisonCopy) {
        if (measured.delete(comparisonCopy)) histories.forget(comparisonCopy);
      },
      setDurability: (id, durability) => void (this.#file(id).durability = durability),
    };
    this.#server = new SessionServer<InPlaceSession>(
      inPlaceHandlers,
      { engine: engine.info, crossOriginIsolated: false },
      (window) => new InPlaceSession(window, context),
    );
  }

  /**
   * Allows this window to open it. A file that waits for its first edit can still become read-only, in all windows. Returns false if the
   * file is to be read-only and may be changed already: then nothing changes.
   */
  addFile(file: NativeFile, windowId: string): boolean {
    const open = this.#databases.find(file.database);
    if (file.readOnly && open && !open.asksBeforeWriting && !open.state.readOnly) return false;
    const ofWindow = this.#ofWindows.get(windowId) ?? new Set();
    this.#ofWindows.set(windowId, ofWindow.add(file.database));
    const durability = this.#known.get(file.database)?.durability ?? 'full';
    const networkDrive = networkDriveOf(file.path);
    this.#known.set(file.database, { ...file, durability, lastUsedAtMs: Date.now(), networkDrive });
    if (file.readOnly) open?.holdWrites(file.whyReadOnly ?? OPENED_READ_ONLY);
    return true;
  }

  serve(windowId: string, port: Port): void {
    this.#server.serve(windowId, port);
  }

  /** Rolls back open transactions and closes all files. */
  settle(): void {
    this.#server.endAll();
    this.#databases.closeAll();
  }

  #connect(id: DatabaseId): Connection {
    const {
      path,
      durability,
      readOnly = false,
      whyReadOnly,
      create = false,
      attached = [],
      extensions = [],
      trustsSchema,
    } = this.#file(id);
    const reason = whyReadOnly !== undefined && { whyReadOnly };
    const trust = trustsSchema && { trustsSchema };
    const connection = this.#engine.open(path, {
      durability,
      readOnly,
      ...reason,
      create,
      extensions: extensions.map((extension) => this.#copies.take(extension)),
      ...trust,
      standIns: this.#standIns.of(id),
    });
    attachAll(connection, attached);
    const isOtherwise = this.#noteExtensions(id, connection);
    // What is told of a database while it is being opened is not complete.
    if (this.#attachments.attachAll(id, connection) || isOtherwise)
      this.#clock.after(0, () => this.#databases.find(id)?.announceState());
    const watch = new FileWatch(path, connection, this.#clock, {
      changed: (schema) => this.#databases.find(id)?.noteForeignChange(schema),
      held: (why) => this.#databases.find(id)?.holdWrites(why ?? (this.#file(id).readOnly ? OPENED_READ_ONLY : null)),
    });
    this.#watches.set(id, watch);
    this.#opened(true);
    return endingWith(connection, () => {
      watch.end();
      this.#attachments.end(id);
      this.#watches.delete(id);
      this.#opened(this.#watches.size > 0);
    });
  }

  #extensionsOf(id: DatabaseId): Pick<DatabaseState, 'extensions' | 'trustsSchema'> {
    const extensions = this.#extensions.get(id) ?? [];
    if (extensions.length === 0) return {};
    return { extensions, ...(this.#file(id).trustsSchema && { trustsSchema: true }) };
  }

  /** Returns whether it is otherwise than with the connection before. */
  #noteExtensions(id: DatabaseId, { extensions = [] }: Connection): boolean {
    const now = extensions.map(({ state }) => state);
    const isOtherwise = this.#extensions.has(id) && JSON.stringify(this.#extensions.get(id)) !== JSON.stringify(now);
    this.#extensions.set(id, now);
    return isOtherwise;
  }

  #file(id: DatabaseId): Known {
    const file = this.#known.get(id);
    if (file) return file;
    throw AppError.notFound('This file is no longer open. Open it again.');
  }

  #entry(id: DatabaseId) {
    const { fileName, displayPath, locationId, durability, lastUsedAtMs, networkDrive } = this.#file(id);
    const index = { fileName, displayPath, locationId, importedAtMs: lastUsedAtMs };
    const source = networkDrive === null ? index : { ...index, networkDrive };
    return { id, name: fileName, lastUsedAtMs, durability, source };
  }
}

/** A comparison copy keeps its history only if the history is what is measured; an unpacked file and a read-only one are not written to. */
const keepsNoHistory = (id: DatabaseId, measured: ReadonlySet<DatabaseId>): boolean =>
  isUnpacked(id) || (isComparisonCopy(id) && !measured.has(id));

/** All or none: then the connection is closed. @throws AppError */
function attachAll(connection: Connection, files: readonly AttachedPath[]): void {
  for (const { name, path, isWritable } of files) {
    try {
      connection.attach!({ name, location: path, isWritable });
    } catch (thrown) {
      connection.close();
      const error = toErrorData(thrown);
      const message = `“${basename(path)}” could not be attached. ${error.message}`;
      throw new AppError({ ...error, message, detail: { ...error.detail, attached: name } });
    }
  }
}

// For tests: databases with their histories, behind the real sessions and handlers; closed, opened and cut off at will.
import type { Operations } from '#shared/protocol/index.ts';
import type { Durability, LibraryEntry } from '#shared/protocol/library.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { HistoryState } from '#shared/protocol/history.ts';
import type { Events } from '#shared/protocol/session.ts';
import { dumpDatabase } from '../engines/contract/dump.test-suite.ts';
import type { Connection } from '../engines/engine.ts';
import type { TransactionChanges } from '../engines/transaction-changes.ts';
import type { Kept } from '../engines/wasm/faults/fault.test-suite.ts';
import { historyOf } from '../history/histories.ts';
import type { Histories } from '../history/histories.ts';
import type { History } from '../history/history.ts';
import type { FileClient } from '../library/files.ts';
import { fakeClock } from '../sessions/fake-clock.test-suite.ts';
import { OpenDatabases } from '../sessions/open-databases.ts';
import type { ScratchStore } from '../transfer/scratch.ts';
import { ClientWindow } from '../sessions/window-session.ts';
import { WorkMonitor } from '../sessions/work-monitor.ts';
import { WorkStatusBuffer } from '../threads/work-status-buffer.ts';
import { cellHandlers } from './cell.ts';
import { editHandlers } from './edit.ts';
import { healthHandlers } from './health.ts';
import { historyHandlers } from './history.ts';
import { importHandlers } from './import.ts';
import { indexLabHandlers } from './index-lab.ts';
import { transferHandlers } from './transfer.ts';
import { lab, libraryDisk } from './history-disks.test-suite.ts';
import type { HistoryDisk } from './history-disks.test-suite.ts';
import { queryHandlers } from './query.ts';
import { runScript } from './database-fixture.test-suite.ts';
import { sampleRowsHandlers } from './sample-rows.ts';
import { schemaChangeHandlers } from './schema-change.ts';

const handlers = {
  ...cellHandlers,
  ...editHandlers,
  ...queryHandlers,
  ...historyHandlers,
  ...importHandlers,
  ...sampleRowsHandlers,
  ...schemaChangeHandlers,
  ...transferHandlers,
  ...healthHandlers,
  ...indexLabHandlers,
};
type Handled = keyof typeof handlers & keyof Operations;
type Params<K extends Handled> = Omit<Operations[K]['params'], 'database'>;

/** Tables with keys of every kind, a check, a reference, and a trigger that writes. */
export const KEYED_TABLES = `
  CREATE TABLE t (id INTEGER PRIMARY KEY, a, b TEXT UNIQUE, n INTEGER CHECK (n < 100));
  INSERT INTO t VALUES (1, 'one', 'x', 1), (2, 'two', 'y', 2), (3, 'three', 'z', 3);
  CREATE TABLE w (k TEXT, l INTEGER, v, PRIMARY KEY (k, l)) WITHOUT ROWID;
  INSERT INTO w VALUES ('a', 1, 'first'), ('a', 2, 'second');
  CREATE TABLE child (id INTEGER PRIMARY KEY, t REFERENCES t (id));
  CREATE TABLE log (what);
  CREATE TRIGGER noted AFTER UPDATE OF a ON t BEGIN INSERT INTO log VALUES (old.a); END;`;

export class HistoryFixture {
  /** Disk of the library. */
  readonly disk = lab.disk;
  readonly pool = lab.pool;
  readonly clock = fakeClock();
  readonly workStatus = new WorkStatusBuffer();
  readonly settings = new Map<string, string>();
  /** Files the user chose, by token. */
  readonly files = new Map<string, Uint8Array>();
  /** Bytes from this offset on never arrive. */
  filesAnswerTo = Infinity;
  readonly told: HistoryState[] = [];
  durability: Durability = 'full';
  readonly on: HistoryDisk;
  /** Scratch store for files of tables. */
  scratchStore: ScratchStore | null = null;
  readonly #monitor = new WorkMonitor(this.workStatus, this.clock, () => undefined);
  #databases: OpenDatabases;
  #histories: Histories;
  #one: ClientWindow;
  #calls: { canceled: boolean; readonly listeners: (() => void)[] }[] = [];

  constructor(sql = '', on = libraryDisk) {
    this.on = on;
    on.start();
    const connection = on.connect('full');
    runScript(connection, sql);
    connection.checkpoint();
    connection.close();
    [this.#databases, this.#histories] = this.#start();
    this.#one = this.newWindow('Window 1');
  }

  get connection(): Connection {
    return historyOf(this.#databases.of(this.#one, this.on.id)).connection;
  }

  get history(): History {
    return historyOf(this.#databases.of(this.#one, this.on.id));
  }

  /** Adds a listener. Returns the function that removes it. */
  onChanged(listener: (changes: TransactionChanges) => void): () => void {
    return this.#databases.of(this.#one, this.on.id).onChanged(listener);
  }

  get dump(): string {
    return dumpDatabase(this.connection);
  }

  get state(): HistoryState {
    return this.history.state;
  }

  newWindow(name: string): ClientWindow {
    const window = new ClientWindow(name, <T extends keyof Events>(topic: T, value: Events[T]): void => {
      if (topic === 'history.changed') this.told.push((value as Events['history.changed']).state);
    });
    window.introduce(name);
    this.#databases.join(window, this.on.id);
    return window;
  }

  async call<K extends Handled>(
    operation: K,
    params: Params<K>,
    by = this.#one,
    emitted: (chunk: unknown) => void = () => undefined,
  ): Promise<Operations[K]['reply']> {
    const call = { canceled: false, listeners: [] as (() => void)[] };
    this.#calls.push(call);
    const context = {
      id: 1,
      session: {
        window: by,
        scratchStore: this.scratchStore,
        database: (id: DatabaseId) => this.#databases.of(by, id),
        library: { files: this.#fileClient(), histories: this.#histories, monitor: this.#monitor, clock: this.clock },
      },
      emit: async (chunk: unknown) => emitted(chunk),
      get canceled() {
        return call.canceled;
      },
      onCancel: (listener: () => void) => (call.canceled ? listener() : void call.listeners.push(listener)),
    };
    const handler = handlers[operation] as unknown as (params: unknown, context: unknown) => unknown;
    return (await handler({ ...params, database: this.on.id }, context)) as Operations[K]['reply'];
  }

  run(sql: string, by = this.#one): Promise<Operations['query.run']['reply']> {
    return this.call('query.run', { sql }, by);
  }

  undo(): Promise<Operations['history.undo']['reply']> {
    return this.call('history.undo', {});
  }

  redo(): Promise<Operations['history.redo']['reply']> {
    return this.call('history.redo', {});
  }

  async steps(): Promise<Operations['history.list']['reply']['steps']> {
    return (await this.call('history.list', { before: null, limit: 1000 })).steps;
  }

  cancelAll(): void {
    for (const call of this.#calls.splice(0)) {
      call.canceled = true;
      for (const listener of call.listeners) listener();
    }
  }

  leave(window: ClientWindow): void {
    this.#databases.leave(window, this.on.id);
  }

  /** Closes everything as at the end of the app. */
  close(): void {
    this.#databases.closeAll();
  }

  reopen(): void {
    this.close();
    this.open();
  }

  open(): void {
    [this.#databases, this.#histories] = this.#start();
    this.#one = this.newWindow('Window 1');
  }

  /** Turns the machine off at once, and starts it again; `kept`: what had not been flushed. */
  cutPower(kept: Kept): void {
    lab.disk.turnOff();
    this.close();
    lab.disk.restart(kept);
    this.open();
  }

  #start(): [OpenDatabases, Histories] {
    const { clock, settings } = this;
    const histories = this.on.openHistories(clock, {
      getState: (key) => settings.get(key) ?? null,
      putState: (key, value) => void settings.set(key, value ?? ''),
    });
    const context = {
      clock,
      monitor: this.#monitor,
      entryOf: () =>
        ({ id: this.on.id, name: 'Test', durability: this.durability, source: null }) as unknown as LibraryEntry,
      onChanges: () => undefined,
      onStateChanged: () => undefined,
      journal: histories.journalOf,
    };
    return [new OpenDatabases(context, () => this.on.connect(this.durability)), histories];
  }

  #fileClient(): FileClient {
    const operations: Record<
      string,
      (params: { token: string; offset: number; length: number; bytes: Uint8Array }) => unknown
    > = {
      'file.info': ({ token }) => ({
        fileName: token.includes('.') ? token : `${token}.changeset`,
        sizeBytes: this.files.get(token)!.length,
        modifiedAtMs: 0,
        walSizeBytes: 0,
        journalSizeBytes: 0,
      }),
      'file.read': ({ token, offset, length }) =>
        offset < this.filesAnswerTo
          ? this.files.get(token)!.slice(offset, offset + length)
          : new Promise(() => undefined),
      'file.write': ({ token, bytes }) => {
        this.files.set(token, new Uint8Array([...(this.files.get(token) ?? []), ...bytes]));
        return null;
      },
      'file.close': () => ({ backup: null }),
    };
    return { call: async (name: string, params: never) => operations[name]!(params) } as unknown as FileClient;
  }
}

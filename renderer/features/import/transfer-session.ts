// State of a tab that imports tables, which lives as long as the tab: the file as read, the choices, the import itself.
import { create, type StoreApi, type UseBoundStore } from 'zustand';
import { capabilitiesOf, toAppError } from '#shared/protocol/index.ts';
import type { DatabaseId, ImportSource, SqlDialect, TransferContents, Progress } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { notifyFailure, closeDatabase, openDatabase, refreshLibrary } from '../../state/databases.ts';
import { notify, useStore } from '../../state/store.ts';
import { UndoWaiver } from '../../workbench/history/undo-waiver.ts';
import { LatestCall } from '../../workbench/latest-call.ts';
import { lastStep, nameForNew } from './import-run.ts';
import { tableNames } from './table-names.ts';
import { firstChoices, isWhole, planOf } from '#shared/import/transfer-choices.ts';
import type { TableChoice, TransferChoices } from '#shared/import/transfer-choices.ts';
import { transferSummary } from './import-summary.ts';
import { firstTransferView, type TransferView, type TransferOutcome } from './transfer-view.ts';

/** The engine that reads the tables: the one with the database, because it also moves them. */
const readBy = (database: DatabaseId | null): { readonly database?: DatabaseId } =>
  database !== null && capabilitiesOf(database).inPlace ? { database } : {};

interface Opened {
  readonly id: string;
  readonly engine: { readonly database?: DatabaseId };
}

export class TransferSession {
  readonly #tabId: string;
  readonly #source: ImportSource;
  readonly useView: UseBoundStore<StoreApi<TransferView>>;
  #opened: Opened | null = null;
  readonly #reading = new LatestCall();
  readonly #waiver = new UndoWaiver();
  #abort: AbortController | null = null;
  #disposed = false;

  constructor(tabId: string, source: ImportSource, fileName: string, database: DatabaseId | null) {
    this.#tabId = tabId;
    this.#source = source;
    this.useView = create(() => firstTransferView(fileName, database));
    void this.#read();
  }

  get #view(): TransferView {
    return this.useView.getState();
  }

  async setReading(change: { readonly dialect?: SqlDialect | null; readonly encoding?: string | null }): Promise<void> {
    this.#patch({ ...change, outcome: null });
    await this.#read();
  }

  async setDatabase(database: DatabaseId | null): Promise<void> {
    const before = this.#view.database;
    this.#patch({ database, problem: null });
    const { contents } = this.#view;
    // Rows of tables that the file does not define may be for those of this database.
    const hasTables =
      contents !== null && contents.objects.every(({ isUndefined }) => !isUndefined) && !contents.sql?.notUnderstood;
    if (hasTables && readBy(before).database === readBy(database).database) await this.#readNames();
    else await this.#read();
  }

  setDatabaseName(databaseName: string): void {
    this.#patch({ databaseName });
  }

  setChoices(change: Partial<TransferChoices>): void {
    this.#patch({ choices: { ...this.#view.choices, ...change } });
  }

  setTable(at: number, change: Partial<Pick<TableChoice, 'isChosen' | 'into' | 'how'>>): void {
    this.setChoices({
      tables: this.#view.choices.tables.map((choice, index) => (index === at ? { ...choice, ...change } : choice)),
    });
  }

  chooseAll(isChosen: boolean): void {
    this.setChoices({
      tables: this.#view.choices.tables.map((choice) => ({ ...choice, isChosen: isChosen && choice.problem === null })),
    });
  }

  async run(): Promise<void> {
    if (this.#view.running || !this.#view.contents) return;
    const abort = new AbortController();
    this.#abort = abort;
    this.#patch({
      problem: null,
      running: { startedAtMs: performance.now(), progress: null, stopping: false },
    });
    try {
      const outcome = await transfer(this.#view, {
        signal: abort.signal,
        waiver: this.#waiver,
        onProgress: (progress) => this.#view.running && this.#patch({ running: { ...this.#view.running, progress } }),
      });
      this.#patch({ outcome });
      if (useStore.getState().activeTabId !== this.#tabId)
        notify({ tone: outcome.problems > 0 ? 'warning' : 'success', text: transferSummary(outcome) });
    } catch (thrown) {
      const { code, message } = toAppError(thrown);
      this.#patch({ problem: code === 'stopped' ? 'Stopped. Nothing was imported.' : message });
      if (useStore.getState().activeTabId !== this.#tabId) notifyFailure(thrown);
    } finally {
      this.#abort = null;
      this.#patch({ running: null });
      if (this.#disposed) this.#close();
    }
  }

  stop(): void {
    const { running, reading } = this.#view;
    if (running) this.#patch({ running: { ...running, stopping: true } });
    this.#abort?.abort();
    if (!reading) return;
    this.#reading.stop();
    this.#patch({ reading: null, failure: 'Reading the file was stopped. Nothing was imported.' });
  }

  noteUndone(): void {
    const { outcome } = this.#view;
    if (outcome) this.#patch({ outcome: { ...outcome, isUndone: true } });
  }

  async backToChoices(): Promise<void> {
    const wasKept = this.#view.outcome?.isNewDatabase === true;
    this.#patch({ outcome: null });
    if (wasKept) await this.#read();
    else await this.#readNames();
  }

  readAgain(): Promise<void> {
    return this.#read();
  }

  dispose(): void {
    this.#disposed = true;
    this.#reading.stop();
    if (!this.#abort) this.#close();
  }

  async #read(): Promise<void> {
    this.#close();
    const { dialect, encoding, database } = this.#view;
    const engine = readBy(database);
    this.#patch({ failure: null, reading: { startedAtMs: performance.now(), progress: null, stopping: false } });
    try {
      const opened = await this.#reading.run(async (signal) => {
        const contents = await client.call(
          'transfer.open',
          { ...engine, source: this.#source, dialect, encoding, ...(database !== null && { into: database }) },
          {
            signal,
            onChunk: (progress) => {
              const { reading } = this.#view;
              if (!signal.aborted && reading) this.#patch({ reading: { ...reading, progress } });
            },
          },
        );
        // It was aborted while it answered.
        if (signal.aborted) close({ id: contents.id, engine });
        return contents;
      });
      if (opened) await this.#show(opened.value, engine);
    } catch (thrown) {
      this.#patch({ reading: null, contents: null, failure: toAppError(thrown).message });
    }
  }

  async #show(contents: TransferContents, engine: Opened['engine']): Promise<void> {
    this.#opened = { id: contents.id, engine };
    if (this.#disposed) return this.#close();
    this.#patch({ contents, reading: null });
    await this.#readNames();
  }

  /** Reads the names in the database, which determine what is new there. */
  async #readNames(): Promise<void> {
    const { database, contents } = this.#view;
    const taken = database === null ? [] : await tableNames(database);
    if (database === this.#view.database && contents) this.#patch({ taken, choices: firstChoices(contents, taken) });
  }

  #close(): void {
    if (this.#opened) close(this.#opened);
    this.#opened = null;
  }

  #patch(part: Partial<TransferView>): void {
    this.useView.setState(part);
  }
}

/** Otherwise, it ends with the connection. */
function close({ id, engine }: Opened): void {
  void client.call('transfer.close', { ...engine, id }).catch(() => undefined);
}

// The import of tables itself: into an existing or a new database, and its result.

interface RunOptions {
  readonly signal: AbortSignal;
  readonly waiver: UndoWaiver;
  readonly onProgress: (progress: Progress) => void;
}

/** @throws AppError; then nothing was imported, and a database created for it is gone */
async function transfer(view: TransferView, options: RunOptions): Promise<TransferOutcome> {
  if (view.database !== null) return await moveInto(view.database, view, options);
  if (isWhole(view.choices)) return await keepWhole(view, options);
  const entry = await client.call('library.create', { name: nameForNew(view.databaseName) });
  try {
    if (!(await openDatabase(entry.id))) throw toAppError(new Error('The new database could not be opened.'));
    return { ...(await moveInto(entry.id, view, options)), isNewDatabase: true };
  } catch (thrown) {
    await closeDatabase(entry.id);
    await client.call('library.delete', { database: entry.id }).catch(() => undefined); // it is empty, and can be deleted by hand
    await refreshLibrary().catch(() => undefined);
    throw thrown;
  }
}

async function moveInto(
  database: DatabaseId,
  { contents, choices }: TransferView,
  { signal, waiver, onProgress }: RunOptions,
): Promise<TransferOutcome> {
  const plan = planOf(choices);
  const reply = await waiver.run((withoutUndo) =>
    client.call('transfer.move', { database, id: contents!.id, plan, ...withoutUndo }, { signal, onChunk: onProgress }),
  );
  return { ...reply, ...placeOf(database), isNewDatabase: false, steps: await lastStep(database), isUndone: false };
}

/** Keeps the database that the contents were read into. */
async function keepWhole(
  { contents, databaseName, choices }: TransferView,
  { signal, onProgress }: RunOptions,
): Promise<TransferOutcome> {
  const started = performance.now();
  const kept = { id: contents!.id, name: nameForNew(databaseName) };
  const entry = await client.call('transfer.keep', kept, { signal, onChunk: onProgress });
  await openDatabase(entry.id);
  return {
    ...placeOf(entry.id),
    databaseName: entry.name,
    tables: choices.tables.filter(({ kind }) => kind !== 'view').map(({ name, rows }) => ({ name, rows: rows ?? 0 })),
    problems: 0,
    kept: [],
    notes: [],
    leftOut: [],
    timeMs: performance.now() - started,
    isNewDatabase: true,
    steps: [],
    isUndone: false,
  };
}

const placeOf = (database: DatabaseId): Pick<TransferOutcome, 'database' | 'databaseName'> => ({
  database,
  databaseName: useStore.getState().openDatabases[database]?.entry.name ?? '',
});

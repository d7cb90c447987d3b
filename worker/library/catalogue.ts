// The catalogue: which databases the library holds, under which names, in which pool files; and small texts kept for windows.
import { freeName } from '#shared/free-name.ts';
import { fail } from '#shared/protocol/errors.ts';
import type { Durability, LibraryEntry, LibrarySource } from '#shared/protocol/library.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { Value } from '#shared/protocol/values.ts';
import * as v from 'valibot';
import { each, renamedField } from '#shared/stored.ts';
import type { Connection } from '../engines/engine.ts';
import { atomically } from '../engines/transaction.ts';
import { Baselines, type Baseline } from './baselines.ts';
import { BenchmarkRuns } from './benchmark-runs.ts';
import { FilesInPlace } from './files-in-place.ts';
import { HeldChanges } from './held-changes.ts';
import { nameKey } from './names.ts';
import { QueryLog } from './query-log.ts';
import { SAVED_QUERY_CHARS, type SavedQuery } from '#shared/protocol/saved-queries.ts';

/** Everything in an entry except its size, which only the file knows. */
export type CatalogueEntry = Omit<LibraryEntry, 'sizeBytes'>;

export interface NewDatabase {
  readonly name: string;
  readonly file: string;
  readonly source: LibrarySource | null;
  readonly baseline?: Baseline | null;
}

const COLUMNS = 'id, name, last_used_at_ms, durability, source_file_name, source_path, source_id, imported_at_ms, file';

export class Catalogue {
  /** States of copies and the files they came from when they were the same. */
  readonly baselines: Baselines;
  /** Files that were opened in place. */
  readonly filesInPlace: FilesInPlace;
  /** Results of benchmarks that were kept. */
  readonly benchmarkRuns: BenchmarkRuns;
  /** Runs in SQL tabs. */
  readonly queryLog: QueryLog;
  readonly savedQueries: SavedQueries;
  /** Changes that wait to be saved. */
  readonly held: HeldChanges;
  readonly importFiles = new ImportFiles(this);
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.baselines = new Baselines(connection);
    this.filesInPlace = new FilesInPlace(connection);
    this.benchmarkRuns = new BenchmarkRuns(connection);
    this.queryLog = new QueryLog(connection);
    this.savedQueries = new SavedQueries(connection);
    this.held = new HeldChanges(connection);
    migrate(connection);
  }

  list(): readonly CatalogueEntry[] {
    const rows = this.#connection.all(`SELECT ${COLUMNS} FROM databases ORDER BY last_used_at_ms DESC, name_key`);
    return rows.map(toEntry);
  }

  /** @throws AppError `not-found` */
  entry(id: DatabaseId): CatalogueEntry {
    return toEntry(this.#row(id));
  }

  /** The pool file of a database, the last of the columns. @throws AppError `not-found` */
  file(id: DatabaseId): string {
    return String(this.#row(id).at(-1));
  }

  /** Main's names for the files that entries came from or that are imported in tabs, and for those listed in place. */
  sources(): { readonly copies: readonly string[]; readonly inPlace: readonly string[] } {
    const copies = this.#connection.all('SELECT DISTINCT source_id FROM databases WHERE source_id IS NOT NULL');
    const inPlace = this.#connection.all('SELECT source_id FROM files_in_place');
    return {
      copies: [...copies.map(([id]) => String(id)), ...this.importFiles.locationIds],
      inPlace: inPlace.map(([id]) => String(id)),
    };
  }

  get files(): readonly string[] {
    return this.#connection.all('SELECT file FROM databases').map(([file]) => String(file));
  }

  /** Notes that `file` is about to be written, so that a crash leaves nothing behind. */
  beginFile(file: string): void {
    this.#connection.run('INSERT OR IGNORE INTO unfinished VALUES (?)', [file]);
  }

  forgetFile(file: string): void {
    this.#connection.run('DELETE FROM unfinished WHERE file = ?', [file]);
  }

  get unfinishedFiles(): readonly string[] {
    return this.#connection.all('SELECT file FROM unfinished').map(([file]) => String(file));
  }

  /** Adds a finished file: from one moment to the next it is part of the library. */
  add({ name, file, source, baseline }: NewDatabase): CatalogueEntry {
    const id = crypto.randomUUID();
    const now = Date.now();
    return atomically(this.#connection, () => {
      const free = this.freeName(name);
      this.#connection.run(
        `INSERT INTO databases (${COLUMNS}, name_key, created_at_ms) VALUES (?, ?, ?, 'full', ?, ?, ?, ?, ?, ?, ?)`,
        [
          id,
          free,
          now,
          source?.fileName ?? null,
          source?.displayPath ?? null,
          source?.locationId ?? null,
          source?.importedAtMs ?? null,
          file,
          nameKey(free),
          now,
        ],
      );
      if (baseline) this.baselines.put(id, baseline);
      this.forgetFile(file);
      return this.entry(id);
    });
  }

  /** `wanted`, or `wanted 2` and so on when it is taken. */
  freeName(wanted: string): string {
    const isTaken = (name: string): boolean => this.#idOf(name) !== null;
    return freeName(wanted, isTaken, ' ');
  }

  /** @throws AppError `exists`, `not-found` */
  rename(id: DatabaseId, name: string): void {
    const holder = this.#idOf(name);
    if (holder !== null && holder !== id) {
      fail('exists', `There is already a database called “${name}”. Choose another name.`);
    }
    this.#update(id, 'name = ?, name_key = ?', [name, nameKey(name)]);
  }

  /** The caller has to remove the file afterward. After a crash in between, the next start does it. */
  remove(id: DatabaseId): void {
    const file = this.file(id);
    atomically(this.#connection, () => {
      this.beginFile(file);
      this.#connection.run('DELETE FROM databases WHERE id = ?', [id]);
      this.baselines.forget(id);
      this.held.forget(id);
    });
  }

  touch(id: DatabaseId): void {
    this.#update(id, 'last_used_at_ms = max(?, last_used_at_ms + 1)', [Date.now()]);
  }

  setDurability(id: DatabaseId, durability: Durability): void {
    this.#update(id, 'durability = ?', [durability]);
  }

  getState(key: string): string | null {
    const row = this.#connection.one('SELECT value FROM state WHERE key = ?', [key]);
    return row ? String(row[0]) : null;
  }

  putState(key: string, value: string | null): void {
    if (value === null) this.#connection.run('DELETE FROM state WHERE key = ?', [key]);
    else
      this.#connection.run('INSERT INTO state VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value', [
        key,
        value,
      ]);
  }

  /**
   * Forgets the values of a database: held changes, parameters of its runs, and filters, which are in the states of windows. Call when the
   * windows that are open have stored theirs without them. They are in no free page and in no log afterwards.
   */
  forgetValues(id: DatabaseId): void {
    atomically(this.#connection, () => {
      this.held.forget(id);
      this.queryLog.forgetValues(id);
      const states = this.#connection.all(
        "SELECT key, value FROM state WHERE key GLOB 'window:*' AND key NOT GLOB '*:sql:*' AND instr(value, ?) > 0",
        [JSON.stringify(id)],
      );
      for (const [key, text] of states) this.putState(String(key), withoutTabsOf(String(text), id));
    });
    this.#connection.run('VACUUM');
    this.#connection.checkpoint();
  }

  close(): void {
    try {
      this.#connection.checkpoint();
    } finally {
      this.#connection.close(); // the next opening moves the rest of the WAL
    }
  }

  #row(id: DatabaseId): readonly Value[] {
    const row = this.#connection.one(`SELECT ${COLUMNS} FROM databases WHERE id = ?`, [id]);
    if (row) return row;
    fail('not-found', 'This database is no longer in the library.');
  }

  #idOf(name: string): string | null {
    const row = this.#connection.one('SELECT id FROM databases WHERE name_key = ?', [nameKey(name)]);
    return row ? String(row[0]) : null;
  }

  #update(id: DatabaseId, assignments: string, params: readonly Value[]): void {
    this.#row(id);
    this.#connection.run(`UPDATE databases SET ${assignments} WHERE id = ?`, [...params, id]);
  }
}

function toEntry(row: readonly Value[]): CatalogueEntry {
  const [id, name, lastUsedAtMs, durability, fileName, displayPath, locationId, importedAtMs] = row;
  const source: LibrarySource | null =
    fileName === null
      ? null
      : {
          fileName: String(fileName),
          displayPath: String(displayPath),
          locationId: locationId === null ? null : String(locationId),
          importedAtMs: Number(importedAtMs),
        };
  return {
    id: String(id),
    name: String(name),
    lastUsedAtMs: Number(lastUsedAtMs),
    durability: durability === 'balanced' ? 'balanced' : 'full',
    source,
  };
}

// The tables of the catalogue, and the migrations of an older catalogue to this version.

/** One step per version; the database's `user_version` counts the completed ones. Never edit a released step. */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE databases (
     id TEXT PRIMARY KEY NOT NULL,
     name TEXT NOT NULL,
     name_key TEXT NOT NULL UNIQUE,
     file TEXT NOT NULL UNIQUE,
     created_at_ms INTEGER NOT NULL,
     last_used_at_ms INTEGER NOT NULL,
     durability TEXT NOT NULL CHECK (durability IN ('full', 'balanced')),
     source_file_name TEXT,
     source_path TEXT,
     source_id TEXT,
     imported_at_ms INTEGER
   ) STRICT;
   -- Pool files under construction: what is still here at the start was left by a crash and is removed.
   CREATE TABLE unfinished (file TEXT PRIMARY KEY NOT NULL) STRICT;
   CREATE TABLE state (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT`,
  // State of a database and the file it came from when both were the same.
  `CREATE TABLE baselines (database TEXT PRIMARY KEY NOT NULL, json TEXT NOT NULL) STRICT`,
  `CREATE TABLE files_in_place (
     id TEXT PRIMARY KEY NOT NULL,
     file_name TEXT NOT NULL,
     display_path TEXT NOT NULL,
     source_id TEXT NOT NULL,
     size_bytes INTEGER NOT NULL,
     first_used_at_ms INTEGER NOT NULL,
     last_used_at_ms INTEGER NOT NULL
   ) STRICT`,
  `ALTER TABLE files_in_place ADD COLUMN durability TEXT NOT NULL DEFAULT 'full' CHECK (durability IN ('full', 'balanced'))`,
  `CREATE TABLE benchmark_runs (
     id TEXT PRIMARY KEY NOT NULL,
     title TEXT NOT NULL,
     saved_at_ms INTEGER NOT NULL,
     origin TEXT,
     facts TEXT NOT NULL,
     json TEXT NOT NULL
   ) STRICT`,
  // Runs in SQL tabs. `chars` and `bytes`: the length of the text that ran, and of what is kept of it.
  `CREATE TABLE query_runs (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     database TEXT NOT NULL,
     database_name TEXT NOT NULL,
     started_at_ms INTEGER NOT NULL,
     outcome TEXT CHECK (outcome IN ('done', 'failed', 'stopped')),
     time_ms REAL,
     statements INTEGER NOT NULL DEFAULT 0,
     rows INTEGER,
     rows_changed INTEGER NOT NULL DEFAULT 0,
     error TEXT,
     chars INTEGER NOT NULL,
     bytes INTEGER NOT NULL,
     parameters TEXT NOT NULL,
     sql TEXT NOT NULL
   ) STRICT`,
  // Queries and snippets that users have named. `database` null: for all.
  `CREATE TABLE saved_queries (
     id TEXT PRIMARY KEY NOT NULL,
     name TEXT NOT NULL,
     folder TEXT NOT NULL,
     tags TEXT NOT NULL,
     kind TEXT NOT NULL,
     database TEXT,
     sql TEXT NOT NULL,
     saved_at_ms INTEGER NOT NULL
   ) STRICT`,
  // Changes of tables that wait to be saved. `is_saving`: saving has begun, and its outcome is not known yet.
  `CREATE TABLE held (
     database TEXT PRIMARY KEY NOT NULL,
     is_on INTEGER NOT NULL DEFAULT 0,
     is_saving INTEGER NOT NULL DEFAULT 0
   ) STRICT;
   CREATE TABLE held_steps (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     database TEXT NOT NULL,
     undone INTEGER NOT NULL DEFAULT 0,
     text TEXT NOT NULL
   ) STRICT;
   CREATE INDEX held_steps_of_database ON held_steps (database, undone, id)`,
  `ALTER TABLE saved_queries ADD COLUMN shortcut INTEGER CHECK (shortcut BETWEEN 1 AND 9)`,
  // Where edits of the file go; NULL: not decided. Files from before the question was asked were opened to be edited in place.
  `ALTER TABLE files_in_place ADD COLUMN editing TEXT CHECK (editing IN ('file', 'copy'));
   UPDATE files_in_place SET editing = 'file'`,
];

/** The state of a window without the tabs of a database, which hold its values; null if no window could read it. */
function withoutTabsOf(text: string, id: DatabaseId): string | null {
  const isOther = (tab: unknown): boolean => (tab as { readonly database?: unknown } | null)?.database !== id;
  try {
    return JSON.stringify(JSON.parse(text), (name, value: unknown) =>
      (name === 'tabs' || name === 'closedTabs') && Array.isArray(value) ? value.filter(isOther) : value,
    );
  } catch {
    return null;
  }
}

/** @throws AppError `too-new` when a newer version of Sidelite has used the catalogue */
function migrate(connection: Connection): void {
  const version = Number(connection.one('PRAGMA user_version')?.[0] ?? 0);
  if (version > MIGRATIONS.length) {
    fail(
      'too-new',
      'The library was last used by a newer version of Sidelite. Nothing was changed. Update this version to open it.',
    );
  }
  MIGRATIONS.slice(version).forEach((step, index) =>
    atomically(connection, () => {
      const script = connection.script(step);
      for (let statement = script.next(); statement; statement = script.next()) while (statement.step());
      script.dispose();
      connection.run(`PRAGMA user_version = ${version + index + 1}`);
    }),
  );
}

// Files that windows are importing, by the ids main knows them by: kept past the end of the app.
const KEY = 'import-files';
/** Tabs that were never closed must not accumulate forever. */
const MAX_FILES = 200;
const FILE = renamedField('sourceId', 'locationId', v.object({ windowId: v.string(), locationId: v.string() }));

type KeptFile = Readonly<v.InferOutput<typeof FILE>>;

interface StateStore {
  getState(key: string): string | null;
  putState(key: string, value: string | null): void;
}

export class ImportFiles {
  readonly #store: StateStore;

  constructor(store: StateStore) {
    this.#store = store;
  }

  get locationIds(): readonly string[] {
    return this.#files.map(({ locationId }) => locationId);
  }

  has(windowId: string, locationId: string): boolean {
    return this.#files.some((file) => file.windowId === windowId && file.locationId === locationId);
  }

  keep(windowId: string, locationId: string): void {
    this.#put([...this.#without(windowId, locationId), { windowId, locationId }].slice(-MAX_FILES));
  }

  forget(windowId: string, locationId: string): void {
    this.#put(this.#without(windowId, locationId));
  }

  get #files(): readonly KeptFile[] {
    try {
      return v.parse(each(FILE), JSON.parse(this.#store.getState(KEY) ?? '[]'));
    } catch {
      return []; // from another version, or damaged: the files are chosen again
    }
  }

  #without(windowId: string, locationId: string): readonly KeptFile[] {
    return this.#files.filter((file) => file.windowId !== windowId || file.locationId !== locationId);
  }

  #put(files: readonly KeptFile[]): void {
    this.#store.putState(KEY, files.length === 0 ? null : JSON.stringify(files));
  }
}

// Keeps queries and snippets that users have named, in the catalogue.

class SavedQueries {
  readonly #connection: Connection;

  /** @param connection of the catalogue, which makes the table */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  list(): readonly SavedQuery[] {
    return this.#connection
      .all(
        `SELECT id, name, folder, tags, kind, database, sql, shortcut, saved_at_ms FROM saved_queries
         ORDER BY folder COLLATE NOCASE, name COLLATE NOCASE, rowid`,
      )
      .map(toQuery);
  }

  /** @throws AppError `too-big`, `invalid` */
  put({ id, name, folder, tags, kind, database, sql, shortcut }: Omit<SavedQuery, 'savedAtMs'>): void {
    if (sql.length > SAVED_QUERY_CHARS)
      fail(
        'too-big',
        `“${name}” has more than ${SAVED_QUERY_CHARS.toLocaleString('en-US')} characters, so it was not saved.`,
      );
    if (name.trim() === '') fail('invalid', 'A saved query needs a name.');
    if (shortcut !== null && !(Number.isInteger(shortcut) && shortcut >= 1 && shortcut <= 9))
      fail('invalid', 'The shortcut of a saved query is a digit from 1 to 9.');
    this.#connection.run(
      'UPDATE saved_queries SET shortcut = NULL WHERE shortcut = ?1 AND database IS ?2 AND id <> ?3',
      [shortcut, database, id],
    );
    this.#connection.run(
      `INSERT INTO saved_queries (id, name, folder, tags, kind, database, sql, shortcut, saved_at_ms)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
       ON CONFLICT DO UPDATE
       SET name = ?2, folder = ?3, tags = ?4, kind = ?5, database = ?6, sql = ?7, shortcut = ?8, saved_at_ms = ?9`,
      [id, name.trim(), folder, JSON.stringify(tags), kind, database, sql, shortcut, Date.now()],
    );
  }

  /** @throws AppError `not-found`, `too-big`, `invalid` */
  change(id: string, patch: Partial<Omit<SavedQuery, 'id' | 'savedAtMs'>>): void {
    const query = this.list().find((one) => one.id === id);
    if (!query) fail('not-found', 'This saved query was deleted in the meantime.');
    this.put({ ...query, ...patch, id });
  }

  delete(id: string): void {
    this.#connection.run('DELETE FROM saved_queries WHERE id = ?', [id]);
  }
}

function toQuery([id, name, folder, tags, kind, database, sql, shortcut, savedAtMs]: readonly Value[]): SavedQuery {
  return {
    id: String(id),
    name: String(name),
    folder: String(folder),
    tags: v.parse(each(v.string()), JSON.parse(String(tags))),
    kind: kind === 'snippet' ? 'snippet' : 'query',
    database: database === null ? null : String(database),
    sql: String(sql),
    shortcut: shortcut === null ? null : Number(shortcut),
    savedAtMs: Number(savedAtMs),
  };
}

// The engine that opens files in place: better-sqlite3. ENGINE-DIFFERENCES.md lists where it differs from the wasm engine.
import { accessSync, closeSync, constants, openSync, readSync, statSync, lstatSync } from 'node:fs';
import { basename } from 'node:path';
import { DATABASE_KINDS } from '#shared/protocol/database-kinds.ts';
import { quoteName } from '#shared/ddl/names.ts';
import { AppError, inParts } from '#shared/protocol/errors.ts';
import type { EngineInfo } from '#shared/protocol/session.ts';
import type { CipherKey } from '#shared/cipher-key.ts';
import type { AttachedFile, Connection, Engine, OpenOptions, LoadedExtension } from '../engine.ts';
import { CacheBudget, MEMORY_BUDGET } from '../memory-budget.ts';
import { assertLoads } from '../schema-load.ts';
import { FileKey } from './cipher/file-key.ts';
import { NativeConnection, type FileLocation } from './connection.ts';
import { copyDatabase } from './storage/copy-database.ts';
import { DatabaseFile } from './storage/database-file.ts';
import { nativeError } from './runtime/errors.ts';
import { BUSY_TIMEOUT_MS } from './runtime/internals.ts';
import { loadBetterSqlite, loadCipherSqlite, type Database, type DatabaseConstructor } from './runtime/load.ts';
import { lockHolderNames } from './storage/lock-holders.ts';
import type { AddedFunction, ExtensionFile } from '#shared/extensions.ts';
import { isSideFileHeader, SIDE_FILES, SIDE_HEADER_BYTES } from '#shared/file-header.ts';

/** The caller that opens a locked file tries again, and does other work in the meantime. */
const OPEN_TIMEOUT_MS = 20;
/** Nothing ends the load of a schema, and all files in place wait for it. */
const MOST_LOAD_MS = 5000;
/** Same as in the wasm engine. */
const PAGE_SIZE = 8192;
const SQLITE_READONLY = 8;
/** Beside the page caches of databases, which share a budget: the most files that can be attached have 16 MB. */
const ATTACHED_CACHE_KB = 2048;
/** File format version of a database in WAL mode. */
const WAL_VERSION = 2;
export const OPENED_READ_ONLY =
  'The file was opened read-only, as requested. To change it, close it in all windows and open it again.';

/** @throws AppError `unavailable` with the reason; the app works without this engine */
export async function createNativeEngine(): Promise<Engine> {
  return new NativeEngine(await loadBetterSqlite(), null);
}

/**
 * An engine for one encrypted file and all that is written on its behalf: every database that it opens on disk is encrypted with this key.
 *
 * @param folder where nobody else writes, as long as the engine is used
 */
export async function createCipherEngine(key: CipherKey, folder: string): Promise<Engine> {
  const constructor = await loadCipherSqlite();
  return new NativeEngine(constructor, new FileKey(constructor, key, folder));
}

class NativeEngine implements Engine {
  readonly info: EngineInfo;
  readonly isEncrypted: boolean;
  readonly #Database: DatabaseConstructor;
  readonly #key: FileKey | null;
  readonly #files = new OpenFiles();
  /** Identities of files that a connection has as its own. */
  readonly #owned = new Set<string>();
  readonly #caches = new CacheBudget();

  constructor(constructor: DatabaseConstructor, key: FileKey | null) {
    this.#Database = constructor;
    this.#key = key;
    this.isEncrypted = key !== null;
    const db = new constructor(':memory:', {});
    const [sqliteVersion, sqliteSourceId] = db
      .prepare('SELECT sqlite_version(), sqlite_source_id()')
      .raw(true)
      .get() as [string, string];
    db.close();
    this.info = {
      kind: 'native',
      sqliteVersion,
      sqliteSourceId,
      capabilities: DATABASE_KINDS[this.isEncrypted ? 'encrypted' : 'file'].capabilities,
    };
  }

  assertKeyFits(location: string): void {
    this.#key?.find(location);
  }

  /**
   * @param location an absolute path
   * @throws AppError `locked` too
   */
  open(location: string, options: OpenOptions): Connection {
    const isNew = checkPath(location, options.create === true);
    const identity = identityOf(location);
    if (this.#owned.has(identity)) {
      throw AppError.unavailable('This file is already open. Use the tab that shows it.');
    }
    const isAttached = this.#files.isUsed(identity);
    const whyReadOnly = isNew
      ? null
      : options.readOnly === true
        ? (options.whyReadOnly ?? OPENED_READ_ONLY)
        : describeReadOnly(location, isAttached);
    assertOwnSideFiles(location, whyReadOnly === null);
    this.#key?.find(location);
    let db: Database | null = null;
    let file: DatabaseFile | null = null;
    try {
      db = new this.#Database(location, {
        readonly: whyReadOnly !== null,
        fileMustExist: !isNew,
        timeout: OPEN_TIMEOUT_MS,
      });
      this.#key?.applyTo(db);
      configure(db, options, isNew && !this.isEncrypted);
      if (isNew) loadSchema(db);
      file = new DatabaseFile(location, this.isEncrypted);
      if (!isNew) {
        // The bytes of an encrypted file say nothing of its schema. Whoever has the key of a file has chosen to open it, and it is opened
        // alone in its process.
        if (options.untrusted !== false && !this.isEncrypted) assertSchemaLoads(db, file, options.tolerant === true);
        loadSchema(db);
      }
      // Only now: the code of an extension may read the schema.
      const extensions = loadExtensions(db, options.extensions ?? []);
      const areAnyLoaded = extensions.some(({ state }) => state.why === null);
      if (options.trustsSchema && areAnyLoaded) db.prepare('PRAGMA trusted_schema = ON').run();
      return this.#connect(db, file, { location, whyReadOnly, extensions }, options);
    } catch (error) {
      db?.close();
      this.#files.add(identity);
      this.#files.remove(identity, () => file?.close());
      const known = nativeError(error, { holders: () => lockHolderNames(location) });
      throw isAttached ? known : explain(known, location, whyReadOnly);
    }
  }

  #connect(
    db: Database,
    file: DatabaseFile,
    { location, ...facts }: Pick<FileLocation, 'location' | 'whyReadOnly' | 'extensions'>,
    options: OpenOptions,
  ): Connection {
    const identity = identityOf(location);
    const attached = new Map<string, string>();
    const connection = new NativeConnection(db, {
      location,
      file,
      ...facts,
      standIns: options.standIns ?? [],
      isEncrypted: this.isEncrypted,
      copyDatabase: (from, to, assertStill) => copyDatabase(this.#Database, { from, to, assertStill }),
      moveWalOf: (path) => {
        const other = this.open(path, { durability: 'full' });
        other.checkpoint();
        other.close();
      },
      attach: (to, other) => {
        const which = identityOf(other.location);
        if (which === identity) throw AppError.unavailable('This is the database itself. It was not attached.');
        if ([...attached.values()].includes(which)) throw AppError.unavailable('This file is attached already.');
        this.#attach(to, other);
        this.#files.add(which);
        attached.set(other.name, which);
      },
      detach: (from, name) => {
        from.prepare('DETACH ?').run(name);
        this.#files.remove(attached.get(name)!);
        attached.delete(name);
      },
      closed: () => {
        this.#owned.delete(identity);
        this.#files.remove(identity, () => file.close());
        for (const which of attached.values()) this.#files.remove(which);
      },
    });
    if (options.scratch !== true) connection.setDurability(options.durability);
    connection.settings.shareCache(this.#caches, options.cacheBytes ?? MEMORY_BUDGET.pageCache);
    connection.heavyGuard.turnOn();
    this.#owned.add(identity);
    this.#files.add(identity);
    return connection;
  }

  #attach(db: Database, { name, location }: AttachedFile): void {
    checkPath(location, false);
    const fit = this.#key?.fitOf(location) ?? null;
    // What can be wrong with a file is found as for any other, and before SQLite loads its schema. An encrypted one is not judged by it.
    if (fit === null && !this.#files.isUsed(identityOf(location)))
      (this.#key === null ? this : new NativeEngine(this.#Database, null))
        .open(location, { durability: 'full' })
        .close();
    for (const pragma of fit?.pragmas ?? []) db.prepare(`PRAGMA ${pragma}`).all();
    if (this.#key === null) db.prepare('ATTACH ? AS ?').run(location, name);
    else db.prepare('ATTACH ? AS ? KEY ?').run(location, name, fit?.key ?? Buffer.alloc(0));
    db.prepare(`PRAGMA ${quoteName(name)}.cache_size = -${ATTACHED_CACHE_KB}`).run();
  }
}

/** Returns whether a file has to be created. */
function checkPath(location: string, create: boolean): boolean {
  if (location !== location.trim()) {
    throw AppError.unavailable('A file whose name ends with a space cannot be opened in place. Rename it first.');
  }
  const stats = statSync(location, { throwIfNoEntry: false });
  if (stats === undefined) {
    if (create) return true;
    throw AppError.notFound(`There is no file “${location}”.`);
  }
  if (stats.isDirectory()) throw AppError.notADatabase(`“${location}” is a folder.`);
  if (!stats.isFile()) throw AppError.notADatabase(`“${location}” is not an ordinary file.`);
  return create && stats.size === 0;
}

/**
 * Null when the file can be written to. Checked by opening it, because permissions are more than its mode bits.
 * @param isUsed a connection has it open, whose locks closing it would release; no system has both such locks and other permissions
 */
function describeReadOnly(location: string, isUsed: boolean): string | null {
  try {
    if (isUsed && process.platform !== 'win32') accessSync(location, constants.W_OK);
    else closeSync(openSync(location, 'r+'));
    return null;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code === 'EROFS') return 'The file is on a read-only disk.';
    return 'The file is read-only: you do not have permission to write to it.';
  }
}

/** Untrusted: sqlite.org/security.html. Defensive mode is better-sqlite3's own, loading of extensions is not reachable by SQL. */
function configure(db: Database, options: OpenOptions, choosesPageSize: boolean): void {
  const pragma = (text: string): void => void db.prepare(`PRAGMA ${text}`).get();
  const set = (text: string): void => void db.prepare(`PRAGMA ${text}`).run();
  if (options.tolerant === true) {
    // Defensive mode forbids it.
    db.unsafeMode(true);
    set('writable_schema = ON');
    db.unsafeMode(false);
    set('query_only = ON');
  }
  if (options.untrusted !== false) {
    set('trusted_schema = OFF');
    if (options.tolerant !== true) set('cell_size_check = ON');
  }
  // A cipher has its own.
  if (choosesPageSize) set(`page_size = ${PAGE_SIZE}`);
  if (options.scratch === true) {
    // Switches defensive mode off.
    db.unsafeMode(true);
    pragma('journal_mode = MEMORY');
    set('synchronous = OFF');
  }
  set('foreign_keys = ON');
}

/** The first read of a file recovers its WAL, or rolls back what another program left unfinished, and loads no schema yet. */
function assertSchemaLoads(db: Database, file: DatabaseFile, namesMayLie: boolean): void {
  db.prepare('BEGIN').run();
  db.prepare('PRAGMA main.user_version').get();
  assertLoads(file, { mostMs: MOST_LOAD_MS, namesMayLie });
  db.prepare('COMMIT').run();
}

function loadSchema(db: Database): void {
  const pragma = (text: string): void => void db.prepare(`PRAGMA ${text}`).get();
  // Reads the schema, so that a file that is not a database fails here and not in the first query.
  db.prepare('SELECT 1 FROM main.sqlite_schema').get();
  // SQLite opens a WAL only at the first read, so a read-only WAL is reported here.
  pragma('main.data_version');
  pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
}

function explain(error: AppError, location: string, whyReadOnly: string | null): AppError {
  const sqlite = error.sqlite && { sqlite: error.sqlite };
  // SQLite says “not a database” for a format of the future too: the file itself tells them apart.
  if (error.code === 'not-a-database' && readVersion(location) > 2) {
    return AppError.tooNew('The file was written by a newer version of SQLite and cannot be read.', sqlite);
  }
  const isUnfinished = (statSync(`${location}-journal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const mayHaveToWrite = whyReadOnly !== null || isUnfinished;
  if (error.sqlite?.result === SQLITE_READONLY || (mayHaveToWrite && error.code === 'io')) {
    const why = whyReadOnly ?? 'The folder of this file cannot be written to.';
    const what = `${why} ${whyWriteToRead(location, isUnfinished)}`;
    return AppError.unavailable(inParts(what, 'Copy it into the library instead.'), sqlite);
  }
  return error;
}

/** Where SQLite has to write before it can read. */
function whyWriteToRead(location: string, isUnfinished: boolean): string {
  if (isUnfinished)
    return `Another program left an unfinished transaction in “${basename(location)}-journal”, which SQLite must roll back before it can read the file.`;
  // SQLite keeps shared memory beside a file in WAL mode.
  if (readVersion(location) === WAL_VERSION)
    return 'It is in WAL mode, which SQLite cannot read without writing files next to it.';
  return 'SQLite cannot read it without writing to it.';
}

/** File format version required for reading; 0 if this is no database of any version. No connection is open on it here. */
function readVersion(location: string): number {
  const header = new Uint8Array(20);
  const descriptor = openSync(location, 'r');
  readSync(descriptor, header, 0, header.length, 0);
  closeSync(descriptor);
  return new TextDecoder().decode(header.subarray(0, 16)) === 'SQLite format 3\0' ? header[19]! : 0;
}

/** One that cannot be loaded says why; the others are loaded all the same. */
const loadExtensions = (db: Database, extensions: readonly ExtensionFile[]): readonly LoadedExtension[] =>
  extensions.map(({ path, ...listed }) => {
    const without = (why: string): LoadedExtension => ({
      state: { ...listed, why, functions: 0, modules: [] },
      added: [],
    });
    if (listed.why !== null) return without(listed.why);
    try {
      const before = { functions: functionsOf(db), modules: modulesOf(db) };
      db.loadExtension(path);
      const added = [...functionsOf(db).values()].filter(({ name }) => !before.functions.has(name));
      const modules = [...modulesOf(db)].filter((name) => !before.modules.has(name));
      return { state: { ...listed, functions: added.length, modules }, added };
    } catch (thrown) {
      return without(whyNotLoaded((thrown as Error).message));
    }
  });

/** Where the system cannot load the file, SQLite tries a name with an ending, and tells only why that one failed. */
const whyNotLoaded = (message: string): string =>
  // oxlint-disable-next-line sidelite/text-decisions -- SQLite has one code for all reasons: only the name of the entry point is in no other message
  /\bsqlite3_\w*init\b/.test(message)
    ? `It is a library, but has no entry point of the name that SQLite derives from its file name. If the file was renamed, give it the name from its project back, such as “vec0” (${message}).`
    : `It could not be loaded: it is no extension for this system, or a library that it needs is missing (${message}).`;

// Statements, not table-valued functions: a table of the database may have the name of such a function.
function functionsOf(db: Database): ReadonlyMap<string, AddedFunction> {
  const rows = db.prepare('PRAGMA function_list').all() as readonly { readonly name: string; readonly narg: number }[];
  const counts = new Map<string, Set<number>>();
  for (const { name, narg } of rows) counts.set(name, (counts.get(name) ?? new Set()).add(narg));
  return new Map(
    [...counts].map(([name, each]) => [name, { name, argumentCounts: [...each].sort((one, other) => one - other) }]),
  );
}

const modulesOf = (db: Database): ReadonlySet<string> =>
  new Set((db.prepare('PRAGMA module_list').pluck(true).all() as string[]).sort());

// The files that connections of this process have open, as their own or attached. When a process closes any descriptor of a file, the system
// drops every lock that the process holds on it, so descriptors of a file are closed when no connection uses it any more.

interface Use {
  connections: number;
  readonly closings: (() => void)[];
}

/** Device and inode of a file, which several names may lead to; empty if it does not exist yet. */
function identityOf(location: string): string {
  const stats = statSync(location, { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.dev}:${stats.ino}`;
}

class OpenFiles {
  readonly #uses = new Map<string, Use>();

  isUsed(identity: string): boolean {
    return this.#uses.has(identity);
  }

  /** Call when a connection has opened it. */
  add(identity: string): void {
    const use = this.#uses.get(identity);
    if (use) use.connections++;
    else this.#uses.set(identity, { connections: 1, closings: [] });
  }

  /** Call when a connection has closed it. @param close closes its descriptors */
  remove(identity: string, close: () => void = () => undefined): void {
    const use = this.#uses.get(identity);
    use?.closings.push(close);
    if (use === undefined || --use.connections > 0) return;
    this.#uses.delete(identity);
    for (const closing of use.closings) closing();
  }
}

/**
 * SQLite waits for the other end of a pipe, which somebody may have packed in a folder with a database, and deletes a WAL or journal that it
 * cannot use, which may be the notes of “notes-wal”.
 *
 * No connection of this process is open on the database.
 * @throws AppError `unavailable`
 */
function assertOwnSideFiles(location: string, mayWrite: boolean): void {
  for (const suffix of SIDE_FILES) {
    const path = location + suffix;
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    if (!stats.isFile()) throw inTheWay(path, location, 'a link, a folder, a pipe, or a device');
    // The index of a WAL is not opened here: another thread may have locks in it, which closing it would release.
    if (mayWrite && suffix !== '-shm' && !isSideFileHeader(beginningOf(path)))
      throw inTheWay(path, location, 'another file');
  }
}

/** Empty for a file that cannot be read: SQLite says so itself. */
function beginningOf(path: string): Uint8Array {
  const bytes = new Uint8Array(SIDE_HEADER_BYTES);
  try {
    const descriptor = openSync(path, 'r');
    try {
      return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return bytes.subarray(0, 0);
  }
}

const inTheWay = (path: string, location: string, what: string): AppError =>
  AppError.unavailable(
    inParts(
      `“${basename(path)}” has the name that SQLite gives to a file of its own beside “${basename(location)}”, but is ${what}.`,
      'Nothing was changed. Rename or move it, and try again.',
    ),
  );

// Sets, changes, or removes the key of a file. The file itself is never written to: a new one is made beside it, compared with it, and put in
// its place, while no other program can use it.
import { accessSync, closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { CipherKey } from '#shared/cipher-key.ts';
import { HEADER_BYTES, isDatabaseHeader } from '#shared/file-header.ts';
import { AppError, toAppError } from '#shared/protocol/errors.ts';
import { checkFile } from '../../file-check.ts';
import { nativeError } from '../runtime/errors.ts';
import type { Database, DatabaseConstructor } from '../runtime/load.ts';
import { lockHolderNames, programsWithOpen } from '../storage/lock-holders.ts';
import { copyPages, copyTables, haveSamePages } from './copy-with-key.ts';
import { FileKey } from './file-key.ts';
import { assertStillThere, backupOf, createPart, removeLeftovers, removePart, replaceFile } from './replace-file.ts';
import type { Replaced } from './replace-file.ts';
import { difference, settingOf, type Opened } from './same-content.ts';
import { isSqlCipher } from './sqlcipher.ts';

export interface KeyChange {
  readonly path: string;
  /** What opens the file now. Null: it is not encrypted. */
  readonly from: CipherKey | null;
  /** What is to open it. Null: it is not to be encrypted. */
  readonly to: CipherKey | null;
  /** Where nobody else writes, for copies of first pages. */
  readonly folder: string;
}

const BUSY_TIMEOUT_MS = 1000;

/**
 * Pauses where other work can be done. To end it early (`return()`) leaves the file as it is: after the last pause it is replaced in one go.
 *
 * @param constructor of the variant with ciphers. No connection of this process may be open on the file
 * @returns the path of the file as it was, if it could not be removed; otherwise null
 * @throws AppError: the file has its old key, and nothing else was left beside it than the sentence says
 */
export function* changeKey(constructor: DatabaseConstructor, change: KeyChange): Generator<void, string | null> {
  if (change.from === null && change.to === null)
    throw AppError.invalid('The file has no key, and is to get none. Nothing was changed.');
  let path: string;
  let descriptor: number;
  try {
    path = realpathSync(change.path);
    assertMayBeReplaced(path);
    descriptor = openSync(path, 'r');
  } catch (error) {
    throw refusal(change.path, error);
  }
  let part: string | null = null;
  try {
    const from = keyOf(constructor, { path, descriptor }, change);
    part = createPart(path);
    return yield* new Change(constructor, { ...change, path }, { path, descriptor }, from, part).run();
  } catch (error) {
    throw refusal(path, error);
  } finally {
    if (part !== null) removePart(part);
    // Last: SQLite's locks end with it.
    closeSync(descriptor);
  }
}

class Change {
  readonly #Database: DatabaseConstructor;
  readonly #change: KeyChange;
  readonly #file: Replaced;
  readonly #from: FileKey | null;
  readonly #to: FileKey | null;
  readonly #part: string;
  /** The file since it is locked. */
  #since: Stats | null = null;

  constructor(constructor: DatabaseConstructor, change: KeyChange, file: Replaced, from: FileKey | null, part: string) {
    this.#Database = constructor;
    this.#change = change;
    this.#file = file;
    this.#from = from;
    this.#part = part;
    this.#to = change.to === null ? null : new FileKey(constructor, change.to, change.folder);
    // The file is empty: a new salt.
    this.#to?.find(part);
  }

  *run(): Generator<void, string | null> {
    const hasSamePages = haveSamePages(this.#from?.fit ?? null, this.#to?.fit ?? null);
    const old = hasSamePages ? this.#openOld() : this.#openBoth();
    try {
      this.#lock(old);
      if (hasSamePages) {
        const { descriptor } = this.#file;
        yield* copyPages(this.#Database, { descriptor, part: this.#part, from: this.#from!, to: this.#to! });
      } else yield* copyTables(old.db);
      yield* this.#compare(old);
      this.#assertUntouched();
      // Windows replaces no file that is open.
      if (process.platform === 'win32') old.db.close();
      return replaceFile(this.#file, this.#part, () => this.#open(this.#file.path).close());
    } finally {
      old.db.close();
    }
  }

  #openOld(): Opened {
    const db = new this.#Database(this.#file.path, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
    try {
      this.#from?.applyTo(db);
      db.exec('PRAGMA cell_size_check = ON');
      return { db, schema: 'main' };
    } catch (error) {
      db.close();
      throw error;
    }
  }

  /** The new file as `main`, the old one beside it. */
  #openBoth(): Opened {
    const former = this.#openOld();
    const settings = ['encoding', 'page_size', 'auto_vacuum'].map((name) => [name, settingOf(former, name)] as const);
    former.db.close();
    const db = new this.#Database(this.#part, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
    try {
      if (this.#to === null) db.exec('PRAGMA temp_store = MEMORY');
      else this.#to.applyTo(db);
      for (const [name, value] of settings) {
        // SQLCipher prescribes the size of its pages.
        if (name === 'page_size' && this.#to !== null && isSqlCipher(this.#to.fit.cipher)) continue;
        db.exec(`PRAGMA main.${name} = '${String(value)}'`);
      }
      for (const pragma of this.#from?.fit.pragmas ?? []) db.exec(`PRAGMA ${pragma}`);
      // The new file is thrown away if something fails, and a transaction of two files with journals would make one more beside them. Without
      // a name, the old file would be taken out of WAL mode.
      db.unsafeMode(true);
      db.exec('PRAGMA main.journal_mode = OFF');
      db.prepare('ATTACH ? AS old KEY ?').run(this.#file.path, this.#from?.fit.key ?? Buffer.alloc(0));
      db.exec('PRAGMA cell_size_check = ON');
      return { db, schema: 'old' };
    } catch (error) {
      db.close();
      throw error;
    }
  }

  /** Until the connection is closed. Everything committed is in the file then. @throws AppError `locked`, `exists`, `invalid` */
  #lock({ db, schema }: Opened): void {
    const { path, descriptor } = this.#file;
    db.exec(`PRAGMA ${schema}.locking_mode = EXCLUSIVE`);
    db.exec(`PRAGMA ${schema}.synchronous = FULL`);
    db.exec('BEGIN EXCLUSIVE');
    db.exec('COMMIT');
    const [busy] = db.prepare(`PRAGMA ${schema}.wal_checkpoint(TRUNCATE)`).raw(true).get() as readonly number[];
    const others = programsWithOpen(path);
    if (busy !== 0 || others !== null) throw inUse(path, others ?? lockHolderNames(path));
    this.#since = fstatSync(descriptor);
    assertStillThere(this.#file);
    removeLeftovers(this.#file, this.#part);
    if (fstatSync(descriptor).nlink > 1) throw hasOtherNames(path);
  }

  /** @throws AppError `locked`, `conflict` */
  #assertUntouched(): void {
    const { path } = this.#file;
    // One that waits for the lock would have its turn with the old file, which then has no name, and what it wrote would be lost.
    const others = programsWithOpen(path);
    if (others !== null) throw inUse(path, others);
    // `cp`, for example, and programs that synchronize folders, heed no locks.
    assertStillThere(this.#file, this.#since);
  }

  *#compare(old: Opened): Generator<void, void> {
    // With the key as it was given, and not with what was derived of it.
    const db = this.#open(this.#part);
    try {
      const differing = yield* difference(old, { db, schema: 'main' });
      const { path } = this.#file;
      if (differing !== null)
        throw AppError.unavailable(
          `The key of “${basename(path)}” was not changed: in the copy with the new key, ${differing} was not the same. Nothing was changed.`,
        );
      const found = findings({ db, schema: 'main' });
      // A value that breaks a constraint is no damage, and is in both.
      if (found !== '' && found !== findings(old)) throw damaged(path);
      if (settingOf(old, 'journal_mode') === 'wal') db.exec('PRAGMA journal_mode = WAL');
    } finally {
      db.close();
    }
  }

  #open(path: string): Database {
    const { to, folder } = this.#change;
    const key = to === null ? null : new FileKey(this.#Database, to, folder);
    key?.find(path);
    const db = new this.#Database(path, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
    try {
      key?.applyTo(db);
      for (const setting of ['trusted_schema = OFF', 'cell_size_check = ON']) db.exec(`PRAGMA ${setting}`);
      db.prepare('SELECT count(*) FROM main.sqlite_schema').get();
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  }
}

/** @throws AppError or system error */
function assertMayBeReplaced(path: string): void {
  if (path !== path.trim())
    throw AppError.unavailable('The key of a file whose name ends with a space cannot be changed. Rename it first.');
  // To open a pipe could wait forever.
  if (!statSync(path).isFile()) throw AppError.notADatabase(`“${basename(path)}” is not an ordinary file.`);
  accessSync(path, constants.R_OK | constants.W_OK);
  if (!mayBeRenamed(path)) throw Object.assign(new Error('not the owner'), { code: 'EPERM' });
}

const STICKY = 0o1000;

/** In a sticky folder such as `/tmp` names can be added, but only the owner of a file, or of the folder, can take them away. */
function mayBeRenamed(path: string): boolean {
  const folder = statSync(dirname(path));
  const user = process.geteuid?.() ?? 0;
  return (folder.mode & STICKY) === 0 || [0, folder.uid, statSync(path).uid].includes(user);
}

/** @throws AppError if the key does not open the file */
function keyOf(constructor: DatabaseConstructor, { path, descriptor }: Replaced, change: KeyChange): FileKey | null {
  const name = basename(path);
  const head = Buffer.alloc(HEADER_BYTES);
  if (readSync(descriptor, head, 0, HEADER_BYTES, 0) === 0)
    throw AppError.invalid(`“${name}” is empty: there is nothing to encrypt. Nothing was changed.`);
  try {
    if (change.from === null && !isDatabaseHeader(head))
      throw AppError.notADatabase(
        `“${name}” is encrypted, or no SQLite database. To change its key, its present one is needed. Nothing was changed.`,
      );
    const key = change.from === null ? null : new FileKey(constructor, change.from, change.folder);
    key?.find(path);
    return key;
  } catch (error) {
    throw withBackup(path, error);
  }
}

/** After a change that was ended between its last two steps, a file has its new key already. */
function withBackup(path: string, thrown: unknown): unknown {
  const error = toAppError(thrown);
  const backup = backupOf(path);
  try {
    accessSync(backup);
  } catch {
    return error;
  }
  return new AppError({
    code: error.code,
    message: `${error.message} “${basename(backup)}” beside it is how the file was before an earlier change of its key, which did not come to its end: if you have the old key, it opens that one.`,
  });
}

function refusal(path: string, thrown: unknown): AppError {
  const name = basename(path);
  const { code } = thrown as { readonly code?: unknown };
  if (['ENOSPC', 'EDQUOT', 'SQLITE_FULL'].includes(String(code)))
    return AppError.full(
      `There is no room beside “${name}” for a copy with the new key. Nothing was changed. Free as much space as the file takes, and try again.`,
    );
  if (['EACCES', 'EPERM', 'EROFS'].includes(String(code)))
    return AppError.io(
      `The key of “${name}” was not changed: the file, or its folder (${dirname(path)}), cannot be written to. Nothing was changed. Allow writing to both, or copy the file to another folder.`,
    );
  if (code === 'ENOENT') return AppError.notFound(`There is no file “${path}”. Nothing was changed.`);
  if (String(code).startsWith('SQLITE_CORRUPT')) return damaged(path);
  return nativeError(thrown, { holders: () => lockHolderNames(path) });
}

const inUse = (path: string, programs: string | null): AppError =>
  AppError.locked(
    `Another program has “${basename(path)}” open${programs === null ? '' : ` (${programs})`}, so its key was not changed. Close it there and try again.`,
  );

const hasOtherNames = (path: string): AppError =>
  AppError.unavailable(
    `“${basename(path)}” has other names on this disk (hard links), which would keep the file with the old key. Nothing was changed. Remove the other names first, or copy the file.`,
  );

const damaged = (path: string): AppError =>
  AppError.corrupt(
    `“${basename(path)}” is damaged, so its key was not changed. Nothing was changed. Recover what can be read into a new database first.`,
  );

/** What SQLite's own check says; what this SQLite cannot use is not checked. */
function findings({ db, schema }: Opened): string {
  const all = (sql: string): never[][] => {
    try {
      return db.prepare(sql).raw(true).all() as never[][];
    } catch (error) {
      throw nativeError(error);
    }
  };
  const { messages } = checkFile({ all, one: (sql) => all(sql)[0] ?? null }, 'integrity', schema);
  return [...messages].sort().join();
}

// The key of an engine that opens encrypted files: finds out which cipher a file has, and is applied to every database that the engine opens
// on disk, right after it was opened.
//
// A key is tried on a copy of the first page, never on the file. SQLite rolls back a journal that another program has left before it notices
// that the key is wrong, and would write pages that were decrypted with one key and encrypted with another: measured, the file is lost.
import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { closeSync, openSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CIPHERS, type Cipher, type CipherKey } from '#shared/cipher-key.ts';
import { isDatabaseHeader } from '#shared/file-header.ts';
import { AppError, inParts } from '#shared/protocol/errors.ts';
import type { Database, DatabaseConstructor } from '../runtime/load.ts';
import { DERIVATIONS, fitsLaterPages, hasUsualReserve, isSqlCipher, type SqlCipher } from './sqlcipher.ts';

/** The largest page. */
const FIRST_BYTES = 65_536;
/** A file that another program writes at the same time may be read half old and half new. */
const LOOKS = 3;
/** Names of what SQLite may leave beside a file. */
const SUFFIXES = ['', '-journal', '-wal', '-shm'];
const [KEY_BYTES, SALT_BYTES] = [32, 16];
/** What SQLite says of a page that it cannot decrypt, or that is longer than the bytes that are there. */
const DOES_NOT_FIT = /^SQLITE_(?:NOTADB|CORRUPT|IOERR)/;
const RAW_KEY = /^x'((?:[\da-f]{64}|[\da-f]{96}))'$/i;

interface OtherCipher {
  /** Its name in SQLite3 Multiple Ciphers. */
  readonly name: string;
  readonly takesRawKey: boolean;
  /** Usual rounds of the derivation of a key from a password; null if they cannot be set. */
  readonly iterations: number | null;
}

const OTHERS: Readonly<Record<Exclude<Cipher, SqlCipher>, OtherCipher>> = {
  chacha20: { name: 'chacha20', takesRawKey: true, iterations: 64_007 },
  aes256: { name: 'aes256cbc', takesRawKey: false, iterations: 4001 },
  aes128: { name: 'aes128cbc', takesRawKey: false, iterations: null },
  rc4: { name: 'rc4', takesRawKey: false, iterations: null },
  ascon: { name: 'ascon128', takesRawKey: true, iterations: 64_007 },
};

/** How a database is opened: PRAGMAs first, and then the key. */
export interface Fit {
  readonly cipher: Cipher;
  readonly pragmas: readonly string[];
  readonly key: Buffer;
  /** As far as is known, pages keep no more bytes free at their ends than the cipher needs. */
  readonly hasUsualReserve: boolean;
}

export class FileKey {
  readonly #Database: DatabaseConstructor;
  readonly #given: CipherKey;
  readonly #folder: string;
  /** How the first file is opened. What the engine writes for itself, such as a history, is encrypted in the same way. */
  #fit: Fit | null = null;

  /** @param folder where nobody else writes, for copies of first pages */
  constructor(constructor: DatabaseConstructor, given: CipherKey, folder: string) {
    this.#Database = constructor;
    this.#folder = folder;
    this.#given = given;
  }

  /**
   * Call before a file is opened, each time: another program may have changed its password. Reads the file, and writes nothing to it or
   * beside it.
   * @throws AppError `not-a-database`, `corrupt`, `invalid`
   */
  find(location: string): void {
    if (this.#fit === null) this.#fit = this.#find(location);
    else this.#check(location, this.#fit);
  }

  /** How another file is attached to the first one: null if it is not encrypted, otherwise with the same key as it was given. @throws as {@link find} */
  fitOf(location: string): Fit | null {
    const isPlain = this.#given.plainHeaderBytes === null && isDatabaseHeader(firstBytes(location));
    return isPlain ? null : this.#find(location);
  }

  /** Call after {@link find}. */
  get fit(): Fit {
    return this.#fit!;
  }

  /** Call right after a database was opened, before anything is read from it. */
  applyTo(db: Database): void {
    const { pragmas, key } = this.#fit!;
    apply(db, pragmas, key);
    // Otherwise SQLite would write sorted rows and temporary tables to files that are not encrypted.
    db.prepare('PRAGMA temp_store = MEMORY').run();
    // A script could change what the next page is encrypted with.
    for (const stub of [
      (_a: unknown) => null,
      (_a: unknown, _b: unknown) => null,
      (_a: unknown, _b: unknown, _c: unknown) => null,
    ])
      db.function('sqlite3mc_config', { directOnly: true }, stub);
  }

  #find(location: string): Fit {
    for (let look = 1; ; look++) {
      const first = firstBytes(location);
      if (first.length === 0) return newFit(this.#given);
      if (isDatabaseHeader(first) && this.#given.plainHeaderBytes === null) throw notEncrypted(location);
      const ciphers = candidates(this.#given);
      for (const cipher of ciphers) {
        const fit = fitOf(this.#given, cipher, first);
        if (this.#opens(first, fit)) return fit;
      }
      if (look < LOOKS && !first.equals(firstBytes(location))) continue;
      const fitsLater = (cipher: SqlCipher): boolean =>
        fitsLaterPages(location, this.#given, cipher, rawKeyOf(this.#given, cipher, first));
      throw ciphers.filter(isSqlCipher).some(fitsLater)
        ? firstPageDamaged(location)
        : doesNotFit(location, this.#given);
    }
  }

  #check(location: string, fit: Fit): void {
    const first = firstBytes(location);
    if (first.length > 0 && !this.#opens(first, fit)) throw doesNotFit(location, this.#given);
  }

  #opens(first: Buffer, { pragmas, key }: Fit): boolean {
    const path = join(this.#folder, 'first-page');
    try {
      writeFileSync(path, first, { mode: 0o600 });
      const db = new this.#Database(path, { fileMustExist: true });
      try {
        apply(db, pragmas, key);
        // SQLite would refuse a file with fewer pages than its header says, except where it is told to read what is damaged.
        db.unsafeMode(true);
        db.prepare('PRAGMA writable_schema = ON').run();
        db.prepare('PRAGMA main.user_version').get();
        return true;
      } finally {
        db.close();
      }
    } catch (error) {
      if (DOES_NOT_FIT.test(String((error as { readonly code?: unknown }).code))) return false;
      throw error;
    } finally {
      for (const suffix of SUFFIXES) rmSync(path + suffix, { force: true });
    }
  }
}

function apply(db: Database, pragmas: readonly string[], key: Buffer): void {
  for (const pragma of pragmas) db.prepare(`PRAGMA ${pragma}`).all();
  db.key!(key);
}

/** No connection of this process is open on the file: closing a descriptor would release its locks. */
function firstBytes(location: string): Buffer {
  if (statSync(location, { throwIfNoEntry: false }) === undefined) return Buffer.alloc(0);
  const bytes = Buffer.alloc(FIRST_BYTES);
  const descriptor = openSync(location, 'r');
  try {
    return bytes.subarray(0, readSync(descriptor, bytes, 0, FIRST_BYTES, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** Ciphers that take the key and all settings. @throws AppError `invalid` if the one that was named does not */
function candidates(given: CipherKey): readonly Cipher[] {
  const takes = (cipher: Cipher): boolean => isSqlCipher(cipher) || takesAll(OTHERS[cipher], given);
  if (given.cipher === null) return CIPHERS.filter(takes);
  if (takes(given.cipher)) return [given.cipher];
  throw AppError.invalid(
    `The cipher ${given.cipher} does not take this kind of key, or one of its settings. Nothing was changed.`,
  );
}

const takesAll = ({ takesRawKey, iterations }: OtherCipher, given: CipherKey): boolean =>
  given.pageBytes === null &&
  given.plainHeaderBytes === null &&
  (iterations !== null || given.kdfIterations === null) &&
  (takesRawKey || rawHexOf(given.secret) === null);

function fitOf(given: CipherKey, cipher: Cipher, first: Buffer): Fit {
  if (isSqlCipher(cipher)) {
    const raw = rawKeyOf(given, cipher, first);
    const isUsual = first.length <= SALT_BYTES || hasUsualReserve(first, given, cipher, raw);
    return { cipher, pragmas: pragmasOf(given, cipher), key: asRawKey(raw), hasUsualReserve: isUsual };
  }
  const { name, iterations } = OTHERS[cipher];
  const raw = rawHexOf(given.secret);
  const key = raw === null ? Buffer.from(given.secret) : Buffer.from(`raw:${raw}`);
  // Also the usual ones: a connection may have two such files, with settings of their own.
  const settings = iterations === null ? [] : [`kdf_iter = ${given.kdfIterations ?? iterations}`];
  return { cipher, pragmas: [`cipher = '${name}'`, ...settings], key, hasUsualReserve: true };
}

function newFit(given: CipherKey): Fit {
  const [cipher] = candidates(given);
  // A key of 48 bytes ends with the salt, which SQLite writes to the beginning of the new file.
  return fitOf(given, cipher!, randomBytes(SALT_BYTES));
}

function pragmasOf({ pageBytes, plainHeaderBytes }: CipherKey, cipher: SqlCipher): readonly string[] {
  return [
    "cipher = 'sqlcipher'",
    `legacy = ${DERIVATIONS[cipher].legacy}`,
    ...(pageBytes === null ? [] : [`legacy_page_size = ${pageBytes}`]),
    `plaintext_header_size = ${plainHeaderBytes ?? 0}`,
  ];
}

/**
 * In hexadecimal: 32 bytes of the key, and 16 of the salt. A password is made into it once, because that takes some 80 ms on purpose, and
 * would be done again for each file that is opened: the history of a file in place, and scratch files.
 */
function rawKeyOf({ secret, kdfIterations }: CipherKey, cipher: SqlCipher, first: Buffer): string {
  const raw = rawHexOf(secret);
  const salt = first.subarray(0, SALT_BYTES);
  if (raw !== null) return raw.length === 2 * (KEY_BYTES + SALT_BYTES) ? raw : raw + salt.toString('hex');
  const { hash, iterations } = DERIVATIONS[cipher];
  return Buffer.concat([pbkdf2Sync(secret, salt, kdfIterations ?? iterations, KEY_BYTES, hash), salt]).toString('hex');
}

const asRawKey = (hex: string): Buffer => Buffer.from(`x'${hex}'`);

/** Null for a password. */
function rawHexOf(secret: Uint8Array): string | null {
  return RAW_KEY.exec(Buffer.from(secret).toString('latin1'))?.[1] ?? null;
}

const notEncrypted = (location: string): AppError =>
  AppError.invalid(
    inParts(
      `“${basename(location)}” begins as a database that is not encrypted.`,
      'Leave out the key, or say how many of its first bytes are not encrypted. Nothing was changed.',
    ),
  );

const doesNotFit = (location: string, { cipher }: CipherKey): AppError =>
  AppError.notADatabase(
    `The key does not open “${basename(location)}”: it is another key, ${cipher === null ? 'a cipher that is not known here or has other settings' : `not ${cipher} with these settings`}, or the file is damaged or no database. Nothing was changed.`,
  );

const firstPageDamaged = (location: string): AppError =>
  AppError.corrupt(
    `The key fits, but the first page of “${basename(location)}” is damaged, so SQLite cannot open the file. Nothing was changed.`,
  );

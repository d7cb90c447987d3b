// A small shop in an encrypted file, another program on the same file, and the search for its texts in what Sidelite keeps.
import { createRequire } from 'node:module';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SideliteApp } from '../sidelite-app.ts';

interface Database {
  key(bytes: Buffer): unknown;
  pragma(text: string): unknown;
  exec(sql: string): unknown;
  prepare(sql: string): { raw(on: boolean): { all(): unknown[] } };
  close(): void;
}

const Database = createRequire(import.meta.url)('better-sqlite3-multiple-ciphers') as new (path: string) => Database;

const PlainDatabase = createRequire(import.meta.url)('better-sqlite3') as new (path: string) => Database;

export const PASSWORD = 'correct horse 4711';
/** In the database only: nobody types it. */
export const PLAIN = 'KNOWN-PLAIN-TEXT';
const SHOP = `CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL);
  INSERT INTO item (name, price) VALUES ('${PLAIN} ant', 1.5), ('bee', 2), ('cat', 3);`;

/** As SQLCipher 4 does. */
export function openEncrypted(file: string, password = PASSWORD): Database {
  const db = new Database(file);
  for (const pragma of ["cipher = 'sqlcipher'", 'legacy = 4']) db.pragma(pragma);
  db.key(Buffer.from(password));
  return db;
}

export function makeEncryptedShop(app: SideliteApp, name = 'shop.db', password = PASSWORD): string {
  const file = join(app.folder, name);
  const db = openEncrypted(file, password);
  db.exec(SHOP);
  db.close();
  return file;
}

/** Without a password. */
export function makePlainShop(app: SideliteApp): string {
  const file = join(app.folder, 'plain.db');
  const db = new PlainDatabase(file);
  db.exec(SHOP);
  db.close();
  return file;
}

export function queryPlain(file: string, sql: string): unknown[] {
  const db = new PlainDatabase(file);
  try {
    return db.prepare(sql).raw(true).all();
  } finally {
    db.close();
  }
}

export function queryEncrypted(file: string, sql: string, password = PASSWORD): unknown[] {
  const db = openEncrypted(file, password);
  try {
    return db.prepare(sql).raw(true).all();
  } finally {
    db.close();
  }
}

/** The files of the profile and among the temporary ones that have the text in them. */
export function filesWith(app: SideliteApp, text: string): string[] {
  const wanted = [Buffer.from(text), Buffer.from(text, 'utf16le')];
  return [app.profile, app.temporary].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true)
      .filter((file) => wanted.some((bytes) => readFileSync(file).includes(bytes))),
  );
}

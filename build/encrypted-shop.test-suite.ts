// A small shop in an encrypted file, as another program makes and reads it, and the search for texts in what Sidelite keeps.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

export interface OtherDatabase {
  key(bytes: Buffer): unknown;
  pragma(text: string): unknown;
  exec(sql: string): unknown;
  prepare(sql: string): { raw(on: boolean): { all(): unknown[] } };
  close(): void;
}
type Constructor = new (path: string) => OtherDatabase;

const require = createRequire(import.meta.url);
const Ciphered = require('better-sqlite3-multiple-ciphers') as Constructor;
const Plain = require('better-sqlite3') as Constructor;

export const PASSWORD = 'correct horse 4711';
/** In the database only: nobody types it. */
export const PLAIN = 'KNOWN-PLAIN-TEXT';
export const SHOP = `CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL);
  INSERT INTO item (name, price) VALUES ('${PLAIN} ant', 1.5), ('bee', 2), ('cat', 3);`;
const AS_SQLCIPHER_4 = ["cipher = 'sqlcipher'", 'legacy = 4'];

/** @param password null: the file is not encrypted */
export function openShop(file: string, password: string | null = PASSWORD, pragmas = AS_SQLCIPHER_4): OtherDatabase {
  if (password === null) return new Plain(file);
  const db = new Ciphered(file);
  for (const pragma of pragmas) db.pragma(pragma);
  db.key(Buffer.from(password));
  return db;
}

export function makeShop(file: string, password?: string | null, sql = SHOP, pragmas?: string[]): void {
  const db = openShop(file, password, pragmas);
  db.exec(sql);
  db.close();
}

export function queryShop(file: string, sql: string, password?: string | null): unknown[] {
  const db = openShop(file, password);
  try {
    return db.prepare(sql).raw(true).all();
  } finally {
    db.close();
  }
}

/** Files below the folder that have the text in them. */
export function filesWith(folder: string, text: string): string[] {
  if (!existsSync(folder)) return [];
  const wanted = [Buffer.from(text), Buffer.from(text, 'utf16le')];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true)
    .filter((file) => wanted.some((bytes) => readFileSync(file).includes(bytes)));
}

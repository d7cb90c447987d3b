// Archives for tests: a database, packed in each way, and an archive as an operation sees it.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Pieces } from './packed-file.ts';

/** A database of some pages, with values that show a lost byte. */
export function databaseBytes(rows = 300, mode: 'delete' | 'wal' = 'delete'): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'sidelite-packed-'));
  try {
    const path = join(folder, 'a.db');
    const db = new Database(path);
    db.pragma(`journal_mode = ${mode}`);
    db.exec('CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, amount REAL, bytes BLOB)');
    const insert = db.prepare('INSERT INTO item (name, amount, bytes) VALUES (?, ?, randomblob(40))');
    for (let row = 0; row < rows; row++) insert.run(`item ${row} äöü`, row / 7);
    db.close();
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export async function allOf(pieces: Pieces): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const piece of pieces) parts.push(piece);
  return Buffer.concat(parts);
}

/** `bytes` in pieces of this many. */
export async function* inPieces(bytes: Uint8Array, length: number): Pieces {
  for (let at = 0; at < bytes.length; at += length) yield bytes.slice(at, at + length);
}

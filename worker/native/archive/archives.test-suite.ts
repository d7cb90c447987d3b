// For tests of archives: a database to pack, and the bytes that come and go in pieces.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { native } from '../../export/export-fixture.test-suite.ts';
import type { Pieces } from './packed-file.ts';

/** A database of some pages, with values that show a lost byte. */
export function databaseBytes(rows = 300): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'sidelite-packed-'));
  try {
    const path = join(folder, 'a.db');
    const made = native.open(path, { durability: 'balanced', create: true });
    made.run('CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, amount REAL, bytes BLOB)');
    made.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${rows}) INSERT INTO item SELECT i, 'item äöü ' || i, i / 7.0, randomblob(40) FROM n`,
    );
    made.close();
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

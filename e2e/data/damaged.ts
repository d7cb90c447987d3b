// Files that are not, or no longer, the database their name promises.
import {
  closeSync,
  copyFileSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import Sqlite from 'better-sqlite3';
import { randomBytes, seeded } from './seeded.ts';

const SCHEMA_FORMAT_OFFSET = 44;
const READ_VERSION_OFFSET = 19;

/** Copies the database and its WAL while a connection is open: committed rows that are only in the WAL. */
export function writeWithWal(path: string): void {
  const live = `${path}.live`;
  const db = new Sqlite(live);
  db.pragma('journal_mode = wal');
  db.pragma('wal_autocheckpoint = 0');
  db.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO t VALUES (1, 'in the file')`);
  db.pragma('wal_checkpoint(truncate)');
  db.exec(`INSERT INTO t VALUES (2, 'in the WAL'), (3, 'in the WAL too')`);
  copyFileSync(live, path);
  copyFileSync(`${live}-wal`, `${path}-wal`);
  db.close();
  rmSync(live);
}

/** Cuts the file after `share` of its bytes. */
export function truncateTo(path: string, share: number): void {
  truncateSync(path, Math.floor(statSync(path).size * share));
}

/** Overwrites `pages` pages with noise; never the first, so that the header still looks right. */
export function corruptPages(path: string, pages: number, seed: number): void {
  const pageSize = readFileSync(path).readUInt16BE(16) || 65536;
  const pageCount = Math.floor(statSync(path).size / pageSize);
  const next = seeded(seed);
  const file = openSync(path, 'r+');
  for (let n = 0; n < pages; n++) {
    const page = 1 + (next() % (pageCount - 1));
    writeSync(file, randomBytes(next(), pageSize), 0, pageSize, page * pageSize);
  }
  closeSync(file);
}

/** Marks a file as a newer SQLite would: with a schema format, or a read version, unknown to this one. */
export function markNewer(path: string, what: 'schema' | 'read-version'): void {
  const bytes = readFileSync(path);
  if (what === 'schema') bytes.writeUInt32BE(5, SCHEMA_FORMAT_OFFSET);
  else bytes[READ_VERSION_OFFSET] = 3;
  writeFileSync(path, bytes);
}

/** Writes noise of whole pages, like an encrypted database. */
export function writeNoise(path: string): void {
  writeFileSync(path, randomBytes(11, 16 * 4096));
}

export function writeText(path: string): void {
  writeFileSync(path, 'id,name\n1,This is a CSV file, whatever it is called.\n'.repeat(200));
}

export function writePng(path: string): void {
  const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  writeFileSync(path, Buffer.from(onePixel, 'base64'));
}

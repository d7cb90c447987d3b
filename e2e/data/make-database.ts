// Makes the files that specs open, in a temporary folder: nothing of it is ever committed.
import Sqlite from 'better-sqlite3';
import type { Database } from 'better-sqlite3';
import { corruptPages, markNewer, truncateTo, writeNoise, writePng, writeText, writeWithWal } from './damaged.ts';
import {
  fillBadText,
  fillBig,
  fillBrokenView,
  fillEveryType,
  fillOddNames,
  fillTableKinds,
  fillWide,
} from './healthy.ts';

export type DatabaseSpec =
  | { readonly kind: 'every-type' | 'odd-names' | 'table-kinds' | 'broken-view' | 'bad-text' | 'wal-beside' }
  | { readonly kind: 'wide'; readonly columns?: number }
  | { readonly kind: 'big'; readonly rows: number }
  | { readonly kind: 'truncated'; readonly share?: number }
  | { readonly kind: 'corrupt'; readonly pages?: number; readonly seed?: number }
  | { readonly kind: 'newer'; readonly what: 'schema' | 'read-version' }
  | { readonly kind: 'encrypted' | 'text' | 'png' }
  | { readonly kind: 'sql'; readonly sql: string };

/** SQLite's own limit of columns as the official builds set it. */
const MOST_COLUMNS = 2000;

/** Writes the file at `path`, which must not exist. Answers `path`. */
export function makeDatabase(path: string, spec: DatabaseSpec): string {
  switch (spec.kind) {
    case 'every-type':
      return build(path, fillEveryType);
    case 'odd-names':
      return build(path, fillOddNames);
    case 'table-kinds':
      return build(path, fillTableKinds);
    case 'broken-view':
      return build(path, fillBrokenView);
    case 'bad-text':
      return build(path, fillBadText);
    case 'wide':
      return build(path, (db) => fillWide(db, spec.columns ?? MOST_COLUMNS));
    case 'big':
      return build(path, (db) => fillBig(db, spec.rows));
    case 'sql':
      return build(path, (db) => db.exec(spec.sql));
    case 'wal-beside':
      return afterwards(path, writeWithWal);
    case 'encrypted':
      return afterwards(path, writeNoise);
    case 'text':
      return afterwards(path, writeText);
    case 'png':
      return afterwards(path, writePng);
    case 'truncated':
      return afterwards(
        build(path, (db) => fillBig(db, 20_000)),
        () => truncateTo(path, spec.share ?? 0.5),
      );
    case 'corrupt':
      return afterwards(
        build(path, (db) => fillBig(db, 20_000)),
        () => corruptPages(path, spec.pages ?? 12, spec.seed ?? 1),
      );
    case 'newer':
      return afterwards(build(path, fillBrokenView), () => markNewer(path, spec.what));
  }
}

function build(path: string, fill: (db: Database) => unknown): string {
  const db = new Sqlite(path);
  try {
    fill(db);
  } finally {
    db.close();
  }
  return path;
}

function afterwards(path: string, change: (path: string) => void): string {
  change(path);
  return path;
}

// Compares two database files row by row, storage classes included, with an engine that is not ours.
import { readFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';

export interface Contents {
  readonly schema: readonly unknown[];
  readonly tables: Readonly<Record<string, readonly unknown[]>>;
}

/** Everything in a database file: schema, and per table each value with its storage class. */
export function contentsOf(path: string): Contents {
  const db = new Sqlite(path, { readonly: true });
  try {
    db.defaultSafeIntegers(true);
    const schema = db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').raw().all();
    const names = db
      .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow')")
      .pluck()
      .all() as string[];
    const tables = names.map((name) => [name, rowsOf(db, name)] as const);
    return { schema, tables: Object.fromEntries(tables) };
  } finally {
    db.close();
  }
}

/** Result of `PRAGMA integrity_check`; `ok` when all is well. */
export function integrityOf(path: string): string {
  const db = new Sqlite(path);
  try {
    return (db.pragma('integrity_check', { simple: true }) as string) ?? 'nothing';
  } finally {
    db.close();
  }
}

export function query(path: string, sql: string): unknown[] {
  const db = new Sqlite(path, { readonly: true });
  try {
    return db.prepare(sql).raw().all();
  } finally {
    db.close();
  }
}

/** Runs the SQL of a file, as the user would with the shell of SQLite. */
export function applySql(path: string, sqlFile: string): void {
  const db = new Sqlite(path);
  try {
    db.exec(readFileSync(sqlFile, 'utf8'));
  } finally {
    db.close();
  }
}

function rowsOf(db: Sqlite.Database, table: string): unknown[] {
  const quoted = `"${table.replaceAll('"', '""')}"`;
  const columns = db.prepare(`SELECT name FROM pragma_table_xinfo(?)`).pluck().all(table) as string[];
  const wanted = columns.flatMap((name) => {
    const column = `"${name.replaceAll('"', '""')}"`;
    return [
      `typeof(${column})`,
      `CAST(${column} AS BLOB)`,
      `CASE WHEN typeof(${column}) IN ('integer', 'real') THEN ${column} END`,
    ];
  });
  return db
    .prepare(`SELECT ${wanted.slice(0, 1900).join(', ')} FROM ${quoted}`)
    .raw()
    .all();
}

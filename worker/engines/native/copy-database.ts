// Overwrites one database file with the content of another through SQLite's backup API, in one transaction.
import type { Database, DatabaseConstructor } from './load.ts';

/** Inside better-sqlite3: its own `backup` is the same in steps between which other work is done. */
interface NativeBackup {
  transfer(pages: number): { readonly remainingPages: number };
  close(): void;
}

interface NativeDatabase {
  backup(database: Database, schema: string, target: string, unlink: boolean): NativeBackup;
}

const ALL_PAGES = 0x7fffffff;

export function copyDatabase(constructor: DatabaseConstructor, source: string, target: string): void {
  const db = new constructor(source, { readonly: true, fileMustExist: true });
  try {
    const backup = nativeOf(db).backup(db, 'main', target, false);
    try {
      const { remainingPages } = backup.transfer(ALL_PAGES);
      if (remainingPages > 0) throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
    } finally {
      backup.close();
    }
  } finally {
    db.close();
  }
}

function nativeOf(db: Database): NativeDatabase {
  const [symbol] = Object.getOwnPropertySymbols(db);
  return (db as unknown as Record<symbol, NativeDatabase>)[symbol!]!;
}

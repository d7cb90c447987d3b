// The tables of the catalogue, and the migrations of an older catalogue to this version.
import { fail } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import { atomically } from '../engines/transaction.ts';

/** One step per version; the database's `user_version` counts the completed ones. Never edit a released step. */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE databases (
     id TEXT PRIMARY KEY NOT NULL,
     name TEXT NOT NULL,
     name_key TEXT NOT NULL UNIQUE,
     file TEXT NOT NULL UNIQUE,
     created_at_ms INTEGER NOT NULL,
     last_used_at_ms INTEGER NOT NULL,
     durability TEXT NOT NULL CHECK (durability IN ('full', 'balanced')),
     source_file_name TEXT,
     source_path TEXT,
     source_id TEXT,
     imported_at_ms INTEGER
   ) STRICT;
   -- Pool files under construction: what is still here at the start was left by a crash and is removed.
   CREATE TABLE unfinished (file TEXT PRIMARY KEY NOT NULL) STRICT;
   CREATE TABLE state (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT`,
  // State of a database and the file it came from when both were the same.
  `CREATE TABLE baselines (database TEXT PRIMARY KEY NOT NULL, json TEXT NOT NULL) STRICT`,
  `CREATE TABLE files_in_place (
     id TEXT PRIMARY KEY NOT NULL,
     file_name TEXT NOT NULL,
     display_path TEXT NOT NULL,
     source_id TEXT NOT NULL,
     size_bytes INTEGER NOT NULL,
     first_used_at_ms INTEGER NOT NULL,
     last_used_at_ms INTEGER NOT NULL
   ) STRICT`,
  `ALTER TABLE files_in_place ADD COLUMN durability TEXT NOT NULL DEFAULT 'full' CHECK (durability IN ('full', 'balanced'))`,
  `CREATE TABLE benchmark_runs (
     id TEXT PRIMARY KEY NOT NULL,
     title TEXT NOT NULL,
     saved_at_ms INTEGER NOT NULL,
     origin TEXT,
     facts TEXT NOT NULL,
     json TEXT NOT NULL
   ) STRICT`,
  // Runs in SQL tabs. `chars` and `bytes`: the length of the text that ran, and of what is kept of it.
  `CREATE TABLE query_runs (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     database TEXT NOT NULL,
     database_name TEXT NOT NULL,
     started_at_ms INTEGER NOT NULL,
     outcome TEXT CHECK (outcome IN ('done', 'failed', 'stopped')),
     time_ms REAL,
     statements INTEGER NOT NULL DEFAULT 0,
     rows INTEGER,
     rows_changed INTEGER NOT NULL DEFAULT 0,
     error TEXT,
     chars INTEGER NOT NULL,
     bytes INTEGER NOT NULL,
     parameters TEXT NOT NULL,
     sql TEXT NOT NULL
   ) STRICT`,
  // Queries and snippets that users have named. `database` null: for all.
  `CREATE TABLE saved_queries (
     id TEXT PRIMARY KEY NOT NULL,
     name TEXT NOT NULL,
     folder TEXT NOT NULL,
     tags TEXT NOT NULL,
     kind TEXT NOT NULL,
     database TEXT,
     sql TEXT NOT NULL,
     saved_at_ms INTEGER NOT NULL
   ) STRICT`,
  // Changes of tables that wait to be saved. `is_saving`: saving has begun, and its outcome is not known yet.
  `CREATE TABLE held (
     database TEXT PRIMARY KEY NOT NULL,
     is_on INTEGER NOT NULL DEFAULT 0,
     is_saving INTEGER NOT NULL DEFAULT 0
   ) STRICT;
   CREATE TABLE held_steps (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     database TEXT NOT NULL,
     undone INTEGER NOT NULL DEFAULT 0,
     text TEXT NOT NULL
   ) STRICT;
   CREATE INDEX held_steps_of_database ON held_steps (database, undone, id)`,
  `ALTER TABLE saved_queries ADD COLUMN shortcut INTEGER CHECK (shortcut BETWEEN 1 AND 9)`,
  // Where edits of the file go; NULL: not decided. Files from before the question was asked were opened to be edited in place.
  `ALTER TABLE files_in_place ADD COLUMN editing TEXT CHECK (editing IN ('file', 'copy'));
   UPDATE files_in_place SET editing = 'file'`,
];

/** @throws AppError `too-new` when a newer version of Sidelite has used the catalogue */
export function migrate(connection: Connection): void {
  const version = Number(connection.one('PRAGMA user_version')?.[0] ?? 0);
  if (version > MIGRATIONS.length) {
    fail(
      'too-new',
      'The library was last used by a newer version of Sidelite. Nothing was changed. Update this version to open it.',
    );
  }
  MIGRATIONS.slice(version).forEach((step, index) =>
    atomically(connection, () => {
      const script = connection.script(step);
      for (let statement = script.next(); statement; statement = script.next()) while (statement.step());
      script.dispose();
      connection.run(`PRAGMA user_version = ${version + index + 1}`);
    }),
  );
}

// SQLite's authorizer codes and PRAGMA names, and what they mean for what a statement may do.
import type { DefinedObject } from '../../engine.ts';

/** Action codes (sqlite.org/c3ref/c_alter_table.html). */
export const Action = {
  createTempTrigger: 5,
  dropTempTrigger: 14,
  pragma: 19,
  read: 20,
  transaction: 22,
  attach: 24,
  detach: 25,
  alterTable: 26,
  reindex: 27,
  function: 31,
  savepoint: 32,
} as const;

/** Codes that create one object of `main`. */
export const CREATES: Readonly<Partial<Record<number, DefinedObject['kind']>>> = {
  1: 'index',
  2: 'table',
  7: 'trigger',
  8: 'view',
  29: 'virtual',
};

/** Codes that create or drop something outside `temp`: the position of the table's name among the arguments. */
export const SCHEMA_CHANGES: Readonly<Partial<Record<number, 'first' | 'second'>>> = {
  1: 'second', // CREATE INDEX
  2: 'first', // CREATE TABLE
  7: 'second', // CREATE TRIGGER
  8: 'first', // CREATE VIEW
  10: 'second', // DROP INDEX
  11: 'first', // DROP TABLE
  16: 'second', // DROP TRIGGER
  17: 'first', // DROP VIEW
  29: 'first', // CREATE VIRTUAL TABLE
  30: 'first', // DROP VIRTUAL TABLE
};

/** Written to the file when a value is given. `page_size` only counts for the next VACUUM. */
export const FILE_PRAGMAS: ReadonlySet<string> = new Set([
  'application_id',
  'auto_vacuum',
  'journal_mode',
  'schema_version',
  'user_version',
]);

/** Decide about what else a statement writes. */
export const DECIDING_PRAGMAS: ReadonlySet<string> = new Set(['foreign_keys', 'recursive_triggers']);

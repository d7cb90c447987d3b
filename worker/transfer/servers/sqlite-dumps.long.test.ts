// Small dumps of the program sqlite3 and of Python's module: the same tables with the same values as in the database that they were made of.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Value } from '#shared/protocol/values.ts';
import { opened, PLACES } from '../transfer-fixture.test-suite.ts';

interface Dump {
  readonly name: string;
  readonly file: string;
  /** The query that the rows answer, by table. */
  readonly tables: Readonly<Record<string, { readonly sql: string; readonly rows: readonly (readonly string[])[] }>>;
  /** Type, name, and SQL. */
  readonly objects: readonly (readonly [string, string, string | null])[];
  readonly bytes: Uint8Array;
}

/** Python makes them, and reads the databases. */
function dumps(): readonly Dump[] {
  const folder = mkdtempSync(join(tmpdir(), 'dumps-'));
  try {
    const script = join(import.meta.dirname, 'sqlite_dumps.py');
    const output = execFileSync('python3', [script, folder], { maxBuffer: 1 << 28 });
    const made = JSON.parse(output.toString()) as readonly Omit<Dump, 'bytes'>[];
    return made.map((dump) => ({ ...dump, bytes: new Uint8Array(readFileSync(join(folder, dump.file))) }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;
const DUMPS = HAS_PYTHON ? dumps() : [];
/** Beginnings of statements that SQLite does not run either. */
const LISTED: Readonly<Record<string, readonly string[]>> = {
  'infinite numbers, written by the module': ['INSERT INTO "t" V', 'INSERT INTO "t" V'],
  // Python writes the rows of virtual tables twice.
  'full-text search, written by the module': [
    'INSERT INTO "f" V',
    ...["CREATE TABLE 'f_c", "CREATE TABLE 'f_c", 'INSERT INTO "f_co', 'INSERT INTO "f_co'],
    ...["CREATE TABLE 'f_d", "CREATE TABLE 'f_d", 'INSERT INTO "f_do', "CREATE TABLE 'f_i"],
  ],
  'R-Tree, written by the module': [
    ...['INSERT INTO "r" V', 'INSERT INTO "r" V', 'CREATE TABLE "r_n', 'CREATE TABLE "r_p', 'CREATE TABLE "r_r'],
  ],
};
/** What is left of their rows. */
const LOST: Readonly<Record<string, readonly unknown[]>> = {
  'infinite numbers, written by the module': [['integer 31']],
};

/** A real number of SQLite, and as Python writes it. */
const plain = (value: Value): unknown =>
  typeof value === 'object' && value !== null && 'real' in value ? value.real : value;
const written = (value: string): unknown =>
  value.startsWith('real ') ? Number(value.slice(5).replace('inf', 'Infinity')) : value;

describe.each(PLACES)('dumps of SQLite read by the %s engine', (_engine, place) => {
  test.runIf(HAS_PYTHON)('there are many', () => expect(DUMPS.length).toBeGreaterThan(40));
  test.each(DUMPS)('$name', async ({ name, bytes, tables, objects }) => {
    const { connection, contents } = await opened(place, bytes, { dialect: 'sqlite' });
    expect(contents.sql!.statements.map(({ text }) => text.slice(0, 17))).toEqual(LISTED[name] ?? []);
    for (const { sql, rows } of Object.values(tables))
      expect(connection.all(sql).map((row) => row.map(plain))).toEqual(
        LOST[name] ?? rows.map((row) => row.map(written)),
      );
    const made = connection.all(
      "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name, type",
    );
    // The program writes a line end where a definition may end with a comment.
    expect(made.map(([type, name, sql]) => [type, name, String(sql).trimEnd()])).toEqual(objects);
  });
});

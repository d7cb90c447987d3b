// For tests: exports straight from a connection of either engine, and databases compared value by value with an independent reader.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { DEFAULT_EXPORT_OPTIONS } from '#shared/protocol/export.ts';
import type { ExportOptions, ExportReply, ExportSource } from '#shared/protocol/export.ts';
import { sampleEngines } from '../engines/sample-engines.test-suite.ts';
import type { Connection, Engine } from '../engines/engine.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { createWasmEngine, IN_MEMORY } from '../engines/wasm/wasm-engine.ts';
import type { Turn } from '../sessions/session.ts';
import type { BlobFiles } from './blob-files.ts';
import { formatOf } from './formats/all.ts';
import { runExport } from './run-export.ts';
import { undisturbedTurn } from '../sessions/undisturbed-turn.ts';

export const [native, wasm] = [await createNativeEngine(), (await createWasmEngine()).engine];
export const ENGINES: readonly (readonly [string, Engine])[] = [
  ['wasm', wasm],
  ['native', native],
];
sampleEngines(['wasm', 'native']);

export const HAS_SHELL = spawnSync('sqlite3', ['--version']).status === 0;

/** A database of `engine`, created by `sql`; closed when the test ends. */
export function databaseOf(engine: Engine, sql: string): Connection {
  const location = engine === wasm ? IN_MEMORY : join(temporaryFolder(), 'original.db');
  const connection = engine.open(location, { durability: 'balanced', create: true, untrusted: false });
  onTestFinished(() => connection.close());
  engines.set(connection, engine);
  runScript(connection, sql);
  return connection;
}

export function runScript(connection: Connection, sql: string): void {
  const script = connection.script(sql);
  for (let statement = script.next(); statement; statement = script.next()) while (statement.step());
  script.dispose();
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sidelite-export-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Exported extends ExportReply {
  readonly bytes: Buffer;
  readonly text: string;
}

export function exported(
  connection: Connection,
  source: ExportSource,
  format: string,
  options: Partial<ExportOptions> = {},
  isFragment = false,
  maxRows: number | null = null,
): Exported {
  const chunks: Uint8Array[] = [];
  const body = runExport(undisturbedTurn(connection), {
    source,
    format: formatOf(format),
    options: { ...DEFAULT_EXPORT_OPTIONS, ...options },
    sink: { write: async (bytes) => void chunks.push(bytes), finish: async () => undefined },
    maxRows,
    maxBytes: null,
    isFragment,
    reader: null,
    report: async () => undefined,
  });
  let step = body.next();
  while (!step.done) step = body.next();
  const bytes = Buffer.concat(chunks);
  return { ...step.value, bytes, text: bytes.toString('utf8') };
}

export const ofTable = (
  table: string,
  rest: Omit<Extract<ExportSource, { kind: 'table' }>, 'kind' | 'table'> = {},
): ExportSource => ({
  kind: 'table',
  table,
  ...rest,
});

/** Rows as another build of SQLite reads them, INTEGER as bigint. */
export type ReadAll = (sql: string) => unknown[][];

export function readFile(file: string): ReadAll & { readonly database: DatabaseSync } {
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  const all = (sql: string): unknown[][] => {
    const statement = database.prepare(sql);
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    return statement.all() as unknown as unknown[][];
  };
  return Object.assign(all, { database });
}

/** Runs a dump into its own file: read by Node's SQLite, or by SQLite's shell. */
export function readDump(dump: string, by: 'node:sqlite' | 'sqlite3' = 'node:sqlite'): ReadAll {
  const file = join(temporaryFolder(), 'read.db');
  if (by === 'sqlite3') execFileSync('sqlite3', ['-bail', file], { input: dump });
  const all = readFile(file);
  if (by === 'node:sqlite') all.database.exec(dump);
  return all;
}

/** Everything in a database as text that is equal only for equal values. */
export function contentsOf(all: (sql: string) => readonly (readonly unknown[])[]): Record<string, unknown> {
  const contents: Record<string, unknown> = {
    schema: all(
      "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow') AND name <> 'sqlite_stat4' ORDER BY type, name",
    ).map((row) => row.map(String)),
    pragmas: ['user_version', 'application_id'].map((pragma) => String(all(`PRAGMA ${pragma}`)[0]![0])),
  };
  const tables = all(
    "SELECT name, wr, type FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual') AND name NOT IN ('sqlite_schema', 'sqlite_stat4') ORDER BY name",
  );
  for (const [name, withoutRowid] of tables as [string, number | bigint][]) {
    const quoted = `"${name.replaceAll('"', '""')}"`;
    const columns = all(`SELECT name FROM pragma_table_xinfo('${name.replaceAll("'", "''")}') WHERE hidden <> 1`).map(
      ([column]) => `"${String(column).replaceAll('"', '""')}"`,
    );
    const isOwn = name.startsWith('sqlite_');
    const rowid = Number(withoutRowid) === 0 && !isOwn ? ['rowid'] : [];
    const list = [...rowid, ...columns].map(
      (column) => `typeof(${column}), iif(typeof(${column}) = 'text', hex(${column}), ${column})`,
    );
    contents[name] = all(
      `SELECT ${list.join(', ')} FROM ${quoted} ORDER BY ${isOwn ? '1, 2, 3' : (rowid[0] ?? columns[0])}`,
    ).map((row) => row.map(exactText));
  }
  return contents;
}

function exactText(value: unknown): string {
  if (value instanceof Uint8Array) return `blob ${Buffer.from(value).toString('hex')}`;
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'object' && value !== null && 'real' in value) return exactText(value.real);
  return String(value);
}

export const contentsOfConnection = (connection: Connection) => contentsOf((sql) => connection.all(sql));

/** Exports in a format that is packed or built, which takes its time. */
export async function exportedFile(
  connection: Connection,
  source: ExportSource,
  format: string,
  options: Partial<ExportOptions> = {},
  blobFiles: BlobFiles | null = null,
): Promise<Exported> {
  const chunks: Uint8Array[] = [];
  let pause: Promise<unknown> = Promise.resolve();
  const turn: Turn = { ...undisturbedTurn(connection), pauseUntil: (settled) => void (pause = settled) };
  const scratch = formatOf(format).needsScratch ? databaseOf(connectionEngine(connection), '') : undefined;
  const body = runExport(turn, {
    blobFiles,
    ...(scratch && { scratch }),
    source,
    format: formatOf(format),
    options: { ...DEFAULT_EXPORT_OPTIONS, ...options },
    sink: { write: async (bytes) => void chunks.push(bytes), finish: async () => undefined },
    maxRows: null,
    maxBytes: null,
    isFragment: false,
    reader: null,
    report: async () => undefined,
  });
  let step = body.next();
  for (; !step.done; step = body.next()) await pause;
  const bytes = Buffer.concat(chunks);
  return { ...step.value, bytes, text: '' };
}

const engines = new WeakMap<Connection, Engine>();

const connectionEngine = (connection: Connection): Engine => engines.get(connection) ?? wasm;

// better-sqlite3 as its own users call it: what every ratio is measured against, so nothing of the product stands in its way.
import type { EngineDefinition } from '#shared/bench/engines.ts';
import type { Pragmas } from '#shared/bench/profile.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { loadBetterSqlite, type Database } from '../../engines/native/runtime/load.ts';
import { packRow, type NativeRow } from '../../engines/native/statements/row.ts';
import { sinkRows, sqliteFacts, syncDatabase, type SyncBinding } from '../drivers/database.ts';
import type { BenchDatabase, BenchDriver, DriverLocation } from '../driver.ts';
import type { ReadStep } from '../program.ts';
import { addonsMs, hashOfAddon } from './addon-notes.ts';
import { fileDriver } from './node-driver.ts';

export async function startDriver(engine: EngineDefinition, place: DriverLocation): Promise<BenchDriver> {
  const constructor = await loadBetterSqlite();
  const memory = new constructor(':memory:', {});
  const codeMs = addonsMs();
  const facts = {
    ...(await sqliteFacts(bindingOf(memory))),
    sha256: hashOfAddon('better_sqlite3'),
    ...(codeMs !== undefined && { codeMs }),
  };
  return fileDriver(engine, place, {
    facts,
    open: (path, pragmas, sizeBytes) => betterSqliteDatabase(new constructor(path, {}), pragmas, sizeBytes),
    openInMemory: (file, pragmas) => betterSqliteDatabase(new constructor(Buffer.from(file), {}), pragmas, () => null),
  });
}

export function betterSqliteDatabase(db: Database, pragmas: Pragmas, sizeBytes: () => number | null): BenchDatabase {
  // Defensive mode, which its users have, refuses to work without a journal.
  const isDefensive = pragmas.journal_mode !== 'off';
  if (!isDefensive) db.unsafeMode(true);
  const database = syncDatabase(bindingOf(db), pragmas, {
    define(functions) {
      for (const { name, call } of functions) db.function(name, { deterministic: true }, call as never);
    },
    defineTables(tables) {
      for (const { name, columns, argument, rows } of tables)
        db.table(name, {
          columns,
          parameters: [argument],
          *rows(given: never) {
            yield* rows(given);
          },
        });
    },
    pack: (read, rowsInPiece) => packed(db, read, rowsInPiece),
    objects(read) {
      const statement = db.prepare(read.sql);
      return read.params.flatMap((params) => statement.all(params) as Record<string, unknown>[]);
    },
    sizeBytes,
  });
  if (!isDefensive) db.unsafeMode(false);
  return database;
}

const bindingOf = (db: Database): SyncBinding => ({
  exec: (sql) => void db.exec(sql),
  prepare(sql) {
    const prepared = db.prepare(sql);
    const statement = prepared.reader ? prepared.raw(true) : prepared;
    return {
      run: (params) => statement.run(params).changes,
      read: (params, sink) => sinkRows(statement.all(params), sink),
      // The statements end with the garbage collector: there is no other way.
      finalize: () => undefined,
    };
  },
  close: () => db.close(),
});

function* packed(db: Database, read: ReadStep, rowsInPiece: number): Iterable<PackedRows> {
  const statement = db.prepare(read.sql).raw(true).safeIntegers(true);
  const columnCount = statement.columns().length;
  const next = (): PackedRowsWriter => new PackedRowsWriter(columnCount, { expectedRows: rowsInPiece });
  let writer = next();
  for (const params of read.params) {
    // Reads all at once: fetching one row after the other costs more.
    const rows = statement.all(params) as readonly NativeRow[];
    for (let at = 0; at < rows.length; at++) {
      if (writer.rowCount === rowsInPiece) {
        yield writer.finish();
        writer = next();
      }
      packRow(rows[at]!, columnCount, writer);
    }
  }
  if (writer.rowCount > 0) yield writer.finish();
}

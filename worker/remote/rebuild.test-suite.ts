// For tests: a server whose tables are made anew, and everything in a database as one value.
import { afterAll } from 'vitest';
import type { TestServer } from '../../build/sqld/test-server.ts';
import type { AppError } from '#shared/protocol/errors.ts';
import type { SchemaChange, SchemaChangeReport } from '#shared/protocol/schema-change.ts';
import type { Connection } from '../engines/engine.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { startNetwork } from '../engines/remote/network/network-thread.test-suite.ts';
import { createRemoteEngine } from '../engines/remote/remote-engine.ts';
import { openScratchFile } from '../native/transfer-files.ts';
import { removeScratchFolders } from '../native/scratch-folders.ts';
import { changeSchema } from '../schema-change/change.ts';
import { commitOnServer, schemaText } from '../schema-change/commit.ts';
import { Work } from '../schema-change/work.ts';
import { RestingConnection } from '../sessions/resting-connection.ts';
import { undisturbedTurn } from '../sessions/undisturbed-turn.ts';
import { quoteName } from '../sql/quote.ts';

export interface Opener {
  /** A database of the server, as the app opens it. */
  there(location: string): Connection;
  /** An empty database on this computer. */
  here(): Connection;
}

// Otherwise they go with their process, which the runner kills.
afterAll(removeScratchFolders);

export async function opener({ url }: Pick<TestServer, 'url'>): Promise<Opener> {
  const native = await createNativeEngine();
  const here = (): Connection => openScratchFile(native).connection;
  const engine = await createRemoteEngine((location) => ({ url: url(location), token: null, readOnly: false }), {
    startNetwork,
    openNear: here,
  });
  const there = (location: string): Connection =>
    new RestingConnection(() => engine.open(location, { durability: 'full' }));
  return { here, there };
}

type Report = Omit<SchemaChangeReport, 'kept'>;

export function run<T>(connection: Connection, body: (work: Work) => Generator<unknown, T>): T {
  const steps = body(new Work(undisturbedTurn(connection), () => undefined));
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

export function make(connection: Connection, changes: readonly SchemaChange[]): Report {
  return run(connection, function* (work) {
    const before = schemaText(connection);
    const report = yield* changeSchema(work, changes);
    commitOnServer(work, before);
    return report;
  });
}

/** Definitions and values. */
export function dump(connection: Connection): unknown {
  const objects = connection.all(
    "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT GLOB 'sqlite_*' ORDER BY type, name",
  );
  const tables = objects.filter(([type]) => type === 'table').map(([, name]) => name as string);
  // Where no table counts any more, an empty list of counts may be left.
  const counts = objects.some(([, , , sql]) => String(sql).includes('AUTOINCREMENT')) ? ['sqlite_sequence'] : [];
  return {
    objects,
    rows: Object.fromEntries(
      [...tables, ...counts].map((table) => {
        const columns = connection.all('SELECT name FROM pragma_table_xinfo(?) WHERE hidden <> 1', [table]).flat();
        // Two versions of SQLite write a REAL in two ways.
        const values = columns
          .map((name) => quoteName(String(name)))
          .map((v) => `typeof(${v}), CASE typeof(${v}) WHEN 'real' THEN ${v} ELSE quote(${v}) END`);
        return [table, rowsOf(connection, `SELECT ${values.join(', ')} FROM ${quoteName(table)} ORDER BY 1, 2`)];
      }),
    ),
  };
}

/** A full-text table whose rows are elsewhere may not be readable. */
function rowsOf(connection: Connection, sql: string): unknown {
  try {
    return connection.all(sql);
  } catch (error) {
    return (error as AppError).code;
  }
}

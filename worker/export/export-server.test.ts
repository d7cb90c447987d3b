// Exporting the tables of a server, against a real one: in slices by key, with exact values, and reporting concurrent writes.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startTestServer } from '../../build/sqld/test-server.ts';
import type { TestServer } from '../../build/sqld/test-server.ts';
import { DEFAULT_EXPORT_OPTIONS } from '#shared/protocol/export.ts';
import type { ExportReply, ExportSource } from '#shared/protocol/export.ts';
import type { Connection } from '../engines/engine.ts';
import type { RemoteConnection } from '../engines/remote/remote-connection.ts';
import { serverEngine } from '../engines/remote/server-engine.test-suite.ts';
import { undisturbedTurn } from '../sessions/undisturbed-turn.ts';
import { wasm } from './export-fixture.test-suite.ts';
import { formatOf } from './formats/all.ts';
import { runExport } from './run-export.ts';

const ROWS = 9_000;
const server = await startTestServer();

describe.skipIf('why' in server)('the tables of a server', () => {
  const { url, controls, end } = server as TestServer;
  let engine: Awaited<ReturnType<typeof serverEngine>>;
  let connection: RemoteConnection;
  const open = (): RemoteConnection => engine.open('exported', { durability: 'full' }) as RemoteConnection;
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})`;
  beforeAll(async () => {
    engine = await serverEngine(url);
    connection = open();
    connection.run('CREATE TABLE big(id INTEGER PRIMARY KEY, n INTEGER, t TEXT)');
    connection.run(`${numbers} INSERT INTO big SELECT i * 3, 9007199254740993 + i, 'row ' || i FROM n`);
    connection.run('CREATE TABLE keyed(a TEXT, b INTEGER, v, PRIMARY KEY (b, a)) WITHOUT ROWID');
    connection.run(`${numbers} INSERT INTO keyed SELECT 'k' || i, i % 7, NULL FROM n`);
    connection.run('CREATE TABLE mixed(a TEXT, b INTEGER, PRIMARY KEY (b DESC, a)) WITHOUT ROWID');
    connection.run(`${numbers} INSERT INTO mixed SELECT 'k' || i, i % 7 FROM n`);
    connection.run('CREATE TABLE odd(v)');
    connection.run(
      "INSERT INTO odd VALUES (9e999), (-9e999), (CAST(x'61ff' AS TEXT)), (5e-324), (9223372036854775807), (x'00ff'), (NULL), (7.0)",
    );
    connection.run('CREATE TABLE wide(id INTEGER PRIMARY KEY, b BLOB)');
    connection.run(`${numbers} INSERT INTO wide SELECT i, zeroblob(40000) FROM n WHERE i <= 400`);
  });
  afterAll(async () => {
    connection.close();
    await end();
  });

  interface Exported {
    readonly reply: ExportReply;
    readonly scratch: Connection;
    readonly requests: number;
    readonly rowsRead: number;
  }

  function exported(source: ExportSource, { between = () => {}, ...job }: Partial<Job> = {}): Exported {
    const scratch = wasm.open(':memory:', { durability: 'balanced', create: true });
    onTestFinished(() => scratch.close());
    const [requests, { read }] = [controls.requests, connection.rowsTouched];
    const body = runExport(undisturbedTurn(connection), {
      ...{ source, format: formatOf('sqlite'), options: DEFAULT_EXPORT_OPTIONS, scratch, isFragment: false },
      ...{ maxRows: null, maxBytes: null, reader: null, report: () => Promise.resolve() },
      sink: { write: () => Promise.resolve(), finish: () => Promise.resolve() },
      ...job,
    });
    for (let step = body.next(); ; step = body.next()) {
      if (!step.done) between();
      else return { reply: step.value, scratch, requests: controls.requests - requests, rowsRead: connection.rowsTouched.read - read }; // prettier-ignore
    }
  }
  type Job = Parameters<typeof runExport>[1] & { readonly between: () => void };

  it('are read by key in slices, each row once, and without a row being left out', () => {
    const { reply, scratch, rowsRead, requests } = exported({ kind: 'tables', tables: ['big', 'keyed'] });
    expect(reply).toMatchObject({ rows: 2 * ROWS, notes: [] });
    for (const table of ['big', 'keyed'])
      expect(scratch.all(`SELECT * FROM ${table}`)).toEqual(connection.all(`SELECT * FROM ${table}`));
    expect(rowsRead).toBeLessThan(2 * ROWS + 100);
    expect(requests).toBeLessThan(30);
  });

  it('are complete where a key has columns in different directions', () => {
    const { scratch } = exported({ kind: 'tables', tables: ['mixed'] });
    expect(scratch.all('SELECT * FROM mixed')).toEqual(connection.all('SELECT * FROM mixed'));
  });

  it('keep every value, whatever has to be read twice for it', () => {
    const { scratch } = exported({ kind: 'tables', tables: ['odd'] });
    expect(scratch.all('SELECT v, typeof(v) FROM odd')).toEqual(connection.all('SELECT v, typeof(v) FROM odd'));
  });

  it('are read in smaller slices where rows are long, and no reply is too large', () => {
    const { reply, rowsRead } = exported({ kind: 'tables', tables: ['wide'] });
    expect(reply.rows).toBe(400);
    // Some rows of the first slice are read twice, because their size is not known yet.
    expect(rowsRead).toBeLessThan(400 + 300);
  });

  it('are previewed without being read', () => {
    const { reply, rowsRead } = exported({ kind: 'table', table: 'big' }, { format: formatOf('csv'), maxRows: 20 });
    expect(reply.rows).toBe(20);
    expect(rowsRead).toBeLessThan(60);
  });

  it('are said to be from different moments if another client wrote meanwhile', () => {
    const other = open();
    let written = 0;
    const { reply } = exported(
      { kind: 'tables', tables: ['big'] },
      { between: () => written++ === 0 && other.run('UPDATE big SET n = n + 1 WHERE id = 3') },
    );
    expect(reply.notes).toEqual([expect.stringMatching(/^Another client changed the database while it was read/)]);
    other.close();
  });
});

// A commit of a large transaction in WAL mode, whose checkpoint other threads make: what is there meanwhile and afterwards.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { LogMoved, Connection } from '../../engine.ts';
import { createNativeEngine } from '../native-engine.ts';
import { runCheckpoint, useCheckpointThreads, type CheckpointOrder } from './checkpoint-thread.ts';

const engine = await createNativeEngine();
const MODULE = JSON.stringify(new URL('./checkpoint-thread.ts', import.meta.url).href);
const RUN = `import(${MODULE}).then(({ runCheckpoint }) => runCheckpoint(require('node:worker_threads').workerData))`;
const ROWS = 20_000;

let folder: string;
let path: string;
let orders: CheckpointOrder[];
let open: Connection[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-commit-'));
  path = join(folder, 'file.sqlite3');
  orders = [];
  open = [];
  useCheckpointThreads((order) => {
    orders.push(order);
    return new Worker(RUN, { eval: true, workerData: order });
  });
});

afterEach(() => {
  useCheckpointThreads(null);
  for (const connection of open) connection.close();
  rmSync(folder, { recursive: true });
});

function connect(mode = 'wal'): Connection {
  const connection = engine.open(path, { durability: 'full', create: true });
  open.push(connection);
  connection.run(`PRAGMA journal_mode = ${mode}`);
  return connection;
}

function fill(connection: Connection, rows = ROWS): void {
  connection.run('CREATE TABLE t (a, b)');
  connection.run('BEGIN');
  connection.run('PRAGMA cache_size = 10');
  connection.run(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
     INSERT INTO t SELECT i, zeroblob(1500) FROM n`,
  );
}

const commit = (connection: Connection) => connection.commitInPieces!(() => void connection.run('COMMIT'), 8);
const rowsOf = (connection: Connection): unknown => connection.one('SELECT count(*), sum(a) FROM t');
const WHOLE = [ROWS, (ROWS * (ROWS + 1)) / 2];

async function toEnd(pieces: Generator<LogMoved>, between: (moved: LogMoved) => void = () => undefined): Promise<void> {
  for (const moved of pieces) {
    between(moved);
    await moved.until;
  }
}

it('lets others read between its pieces, tells how far it is, and leaves nothing to move', async () => {
  const connection = connect();
  fill(connection);
  const sizeBytes = connection.fileSizeBytes;
  const seen: unknown[] = [];
  const totals = new Set<number>();
  await toEnd(commit(connection), ({ doneBytes, totalBytes }) => {
    expect(doneBytes).toBeLessThanOrEqual(totalBytes);
    totals.add(totalBytes);
    if (connection.autocommit) seen.push(rowsOf(connection));
  });
  expect(orders).toHaveLength(1);
  expect(seen.length).toBeGreaterThan(0);
  expect(new Set(seen.map((row) => JSON.stringify(row)))).toEqual(new Set([JSON.stringify(WHOLE)]));
  const [pages, pageSize] = ['page_count', 'page_size'].map((name) => Number(connection.one(`PRAGMA ${name}`)![0]));
  expect(totals).toContain(pages! * pageSize! - sizeBytes);
  expect(statSync(path).size).toBe(pages! * pageSize!);
  const [isBusy, frames, moved] = connection.one('PRAGMA wal_checkpoint(PASSIVE)')!;
  expect([isBusy, moved]).toEqual([0, frames]);
  expect(connection.one('PRAGMA wal_autocheckpoint')).toEqual([1000]);
  expect(connection.one('PRAGMA integrity_check')).toEqual(['ok']);
});

it.each([
  ['a small one', 'wal', 100],
  ['one with a rollback journal', 'delete', ROWS],
])('is not made in pieces for %s', async (_what, mode, rows) => {
  const connection = connect(mode);
  fill(connection, rows);
  expect([...commit(connection)]).toEqual([]);
  expect(orders).toEqual([]);
  expect(rowsOf(connection)).toEqual([rows, (rows * (rows + 1)) / 2]);
});

it('fails as COMMIT does, and the transaction stays open', async () => {
  const connection = connect();
  connection.run('PRAGMA foreign_keys = ON');
  connection.run('CREATE TABLE p (id INTEGER PRIMARY KEY)');
  connection.run('CREATE TABLE c (p REFERENCES p (id) DEFERRABLE INITIALLY DEFERRED)');
  fill(connection);
  connection.run('INSERT INTO c VALUES (1)');
  await expect(toEnd(commit(connection))).rejects.toMatchObject({ code: 'constraint' });
  expect(connection.autocommit).toBe(false);
  connection.run('ROLLBACK');
  expect(orders).toEqual([]);
  expect(connection.one('PRAGMA wal_autocheckpoint')).toEqual([1000]);
});

/** In the place of a checkpoint: it runs until a while after it is no longer wanted. */
const LONG = `
  const words = new Int32Array(require('node:worker_threads').workerData.state);
  Atomics.store(words, 0, 1);
  while (Atomics.load(words, 1) === 0) Atomics.wait(words, 1, 0, 20);
  Atomics.wait(words, 0, 1, 200);
  Atomics.store(words, 0, 2);
  Atomics.notify(words, 0);`;

it('a connection that is closed while a checkpoint runs waits for its end', async () => {
  useCheckpointThreads((order) => {
    orders.push(order);
    return new Worker(LONG, { eval: true, workerData: order });
  });
  const { connection, words } = await begun();
  await expect.poll(() => Atomics.load(words, 0)).toBe(1);
  connection.close();
  expect(Atomics.load(words, 0)).toBe(2);
  expectWhole();
});

it('a connection that is closed at once has committed, and no checkpoint outlives it', async () => {
  const { connection, words } = await begun();
  connection.close();
  expect(Atomics.load(words, 0)).not.toBe(1);
  expectWhole();
});

/** A commit whose checkpoint has been started, and is not waited for. */
async function begun(): Promise<{ readonly connection: Connection; readonly words: Int32Array }> {
  const connection = connect();
  fill(connection);
  const pieces = commit(connection);
  for (let piece = pieces.next(); orders.length === 0; piece = pieces.next()) await piece.value?.until;
  pieces.return(undefined);
  open.pop();
  return { connection, words: new Int32Array(orders[0]!.state) };
}

function expectWhole(): void {
  const again = connect();
  expect(rowsOf(again)).toEqual(WHOLE);
  expect(again.one('PRAGMA integrity_check')).toEqual(['ok']);
}

it.each([
  ['cannot start', () => new Worker('throw new Error()', { eval: true })],
  [
    'fails to be made',
    () => {
      throw new Error('no threads');
    },
  ],
])('a thread that %s leaves the rows in the WAL', async (_what, start) => {
  useCheckpointThreads(start);
  const connection = connect();
  fill(connection);
  await toEnd(commit(connection));
  expect(rowsOf(connection)).toEqual(WHOLE);
  connection.checkpoint();
  expect(rowsOf(connection)).toEqual(WHOLE);
});

it('a checkpoint that is not wanted any more does not begin', async () => {
  const words = new Int32Array(new SharedArrayBuffer(8));
  Atomics.store(words, 1, 1);
  await runCheckpoint({ location: join(folder, 'none'), state: words.buffer as SharedArrayBuffer });
  expect(Atomics.load(words, 0)).toBe(2);
});

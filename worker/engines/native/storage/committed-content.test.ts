// Tests the committed content of a file in place: copied, restored, and told apart by its mark and its version.
import {
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../../engine.ts';
import type { TransactionChanges } from '../../transaction-changes.ts';
import { createNativeEngine } from '../native-engine.ts';

const engine = await createNativeEngine();
let folder: string;
let path: string;
const open: Connection[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-committed-'));
  path = join(folder, 'file.sqlite3');
});

afterEach(() => {
  for (const connection of open.splice(0)) connection.close();
  rmSync(folder, { recursive: true });
});

function connect(options: { create?: boolean } = {}): Connection {
  const connection = engine.open(path, { durability: 'full', ...options });
  open.push(connection);
  return connection;
}

/** Another database with what is committed, and how much was copied for it. */
function copyOf(connection: Connection): { readonly other: Connection; readonly sizeBytes: number } {
  const copy = join(folder, 'copy.sqlite3');
  const parts = { file: openSync(copy, 'w'), wal: openSync(`${copy}-wal`, 'w') };
  let sizeBytes = 0;
  for (const { part, bytes } of connection.copyCommitted()) sizeBytes += writeSync(parts[part], bytes);
  for (const part of Object.values(parts)) closeSync(part);
  const other = engine.open(copy, { durability: 'full' });
  open.push(other);
  return { other, sizeBytes };
}

describe.each(['delete', 'wal'])('committed content in journal mode %s', (mode) => {
  beforeEach(() => {
    const first = connect({ create: true });
    first.run(`PRAGMA journal_mode = ${mode}`);
    first.run('CREATE TABLE t(a)');
    first.run("INSERT INTO t VALUES ('committed')");
    open.pop()!.close();
  });

  it('is copied while a transaction is open', () => {
    const connection = connect();
    connection.run("INSERT INTO t VALUES ('committed too')");
    connection.run('BEGIN');
    connection.run("INSERT INTO t VALUES ('open')");
    const { other } = copyOf(connection);
    connection.run('ROLLBACK');
    expect(other.all('SELECT a FROM t')).toEqual([['committed'], ['committed too']]);
    expect(other.one('PRAGMA integrity_check')).toEqual(['ok']);
  });

  it('is copied without what a transaction has left behind that was rolled back', ({ skip }) => {
    skip(mode === 'delete');
    const connection = connect();
    connection.run('PRAGMA cache_size = 5');
    connection.run('BEGIN');
    connection.run(
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) INSERT INTO t SELECT zeroblob(5000) FROM n',
    );
    connection.run('ROLLBACK');
    connection.run("INSERT INTO t VALUES ('committed after it')");
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(2e6);
    const { other, sizeBytes } = copyOf(connection);
    expect(sizeBytes).toBeLessThan(1e5);
    expect(other.all('SELECT a FROM t')).toEqual([['committed'], ['committed after it']]);
  });

  it('is not copied when the open transaction has spilled into the file', ({ skip }) => {
    skip(mode === 'wal');
    const connection = connect();
    connection.run('PRAGMA cache_size = 5');
    connection.run('BEGIN');
    connection.run(
      'WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO t SELECT hex(zeroblob(500)) FROM n',
    );
    expect(() => connection.copyCommitted().next()).toThrow(expect.objectContaining({ code: 'unavailable' }));
    connection.run('ROLLBACK');
  });

  it('is made that of another file, in one go', () => {
    const other = join(folder, 'other.sqlite3');
    copyFileSync(path, other);
    const connection = connect();
    connection.run('CREATE TEMP TABLE mine(a)');
    connection.run('DELETE FROM t');
    const published: TransactionChanges[] = [];
    connection.onCommit((changes) => published.push(changes));
    connection.restoreFrom(other);
    expect(published).toEqual([{ tables: null, schema: true, log: null }]);
    expect(connection.all('SELECT a FROM t')).toEqual([['committed']]);
    expect(connection.all('SELECT * FROM mine')).toEqual([]);
    expect(connection.one('PRAGMA journal_mode')).toEqual([mode]);
    connection.run('BEGIN');
    expect(() => connection.restoreFrom(other)).toThrow(expect.objectContaining({ code: 'unavailable' }));
    connection.run('ROLLBACK');
  });

  it('has a mark that only a commit changes', () => {
    const first = connect();
    first.run("INSERT INTO t VALUES ('a')");
    const mark = first.commitMark;
    first.run('BEGIN');
    first.run("INSERT INTO t VALUES ('b')");
    first.run('ROLLBACK');
    expect(first.commitMark).toBe(mark);
    first.checkpoint();
    const atRest = first.commitMark;
    open.pop()!.close();
    const second = connect();
    expect(second.commitMark).toBe(atRest);
    second.run("INSERT INTO t VALUES ('c')");
    expect(second.commitMark).not.toBe(mark);
  });

  it('has a version that only commits of others change', async () => {
    const connection = connect();
    const { dataVersion } = connection;
    for (const sql of [
      "INSERT INTO t VALUES ('own')",
      'VACUUM',
      'ANALYZE',
      'PRAGMA journal_mode = delete',
      `PRAGMA journal_mode = ${mode}`,
    ])
      connection.run(sql);
    expect(connection.dataVersion).toBe(dataVersion);
    const other = (await createNativeEngine()).open(path, { durability: 'full' });
    open.push(other);
    expect(connection.dataVersion).toBe(dataVersion);
    other.run("INSERT INTO t VALUES ('theirs')");
    expect(connection.dataVersion).not.toBe(dataVersion);
  });

  it('keeps its mark through a look of others, and through an end without a word', async () => {
    const connection = connect();
    connection.run("INSERT INTO t VALUES ('last')");
    const { commitMark } = connection;
    const other = (await createNativeEngine()).open(path, { durability: 'full' });
    open.push(other);
    expect(other.all('SELECT a FROM t')).toHaveLength(2);
    expect([connection.commitMark, other.commitMark]).toEqual([commitMark, commitMark]);
    // A killed process leaves a WAL as it was, and shared memory that the next one recreates.
    const folderOfCopy = mkdtempSync(join(folder, 'killed-'));
    for (const suffix of ['', '-wal'])
      if (existsSync(path + suffix)) cpSync(path + suffix, join(folderOfCopy, 'file.sqlite3') + suffix);
    if (mode !== 'wal') return; // it counts when the file was written, which copying it is
    const again = engine.open(join(folderOfCopy, 'file.sqlite3'), { durability: 'full' });
    open.push(again);
    expect(again.commitMark).toBe(commitMark);
  });
});

// Tests what is reported, and what still works, when the pool has no file handle or the wasm module no memory left.
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Connection } from '../../engine.ts';
import { FaultLab } from './lab.test-suite.ts';
import { thrownBy } from '../../thrown-by.test-suite.ts';

let lab: FaultLab;
let connection: Connection;
beforeAll(async () => {
  lab = await FaultLab.open();
});
beforeEach(() => {
  lab.disk.start(null, 0);
  lab.disk.slots = Infinity;
});
afterEach(() => connection.close());

function table(): Connection {
  const db = lab.connect('full');
  db.run('CREATE TABLE t (id INTEGER PRIMARY KEY, v)');
  db.run('INSERT INTO t VALUES (1, 10)');
  return db;
}

describe('file handles', () => {
  test('a database whose log finds no free slot is not opened, and is once there is one', () => {
    const db = table();
    db.close();
    lab.disk.remove(`${db.location}-wal`);
    lab.disk.slots = 1;
    const error = thrownBy(() => lab.connect('full'));
    expect(error.code).toBe('full');
    expect(error.message).toContain('All file handles of the library are in use');
    lab.disk.slots = 2;
    connection = lab.connect('full');
    connection.run('INSERT INTO t VALUES (2, 20)');
    expect(connection.all('SELECT v FROM t')).toEqual([[10], [20]]);
  });
});

/** Far below the 2 GiB of the module, and without the minutes it takes to fill them. */
const MEMORY_BYTES = 24 << 20;

describe('memory', () => {
  beforeAll(() => {
    // Refused on our own connections. Can be lowered, never raised: this module is small from here on.
    const db = new lab.sqlite.package.oo1.DB(':memory:');
    db.exec(`PRAGMA hard_heap_limit = ${MEMORY_BYTES}`);
    db.close();
  });
  beforeEach(() => {
    connection = table();
  });

  test.each([
    [
      'a large sort',
      `WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 300000) SELECT i, hex(zeroblob(100)) AS h FROM n ORDER BY h, i DESC`,
    ],
    ['a large value', 'SELECT hex(zeroblob(20000000))'],
    [
      'a large group',
      `WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 300000) SELECT group_concat(hex(zeroblob(100))) FROM n`,
    ],
    ['a large insert', 'INSERT INTO t VALUES (5, randomblob(30000000))'],
  ])('%s ends in a sentence, and the connection goes on', (_name, sql) => {
    const error = thrownBy(() => connection.all(sql));
    expect(error.code).toBe('full');
    expect(error.message).toContain('There is not enough memory for this.');
    expect(connection.all('SELECT id, v FROM t')).toEqual([[1, 10]]);
    connection.run('INSERT INTO t VALUES (2, 20)');
    expect(connection.one('PRAGMA integrity_check')).toEqual(['ok']);
  });

  test('text and bytes that do not fit are refused before anything is written', () => {
    for (const value of ['x'.repeat(MEMORY_BYTES), new Uint8Array(MEMORY_BYTES)]) {
      const error = thrownBy(() => connection.run('INSERT INTO t VALUES (2, ?)', [value]));
      expect(error.code).toBe('full');
      expect(connection.all('SELECT id, v FROM t')).toEqual([[1, 10]]);
    }
  });

  test('a statement too large for the memory inside a transaction says what became of the transaction', () => {
    connection.run('BEGIN');
    connection.run('INSERT INTO t VALUES (2, 20)');
    const error = thrownBy(() => connection.run('INSERT INTO t VALUES (3, randomblob(30000000))'));
    expect(error.code).toBe('full');
    const rolledBack = connection.autocommit;
    expect(error.message.includes('The open transaction was rolled back.')).toBe(rolledBack);
    if (!rolledBack) connection.run('ROLLBACK');
    expect(connection.all('SELECT id, v FROM t')).toEqual([[1, 10]]);
  });

  test('a transaction larger than the memory', () => {
    const error = thrownBy(() => {
      connection.run('BEGIN');
      for (let id = 2; id < 60; id++) connection.run('INSERT INTO t VALUES (?, zeroblob(1000000))', [id]);
      connection.run('COMMIT');
    });
    expect(error.code).toBe('full');
    if (!connection.autocommit) connection.run('ROLLBACK');
    expect(connection.all('SELECT id, v FROM t')).toEqual([[1, 10]]);
    expect(connection.one('PRAGMA integrity_check')).toEqual(['ok']);
  });
});

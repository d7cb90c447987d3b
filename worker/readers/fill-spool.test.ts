import { describe, expect, test } from 'vitest';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { Connection } from '../engines/engine.ts';
import { bothEngines } from '../explore/both-engines.test-suite.ts';
import { undisturbedTurn } from '../sessions/undisturbed-turn.ts';
import { fillSpool } from './fill-spool.ts';
import { withLimit } from './short-values.test-suite.ts';
import { Spool } from './spool.ts';

const open = await bothEngines();
const LONGEST = 20;

function filled(connection: Connection, sql: string, width: number, isRepeatable = true): Spool {
  const spool = new Spool(width);
  const params = [1];
  const statement = connection.prepare(sql);
  statement.bind(params);
  const query = isRepeatable ? { sql, params } : null;
  for (const _pause of fillSpool(undisturbedTurn(connection), statement, query, spool, () => undefined, LONGEST));
  statement.finalize();
  return spool;
}

describe.each(['wasm', 'native'])('a result of the %s engine', (name) => {
  const connection = open(name);
  connection.run('CREATE TABLE t (id INTEGER PRIMARY KEY, v)');
  connection.run("INSERT INTO t VALUES (1, 'short'), (2, zeroblob(30)), (3, hex(zeroblob(15))), (4, NULL), (5, 2.5)");

  test('says what and how large a value is that the engine cannot read, in the order of the query', () => {
    const sql = 'SELECT v, id, v, 7 AS v FROM t WHERE id >= ? ORDER BY id DESC; -- the end\n';
    const spool = filled(withLimit(connection), sql, 4);
    const cells = new PackedRowsReader(spool.read(0, 10, Infinity));
    const rows = [0, 1, 2, 3, 4].map((row) => [
      cells.value(row, 1),
      cells.storageClass(row, 2),
      cells.sizeBytes(row, 2),
      cells.value(row, 3),
    ]);
    expect(rows.slice(0, 4)).toMatchObject([
      [5, 'real', 0, 7],
      [4, 'null', 0, 7],
      [3, 'text', 30, 7],
      [2, 'blob', 30, 7],
    ]);
    expect(cells.value(4, 0)).toBe('short');
    spool.dispose();
  });

  test('fails as it did where the statement cannot be run again', () => {
    const sql = 'SELECT v FROM t WHERE id >= ?';
    expect(() => filled(withLimit(connection), sql, 1, false)).toThrow('Too long.');
  });

  test('says from where on rows are missing if some are here already', () => {
    const spool = new Spool(1);
    const statement = connection.prepare('SELECT id FROM t');
    for (const _pause of fillSpool(undisturbedTurn(connection), statement, null, spool, () => undefined));
    statement.finalize();
    const failing = withLimit(connection).prepare('SELECT v FROM t');
    const again = fillSpool(
      undisturbedTurn(connection),
      failing,
      { sql: 'SELECT v FROM t', params: [] },
      spool,
      () => undefined,
    );
    expect(() => again.next()).toThrow('A value behind row 5 is larger than this engine supports');
    failing.finalize();
    spool.dispose();
  });
});

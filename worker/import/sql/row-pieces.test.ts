// Long INSERT statements, cut between their rows: what SQLite keeps of the pieces is what it keeps of the whole.
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { processorMsOf } from '#shared/processor-time.test-suite.ts';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { rowPieces } from './row-pieces.ts';

const LONG = 'x'.repeat(150_000);
const value = fc.constantFrom(
  ...['1', "'a'", "'),('", "''''", '"a"', 'abs(-1)', "X'00'", 'NULL', '[c]', '(2, 3) = (2, 3)', "'--'", '/* ) */ 4', `'${LONG}'`, `'${LONG}'`],
); // prettier-ignore
const statement = fc
  .record({
    verb: fc.constantFrom('INSERT INTO', 'INSERT OR IGNORE INTO', 'REPLACE INTO'),
    rows: fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }).map(String), value), { minLength: 2, maxLength: 12 }),
    comma: fc.constantFrom(',', ', ', ' ,\n', ', -- (1),\n', '/* ; */,'),
    clause: fc.constantFrom('', '', ' ', ' ON CONFLICT DO NOTHING', ' ON CONFLICT (a) DO NOTHING'),
  })
  .map(({ verb, rows, comma, clause }) =>
    [verb, ' t (a, "b") VALUES', rows.map((values) => `(${values.join(', ')})`).join(comma), clause].join(''),
  );

function kept(statements: readonly string[]): unknown {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE t (a INTEGER PRIMARY KEY, b, c); BEGIN');
  try {
    for (const sql of statements) database.exec(sql);
  } catch {
    database.exec('ROLLBACK');
  }
  const rows = database.prepare('SELECT * FROM t').all();
  database.close();
  return rows;
}

test('pieces keep what the whole statement keeps', () => {
  let cut = 0;
  fc.assert(
    fc.property(statement, (sql) => {
      const pieces = rowPieces(sql);
      if (pieces === null) return;
      if (pieces.rows.length > 1) cut++;
      expect(kept(pieces.rows.map((rows) => `${pieces.head}${rows}${pieces.clause}`))).toEqual(kept([sql]));
    }),
    { seed: 3, numRuns: seedCount(300) },
  );
  expect(cut).toBeGreaterThan(5);
});

test.each([
  ['a short one', 'INSERT INTO t VALUES (1)'],
  ['one that asks about other rows', `INSERT INTO t VALUES (1, '${LONG}${LONG}'), (2, (SELECT count(*) FROM t))`],
  ['one that asks for the last row', `INSERT INTO t VALUES (1, '${LONG}${LONG}'), (2, last_insert_rowid())`],
  ['rows of a query', `INSERT INTO t SELECT 1, '${LONG}${LONG}'`],
  ['one that may keep some of its rows', `INSERT OR FAIL INTO t VALUES (1, '${LONG}${LONG}'), (2, 3)`],
  ['one without an end', `INSERT INTO t VALUES (1, '${LONG}${LONG}'), (2, '`],
  ['one that compares all rows', `INSERT INTO t VALUES (1, '${LONG}${LONG}'), (2, 3) EXCEPT VALUES (2, 3)`],
  [
    'one whose conflicts read the table',
    `INSERT INTO t VALUES (1, '${LONG}${LONG}') ON CONFLICT (a) DO UPDATE SET b = 1`,
  ],
  [
    'one that compares all rows far behind',
    `INSERT INTO t VALUES (1, '${LONG}${LONG}'), (2, 3)${' '.repeat(2000)}EXCEPT VALUES (2, 3)`,
  ],
  ['one that returns rows', `INSERT INTO t VALUES (1, '${LONG}${LONG}'), (2, 3) RETURNING a`],
  ['an update', `UPDATE t SET b = '${LONG}${LONG}'`],
])('%s stays whole', (_, sql) => {
  expect(rowPieces(sql)).toBeNull();
});

test('a statement of tens of megabytes is cut in time proportional to its length', async () => {
  for (const row of ['(1),', "('a''b',(2)),", '((((((((1)))))))),', '(1) , -- x\n', "('),(" + "'),"]) {
    const sql = `INSERT INTO t VALUES ${row.repeat(8e6 / row.length)}(1)`;
    let pieces = 0;
    const ms = await processorMsOf(() => (pieces = rowPieces(sql)?.rows.length ?? 0));
    expect(pieces).toBeGreaterThan(15);
    expect(ms).toBeLessThan(4000);
  }
});

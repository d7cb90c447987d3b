// Rows from the engine to the screen: the same five columns as packed buffers, as cloned objects, and as JSON.
import { exec, inTransaction, read, run, type ReadStep } from '../program.ts';
import type { BenchSuite, BenchTest, Delivery } from '../suite.ts';

const TABLE = 'CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, value REAL, note TEXT, created INTEGER)';
const COLUMNS = 'id, name, value, note, created';
const WORDS = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'glade', 'heath'];

function delivered(form: Delivery['form'], title: string, query: (size: number) => ReadStep): BenchTest {
  return {
    id: form,
    title,
    kind: 'throughput',
    unit: 'ms',
    transaction: 'None: one query.',
    database: 'kept',
    measures: 'delivery',
    program: ({ size, random }) => {
      const rows = Array.from({ length: size }, (_, index) => [
        index + 1,
        `${random.pick(WORDS)}-${random.between(0, 99_999)}`,
        // Never whole: not every form tells 2.0 from 2.
        random.between(0, 1_000_000) + 0.25,
        `${random.pick(WORDS)} ${random.pick(WORDS)} ${random.pick(WORDS)}`,
        1_600_000_000 + random.between(0, 99_999_999),
      ]);
      return {
        prepare: [exec(TABLE), ...inTransaction(run(`INSERT INTO t (${COLUMNS}) VALUES (?, ?, ?, ?, ?)`, rows))],
        timed: [query(size)],
        check: [read('SELECT count(*), sum(id), sum(length(name)), sum(length(note)), sum(created) FROM t')],
        counted: { t: size },
        deliver: { read: query(size), form },
      };
    },
  };
}

const QUERY = `SELECT ${COLUMNS} FROM t ORDER BY id`;

/** Pieces like those of the other forms: a single text would be parsed in one piece, and the window could paint nothing meanwhile. */
const ROWS_IN_TEXT = 10_000;
const JSON_TEXT = `SELECT json_group_array(json_object('id', id, 'name', name, 'value', value, 'note', note, 'created', created)) FROM (SELECT ${COLUMNS} FROM t WHERE id BETWEEN ? AND ? ORDER BY id)`;

function texts(size: number): ReadStep {
  const ranges = Array.from({ length: Math.ceil(size / ROWS_IN_TEXT) }, (_, text) => [
    text * ROWS_IN_TEXT + 1,
    Math.min(size, (text + 1) * ROWS_IN_TEXT),
  ]);
  return read(JSON_TEXT, ranges);
}

export const transport: BenchSuite = {
  id: 'transport',
  tests: [
    delivered('packed', 'Packed buffers, as the product sends them', () => read(QUERY)),
    delivered('objects', 'An object a row, cloned', () => read(QUERY)),
    delivered('json', 'JSON, made by SQLite and parsed by the window, a text for 10,000 rows', texts),
  ],
};

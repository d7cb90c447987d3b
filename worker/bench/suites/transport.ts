// Rows from the engine to the screen: the same five columns as packed buffers, as cloned objects, and as one JSON text.
import { exec, inTransaction, read, run } from '../program.ts';
import type { BenchSuite, BenchTest, Delivery } from '../suite.ts';

const TABLE = 'CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, value REAL, note TEXT, created INTEGER)';
const COLUMNS = 'id, name, value, note, created';
const WORDS = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'glade', 'heath'];

function delivered(form: Delivery['form'], title: string, sql: string): BenchTest {
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
        timed: [read(sql)],
        check: [read('SELECT count(*), sum(id), sum(length(name)), sum(length(note)), sum(created) FROM t')],
        counted: { t: size },
        deliver: { read: read(sql), form },
      };
    },
  };
}

const QUERY = `SELECT ${COLUMNS} FROM t ORDER BY id`;

export const transport: BenchSuite = {
  id: 'transport',
  tests: [
    delivered('packed', 'Packed buffers, as the product sends them', QUERY),
    delivered('objects', 'An object a row, cloned', QUERY),
    delivered(
      'json',
      'One JSON text, made by SQLite and parsed by the window',
      `SELECT json_group_array(json_object('id', id, 'name', name, 'value', value, 'note', note, 'created', created)) FROM (${QUERY})`,
    ),
  ],
};

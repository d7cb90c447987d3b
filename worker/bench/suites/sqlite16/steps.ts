// The sixteen tests that wa-sqlite and PGlite publish (once SQLite's speedtest.tcl) as statements made from a seed. Random values are
// whole numbers below 100,000, as in the published files.
import type { Random } from '#shared/random.ts';
import { numberName } from '#shared/bench/speedtest1/numbers.ts';

export interface Sqlite16Test {
  /** Published number: 1 to 16, and 2.1 and 3.1 of PGlite. */
  readonly id: string;
  readonly title: string;
  /** Otherwise one transaction surrounds all statements. */
  readonly autocommit?: boolean;
  statements(random: Random): readonly string[];
  /** Rows in each table afterward. Where random values decide, no table is named. */
  readonly tables?: Readonly<Record<string, number>>;
}

const create = (table: string): string => `CREATE TABLE ${table}(a INTEGER, b INTEGER, c VARCHAR(100))`;
const query = 'SELECT count(*), avg(b) FROM t2 WHERE';
const between = (from: number, width: number): string => `${query} b>=${from} AND b<${from + width}`;

export const SQLITE16_TESTS: readonly Sqlite16Test[] = [
  {
    id: '1',
    title: '1000 INSERTs',
    autocommit: true,
    statements: (random) => [create('t1'), ...inserts('t1', 1000, random)],
    tables: { t1: 1000 },
  },
  {
    id: '2',
    title: '25000 INSERTs in a transaction',
    statements: (random) => [create('t2'), ...inserts('t2', 25_000, random)],
    tables: { t2: 25_000 },
  },
  {
    id: '2.1',
    title: '25000 INSERTs in one statement',
    statements: (random) => [create('t2_1'), insertList('t2_1', 25_000, random)],
    tables: { t2_1: 25_000 },
  },
  {
    id: '3',
    title: '25000 INSERTs into an indexed table',
    statements: (random) => [create('t3'), 'CREATE INDEX i3 ON t3(c)', ...inserts('t3', 25_000, random)],
    tables: { t3: 25_000 },
  },
  {
    // The published file creates its index on t3, and so measures 2.1 once more; here it is on the table that is filled.
    id: '3.1',
    title: '25000 INSERTs into an indexed table in one statement',
    statements: (random) => [create('t3_1'), 'CREATE INDEX i3_1 ON t3_1(c)', insertList('t3_1', 25_000, random)],
    tables: { t3_1: 25_000 },
  },
  {
    id: '4',
    title: '100 SELECTs without an index',
    statements: () => times(100, (i) => between((i - 1) * 100, 1000)),
  },
  {
    id: '5',
    title: '100 SELECTs on a string comparison',
    statements: () => times(100, (i) => `${query} c LIKE '%${numberName(i, '-')}%'`),
  },
  {
    id: '6',
    title: 'Creating an index',
    autocommit: true,
    statements: () => ['CREATE INDEX i2a ON t2(a)', 'CREATE INDEX i2b ON t2(b)'],
  },
  {
    // The ranges lie above all values from the 1,001st on and find nothing, as in the published file.
    id: '7',
    title: '5000 SELECTs with an index',
    statements: () => times(5000, (i) => between((i - 1) * 100, 100)),
  },
  {
    // t1 has 1,000 rows: the first hundred statements and one change some, the others none, as in the published file.
    id: '8',
    title: '1000 UPDATEs without an index',
    statements: () => times(1000, (i) => `UPDATE t1 SET b=b*2 WHERE a>=${(i - 1) * 10} AND a<${i * 10}`),
    tables: { t1: 1000 },
  },
  {
    id: '9',
    title: '25000 UPDATEs with an index',
    statements: (random) => times(25_000, (i) => `UPDATE t2 SET b=${below100k(random)} WHERE a=${i}`),
    tables: { t2: 25_000 },
  },
  {
    id: '10',
    title: '25000 text UPDATEs with an index',
    statements: (random) =>
      times(25_000, (i) => `UPDATE t2 SET c='${numberName(below100k(random), '-')}' WHERE a=${i}`),
    tables: { t2: 25_000 },
  },
  {
    id: '11',
    title: 'INSERTs from a SELECT',
    statements: () => ['INSERT INTO t1 SELECT b,a,c FROM t2', 'INSERT INTO t2 SELECT b,a,c FROM t1'],
    tables: { t1: 26_000, t2: 51_000 },
  },
  {
    id: '12',
    title: 'DELETE without an index',
    autocommit: true,
    statements: () => ["DELETE FROM t2 WHERE c LIKE '%fifty%'"],
  },
  {
    id: '13',
    title: 'DELETE with an index',
    autocommit: true,
    statements: () => ['DELETE FROM t2 WHERE a>10 AND a<20000'],
  },
  {
    id: '14',
    title: 'A big INSERT after a big DELETE',
    autocommit: true,
    statements: () => ['INSERT INTO t2 SELECT * FROM t1'],
    tables: { t1: 26_000 },
  },
  {
    id: '15',
    title: 'A big DELETE and many small INSERTs',
    statements: (random) => ['DELETE FROM t1', ...inserts('t1', 12_000, random)],
    tables: { t1: 12_000 },
  },
  {
    id: '16',
    title: 'DROP TABLE',
    autocommit: true,
    statements: () => ['DROP TABLE t1', 'DROP TABLE t2', 'DROP TABLE t3'],
  },
];

function values(i: number, random: Random): string {
  const value = below100k(random);
  return `(${i}, ${value}, '${numberName(value, '-')}')`;
}

function inserts(table: string, count: number, random: Random): readonly string[] {
  return times(count, (i) => `INSERT INTO ${table} VALUES${values(i, random)}`);
}

function insertList(table: string, count: number, random: Random): string {
  return `INSERT INTO ${table} VALUES ${times(count, (i) => values(i, random)).join(',\n')}`;
}

function below100k(random: Random): number {
  return Math.floor(random.next() * 100_000);
}

/** `make(1)` to `make(count)`. */
function times<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index + 1));
}

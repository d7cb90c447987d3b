// The sixteen tests that wa-sqlite and PGlite publish (once SQLite's speedtest.tcl) as statements made from a seed. Random values are
// whole numbers below 100,000, as in the published files. They run one after the other on one database, with the rows of its tables counted
// after each.
import type { Random } from '#shared/random.ts';
import { exec, read, type Step } from '../program.ts';
import type { BenchSuite, BenchTest } from '../suite.ts';
import { numberName } from '#shared/bench/speedtest1.ts';

interface Sqlite16Test {
  /** Published number: 1 to 16, and 2.1 and 3.1 of PGlite. */
  readonly id: string;
  readonly title: string;
  /** Rows in each table afterward. Where random values decide, no table is named. */
  readonly tables: Readonly<Record<string, number>>;
  readonly statements: (random: Random) => readonly string[];
  readonly isAutocommit: boolean;
}

const create = (table: string): string => `CREATE TABLE ${table}(a INTEGER, b INTEGER, c VARCHAR(100))`;
const query = 'SELECT count(*), avg(b) FROM t2 WHERE';
const between = (from: number, width: number): string => `${query} b>=${from} AND b<${from + width}`;

type Part = (
  id: string,
  title: string,
  tables: Sqlite16Test['tables'],
  statements: Sqlite16Test['statements'],
) => Sqlite16Test;

/** One transaction surrounds all statements. */
const whole: Part = (id, title, tables, statements) => ({ id, title, tables, statements, isAutocommit: false });
const single: Part = (...test) => ({ ...whole(...test), isAutocommit: true });

const SQLITE16_TESTS: readonly Sqlite16Test[] = [
  single('1', '1000 INSERTs', { t1: 1000 }, (random) => [create('t1'), ...inserts('t1', 1000, random)]),
  whole('2', '25000 INSERTs in a transaction', { t2: 25_000 }, (random) => [
    create('t2'),
    ...inserts('t2', 25_000, random),
  ]),
  whole('2.1', '25000 INSERTs in one statement', { t2_1: 25_000 }, (random) => [
    create('t2_1'),
    insertList('t2_1', 25_000, random),
  ]),
  whole('3', '25000 INSERTs into an indexed table', { t3: 25_000 }, (random) => [
    create('t3'),
    'CREATE INDEX i3 ON t3(c)',
    ...inserts('t3', 25_000, random),
  ]),
  // The published file creates its index on t3, and so measures 2.1 once more; here it is on the table that is filled.
  whole('3.1', '25000 INSERTs into an indexed table in one statement', { t3_1: 25_000 }, (random) => [
    create('t3_1'),
    'CREATE INDEX i3_1 ON t3_1(c)',
    insertList('t3_1', 25_000, random),
  ]),
  whole('4', '100 SELECTs without an index', {}, () => times(100, (i) => between((i - 1) * 100, 1000))),
  whole('5', '100 SELECTs on a string comparison', {}, () =>
    times(100, (i) => `${query} c LIKE '%${numberName(i, '-')}%'`),
  ),
  single('6', 'Creating an index', {}, () => ['CREATE INDEX i2a ON t2(a)', 'CREATE INDEX i2b ON t2(b)']),
  // The ranges lie above all values from the 1,001st on and find nothing, as in the published file.
  whole('7', '5000 SELECTs with an index', {}, () => times(5000, (i) => between((i - 1) * 100, 100))),
  // t1 has 1,000 rows: the first hundred statements and one change some, the others none, as in the published file.
  whole('8', '1000 UPDATEs without an index', { t1: 1000 }, () =>
    times(1000, (i) => `UPDATE t1 SET b=b*2 WHERE a>=${(i - 1) * 10} AND a<${i * 10}`),
  ),
  whole('9', '25000 UPDATEs with an index', { t2: 25_000 }, (random) =>
    times(25_000, (i) => `UPDATE t2 SET b=${below100k(random)} WHERE a=${i}`),
  ),
  whole('10', '25000 text UPDATEs with an index', { t2: 25_000 }, (random) =>
    times(25_000, (i) => `UPDATE t2 SET c='${numberName(below100k(random), '-')}' WHERE a=${i}`),
  ),
  whole('11', 'INSERTs from a SELECT', { t1: 26_000, t2: 51_000 }, () => [
    'INSERT INTO t1 SELECT b,a,c FROM t2',
    'INSERT INTO t2 SELECT b,a,c FROM t1',
  ]),
  single('12', 'DELETE without an index', {}, () => ["DELETE FROM t2 WHERE c LIKE '%fifty%'"]),
  single('13', 'DELETE with an index', {}, () => ['DELETE FROM t2 WHERE a>10 AND a<20000']),
  single('14', 'A big INSERT after a big DELETE', { t1: 26_000 }, () => ['INSERT INTO t2 SELECT * FROM t1']),
  whole('15', 'A big DELETE and many small INSERTs', { t1: 12_000 }, (random) => [
    'DELETE FROM t1',
    ...inserts('t1', 12_000, random),
  ]),
  single('16', 'DROP TABLE', {}, () => ['DROP TABLE t1', 'DROP TABLE t2', 'DROP TABLE t3']),
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

const TABLES_AT_THE_END = ['t2_1', 't3_1'];

export const sqlite16: BenchSuite = {
  id: 'sqlite16',
  tests: SQLITE16_TESTS.map((test): BenchTest => ({
    id: test.id,
    title: test.title,
    kind: 'throughput',
    unit: 'ms',
    transaction: test.isAutocommit ? 'Implicit: one for each statement.' : 'One transaction around all statements.',
    database: 'fresh',
    sequence: 'all',
    program: ({ random }) => ({
      prepare: [],
      timed: stepsOf(test, test.statements(random)),
      check: tablesAfter(test.id).map((table) => read(`SELECT count(*), sum(a), sum(b), sum(length(c)) FROM ${table}`)),
      counted: test.tables,
    }),
  })),
};

/** Queries are read row by row; everything else is one text, parsed in the time that is measured. */
function stepsOf(test: Sqlite16Test, statements: readonly string[]): readonly Step[] {
  const text = (part: readonly string[]): Step => exec(part.join(';\n'));
  if (!statements[0]!.startsWith('SELECT'))
    return [text(test.isAutocommit ? statements : ['BEGIN', ...statements, 'COMMIT'])];
  return [exec('BEGIN'), ...statements.map((sql) => read(sql)), exec('COMMIT')];
}

/** Tables that exist after the test `id`. */
function tablesAfter(id: string): readonly string[] {
  if (id === '16') return TABLES_AT_THE_END;
  const until = SQLITE16_TESTS.findIndex((test) => test.id === id) + 1;
  return [...new Set(SQLITE16_TESTS.slice(0, until).flatMap(({ tables }) => Object.keys(tables)))];
}

// The 32 tests of speedtest1's testset `main` (SQLite test/speedtest1.c, public domain) as data: the same statements with the same
// values in the same order, from `size` alone. Where speedtest1 uses one parameter twice these have two: some bindings take numbered
// parameters for named ones.
export interface Speedtest1Block {
  readonly number: number;
  readonly title: string;
  readonly steps: readonly Speedtest1Step[];
}

/** One statement, run once; or prepared and run with each of `rows`. */
type Speedtest1Step =
  | { readonly sql: string; readonly rows?: undefined }
  | { readonly sql: string; readonly rows: () => Generator<readonly (number | string)[]> };

/** Statements the tests of `main` run, as counted in the script that speedtest1 writes with --big-transactions (its prologue, PRAGMA threads, left out). */
export function statementCount(size: number): number {
  return 5900 * size + 128;
}

/** `size` is what speedtest1 calls --size: its tables hold 500 times as many rows. */
export function speedtest1Blocks(size: number): readonly Speedtest1Block[] {
  return [...fillAndScan(size * 500), ...indexAndChange(size * 500), ...joinAndRefill(size), ...byKey(size * 700)];
}

function fillAndScan(n: number): Speedtest1Block[] {
  const ones = roundUpToOnes(n);
  const numbered = function* (order: (i: number, swizzled: number) => readonly [number, number]) {
    for (let i = 1; i <= n; i++) {
      const swizzled = swizzle(i, ones);
      yield [...order(i, swizzled), numberName(swizzled)];
    }
  };
  const select = 'SELECT count(*), avg(b), sum(length(c)), group_concat(c) FROM z1';
  const insert = (
    table: string,
    order: (i: number, swizzled: number) => readonly [number, number],
  ): Speedtest1Step => ({
    sql: `INSERT INTO ${table} VALUES(?,?,?)`,
    rows: () => numbered(order),
  });
  return [
    transaction(100, `${n} INSERTs into table with no index`, [
      { sql: 'CREATE TABLE z1(a INTEGER, b INTEGER, c TEXT)' },
      insert('z1', (i, swizzled) => [swizzled, i]),
    ]),
    transaction(110, `${n} ordered INSERTS with one index/PK`, [
      { sql: 'CREATE TABLE z2(a INTEGER UNIQUE, b INTEGER, c TEXT)' },
      insert('z2', (i, swizzled) => [i, swizzled]),
    ]),
    transaction(120, `${n} unordered INSERTS with one index/PK`, [
      { sql: 'CREATE TABLE t3(a INTEGER UNIQUE, b INTEGER, c TEXT)' },
      insert('t3', (i, swizzled) => [swizzled, i]),
    ]),
    transaction(130, '25 SELECTS, numeric BETWEEN, unindexed', [
      { sql: `${select}\n WHERE b BETWEEN ? AND ?`, rows: () => ranges(25, n, (random) => random % ones) },
    ]),
    transaction(140, '10 SELECTS, LIKE, unindexed', [{ sql: `${select}\n WHERE c LIKE ?`, rows: patterns }]),
    transaction(142, '10 SELECTS w/ORDER BY, unindexed', [
      { sql: 'SELECT a, b, c FROM z1 WHERE c LIKE ?\n ORDER BY a', rows: patterns },
    ]),
    transaction(145, '10 SELECTS w/ORDER BY and LIMIT, unindexed', [
      { sql: 'SELECT a, b, c FROM z1 WHERE c LIKE ?\n ORDER BY a LIMIT 10', rows: patterns },
    ]),
  ];
}

function indexAndChange(n: number): Speedtest1Block[] {
  const ones = roundUpToOnes(n);
  const some = n / 5;
  const select = 'SELECT count(*), avg(b), sum(length(c)), group_concat(a)';
  const anywhere = () => ranges(some, n, (random) => random % ones);
  const names = function* () {
    for (let i = 1; i <= some; i++) {
      const name = numberName(swizzle(i, ones));
      yield [name, name];
    }
  };
  return [
    transaction(150, 'CREATE INDEX five times', [
      { sql: 'CREATE UNIQUE INDEX t1b ON z1(b)' },
      { sql: 'CREATE INDEX t1c ON z1(c)' },
      { sql: 'CREATE UNIQUE INDEX t2b ON z2(b)' },
      { sql: 'CREATE INDEX t2c ON z2(c DESC)' },
      { sql: 'CREATE INDEX t3bc ON t3(b,c)' },
    ]),
    transaction(160, `${some} SELECTS, numeric BETWEEN, indexed`, [
      { sql: `${select} FROM z1\n WHERE b BETWEEN ? AND ?`, rows: anywhere },
    ]),
    transaction(161, `${some} SELECTS, numeric BETWEEN, PK`, [
      { sql: `${select} FROM z2\n WHERE a BETWEEN ? AND ?`, rows: anywhere },
    ]),
    transaction(170, `${some} SELECTS, text BETWEEN, indexed`, [
      { sql: `${select} FROM z1\n WHERE c BETWEEN ? AND (?||'~')`, rows: names },
    ]),
    transaction(180, `${n} INSERTS with three indexes`, [
      { sql: 'CREATE TABLE t4(\n  a INTEGER UNIQUE,\n  b INTEGER,\n  c TEXT\n)' },
      { sql: 'CREATE INDEX t4b ON t4(b)' },
      { sql: 'CREATE INDEX t4c ON t4(c)' },
      { sql: 'INSERT INTO t4 SELECT * FROM z1' },
    ]),
    block(190, 'DELETE and REFILL one table', [{ sql: 'DELETE FROM z2' }, { sql: 'INSERT INTO z2 SELECT * FROM z1' }]),
    block(200, 'VACUUM', [{ sql: 'VACUUM' }]),
    block(210, 'ALTER TABLE ADD COLUMN, and query', [
      { sql: 'ALTER TABLE z2 ADD COLUMN d INT DEFAULT 123' },
      { sql: 'SELECT sum(d) FROM z2' },
    ]),
    transaction(230, `${some} UPDATES, numeric BETWEEN, indexed`, [
      { sql: 'UPDATE z2 SET d=b*2 WHERE b BETWEEN ? AND ?', rows: anywhere },
    ]),
    transaction(240, `${n} UPDATES of individual rows`, [
      { sql: 'UPDATE z2 SET d=b*3 WHERE a=?', rows: () => keys(n) },
    ]),
    block(250, `One big UPDATE of the whole ${n}-row table`, [{ sql: 'UPDATE z2 SET d=b*4' }]),
    block(260, 'Query added column after filling', [{ sql: 'SELECT sum(d) FROM z2' }]),
    transaction(270, `${some} DELETEs, numeric BETWEEN, indexed`, [
      {
        sql: 'DELETE FROM z2 WHERE b BETWEEN ? AND ?',
        rows: () => ranges(some, n, (random) => (random % ones) + 1),
      },
    ]),
    transaction(280, `${n} DELETEs of individual rows`, [{ sql: 'DELETE FROM t3 WHERE a=?', rows: () => keys(n) }]),
  ];
}

function joinAndRefill(size: number): Speedtest1Block[] {
  const n = size * 500;
  const neighbors = function* () {
    const random = new SpeedtestRandom();
    for (let i = 1; i <= n / 5; i++) {
      const from = (random.next() % n) + 1;
      yield [from, (random.next() % 10) + from + 4];
    }
  };
  const once = function* () {
    const rowid = estimatedSquareRoot(size) * 50;
    yield [rowid, rowid];
  };
  return [
    block(290, `Refill two ${n}-row tables using REPLACE`, [
      { sql: 'REPLACE INTO z2(a,b,c) SELECT a,b,c FROM z1' },
      { sql: 'REPLACE INTO t3(a,b,c) SELECT a,b,c FROM z1' },
    ]),
    block(300, `Refill a ${n}-row table using (b&1)==(a&1)`, [
      { sql: 'DELETE FROM z2' },
      { sql: 'INSERT INTO z2(a,b,c)\n SELECT a,b,c FROM z1  WHERE (b&1)==(a&1)' },
      { sql: 'INSERT INTO z2(a,b,c)\n SELECT a,b,c FROM z1  WHERE (b&1)<>(a&1)' },
    ]),
    transaction(310, `${n / 5} four-ways joins`, [
      {
        sql: 'SELECT z1.c FROM z1, z2, t3, t4\n WHERE t4.a BETWEEN ? AND ?\n   AND t3.a=t4.b\n   AND z2.a=t3.b\n   AND z1.c=z2.c',
        rows: neighbors,
      },
    ]),
    block(320, 'subquery in result set', [
      {
        sql: 'SELECT sum(a), max(c),\n       avg((SELECT a FROM z2 WHERE 5+z2.b=z1.b) AND rowid<?), max(c)\n FROM z1 WHERE rowid<?',
        rows: once,
      },
    ]),
  ];
}

function byKey(n: number): Speedtest1Block[] {
  // Narrower than n: about half of the keys come twice or more, which is what REPLACE is for.
  const ones = roundUpToOnes(Math.trunc(n / 3));
  const each = (row: (i: number, swizzled: number) => readonly (number | string)[]) =>
    function* () {
      for (let i = 1; i <= n; i++) yield row(i, swizzle(i, ones));
    };
  return [
    transaction(400, `${n} REPLACE ops on an IPK`, [
      { sql: 'CREATE TABLE t5(a INTEGER PRIMARY KEY, b)' },
      { sql: 'REPLACE INTO t5 VALUES(?,?)', rows: each((i, swizzled) => [swizzled, numberName(i)]) },
    ]),
    // One transaction, as with --big-transactions: what sqlite.org's own wasm pages run.
    transaction(410, `${n} SELECTS on an IPK`, [
      { sql: 'SELECT b FROM t5 WHERE a=?', rows: each((_, swizzled) => [swizzled]) },
    ]),
    transaction(500, `${n} REPLACE on TEXT PK`, [
      { sql: 'CREATE TABLE t6(a TEXT PRIMARY KEY, b)WITHOUT ROWID' },
      { sql: 'REPLACE INTO t6 VALUES(?,?)', rows: each((i, swizzled) => [numberName(swizzled), i]) },
    ]),
    transaction(510, `${n} SELECTS on a TEXT PK`, [
      { sql: 'SELECT b FROM t6 WHERE a=?', rows: each((_, swizzled) => [numberName(swizzled)]) },
    ]),
    block(520, `${n} SELECT DISTINCT`, [{ sql: 'SELECT DISTINCT b FROM t5' }, { sql: 'SELECT DISTINCT b FROM t6' }]),
    block(980, 'PRAGMA integrity_check', [{ sql: 'PRAGMA integrity_check' }]),
    block(990, 'ANALYZE', [{ sql: 'ANALYZE' }]),
  ];
}

function block(number: number, title: string, steps: readonly Speedtest1Step[]): Speedtest1Block {
  return { number, title, steps };
}

function transaction(number: number, title: string, steps: readonly Speedtest1Step[]): Speedtest1Block {
  return block(number, title, [{ sql: 'BEGIN' }, ...steps, { sql: 'COMMIT' }]);
}

/** Bounds of `count` short ranges; `from` turns a random number into the lower one. */
function* ranges(count: number, n: number, from: (random: number) => number) {
  const random = new SpeedtestRandom();
  for (let i = 1; i <= count; i++) {
    const lower = from(random.next());
    yield [lower, (random.next() % 10) + Math.trunc(n / 5000) + lower];
  }
}

function* keys(n: number) {
  const random = new SpeedtestRandom();
  for (let i = 1; i <= n; i++) yield [(random.next() % n) + 1];
}

/** The names of 1 to 10 without their last letter, between percent signs: speedtest1 writes its second one over that letter. */
function* patterns() {
  for (let i = 1; i <= 10; i++) yield [`%${numberName(i).slice(0, -1)}%`];
}

/** The generator of speedtest1: a shift register XOR a linear congruence. Each test restarts it. */
class SpeedtestRandom {
  #register = 0xad131d0b;
  #congruence = 0x44f9eac8;

  /** 32 bits, unsigned. */
  next(): number {
    const odd = (this.#register & 1) !== 0;
    this.#register = ((this.#register >>> 1) ^ (odd ? 0xd0000001 : 0)) >>> 0;
    this.#congruence = (Math.imul(this.#congruence, 1103515245) + 12345) >>> 0;
    return (this.#register ^ this.#congruence) >>> 0;
  }
}

/** The least number of the form 2^k - 1 that is not below `limit`. */
export function roundUpToOnes(limit: number): number {
  let ones = 1;
  while (ones < limit) ones = ones * 2 + 1;
  return ones;
}

/** The bits of `value` in reverse order, as many as `limit` has: neighbors land far apart, and each number comes once. */
export function swizzle(value: number, limit: number): number {
  let rest = value;
  let result = 0;
  for (let mask = limit; mask > 0; mask >>>= 1) {
    result = result * 2 + (rest & 1);
    rest >>>= 1;
  }
  return result;
}

/** The square root as speedtest1 estimates it: at most ten steps of Newton's method in whole numbers. */
function estimatedSquareRoot(value: number): number {
  let estimate = Math.trunc(value / 2);
  for (let step = 0; estimate > 0 && step < 10; step++) {
    const next = Math.trunc((estimate + Math.trunc(value / estimate)) / 2);
    if (next === estimate) break;
    estimate = next;
  }
  return estimate;
}

const ONES = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
  'eighteen nineteen'
).split(' ');
const TENS = ' ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const SCALES = [
  [1_000_000_000, 'billion'],
  [1_000_000, 'million'],
  [1000, 'thousand'],
] as const;

/** A number in English words. speedtest1 joins tens and ones by a space, the older suites by a hyphen. */
export function numberName(value: number, tensJoint: ' ' | '-' = ' '): string {
  const words: string[] = [];
  let rest = value;
  for (const [scale, name] of SCALES) {
    if (rest < scale) continue;
    words.push(numberName(Math.trunc(rest / scale), tensJoint), name);
    rest %= scale;
  }
  if (rest >= 100) {
    words.push(ONES[Math.trunc(rest / 100)]!, 'hundred');
    rest %= 100;
  }
  const tens = rest >= 20 ? TENS[Math.trunc(rest / 10)]! : '';
  if (tens !== '') rest %= 10;
  const ones = rest > 0 ? ONES[rest]! : '';
  const last = tens !== '' && ones !== '' ? tens + tensJoint + ones : tens + ones;
  if (last !== '') words.push(last);
  return words.join(' ') || 'zero';
}

/** All tests of `main` one after the other, as the user would paste them. */
function speedtest1Script(size: number): string {
  return `${speedtest1Blocks(size)
    .flatMap(({ steps }) => steps.flatMap(literalStatements))
    .join(';\n')};\n`;
}

/** A statement for each of its rows of values. */
export function literalStatements({ sql, rows }: Speedtest1Step): readonly string[] {
  if (!rows) return [sql];
  const literal = (value: number | string): string => (typeof value === 'number' ? String(value) : `'${value}'`);
  return [...rows()].map((values) => {
    const rest = values.values();
    return sql.replaceAll('?', () => literal(rest.next().value!));
  });
}

export interface SqlTabScript {
  /** Part of the names of its tests: never rename. */
  readonly id: 'speedtest1' | 'selects';
  readonly title: string;
  /** These queries read the script's results: the same in the tab and on every engine. */
  readonly check: readonly string[];
  /** The script at a size of speedtest1. */
  text(size: number): string;
  /** Number of statements that return rows. */
  results(size: number): number;
}

const SELECTS_OF_SIZE = 200;

export const SQL_TAB_SCRIPTS: readonly SqlTabScript[] = [
  {
    id: 'speedtest1',
    title: 'speedtest1 as one text',
    check: ['z1', 'z2', 't3', 't4'].map((table) => `SELECT count(*), sum(b), max(c) FROM ${table}`),
    text: speedtest1Script,
    // 700 reads by each of two keys, plus those of other tests.
    results: (size) => 1_400 * size,
  },
  {
    id: 'selects',
    title: '200 × size SELECTs of one row',
    check: [],
    text: (size) => Array.from({ length: SELECTS_OF_SIZE * size }, (_, n) => `SELECT ${n + 1} AS n;`).join('\n'),
    results: (size) => SELECTS_OF_SIZE * size,
  },
];

/** @throws Error for a test that is not in the suite */
export function sqlTabScriptOf(test: string): SqlTabScript {
  const script = SQL_TAB_SCRIPTS.find(({ id }) => test.startsWith(`${id}-`));
  if (!script) throw new Error(`There is no script for ${test}.`);
  return script;
}

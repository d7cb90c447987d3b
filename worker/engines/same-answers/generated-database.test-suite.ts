// A small database with everything SQLite stores: the ground for generated queries. The same for a seed.
import { createRandom } from '#shared/random.ts';

export const TABLES = {
  mixed: ['id', 'i', 'r', 't', 'b', 'n', 'x'],
  keyed: ['k', 'part', 'v', 'note'],
  typed: ['id', 'i', 'r', 't', 'b', 'a', 'double_i', 'low_t'],
  small: ['id', 'parent', 'name', 'weight'],
  joined: ['id', 'x', 'v', 'name'],
} as const;
export type TableName = keyof typeof TABLES;
export const TABLE_NAMES = Object.keys(TABLES) as readonly TableName[];

const SCHEMA = [
  'CREATE TABLE mixed(id INTEGER PRIMARY KEY, i INTEGER, r REAL, t TEXT, b BLOB, n NUMERIC, x)',
  'CREATE INDEX mixed_i ON mixed(i, r DESC)',
  'CREATE INDEX mixed_t ON mixed(t COLLATE NOCASE)',
  'CREATE INDEX mixed_lower ON mixed(lower(t), n)',
  'CREATE INDEX mixed_x ON mixed(x) WHERE x IS NOT NULL',
  'CREATE TABLE keyed(k TEXT, part INTEGER, v, note TEXT COLLATE NOCASE, PRIMARY KEY (k, part)) WITHOUT ROWID',
  'CREATE INDEX keyed_v ON keyed(v, note)',
  `CREATE TABLE typed(id INTEGER PRIMARY KEY, i INT, r REAL, t TEXT, b BLOB, a ANY,
     double_i INT GENERATED ALWAYS AS (i * 2) VIRTUAL, low_t TEXT GENERATED ALWAYS AS (lower(t)) STORED) STRICT`,
  'CREATE TABLE small(id INTEGER PRIMARY KEY, parent INTEGER REFERENCES small, name TEXT COLLATE RTRIM, weight REAL)',
  'CREATE VIEW joined AS SELECT m.id, m.x, k.v, s.name FROM mixed m LEFT JOIN keyed k ON k.part = m.id LEFT JOIN small s ON s.id = m.id % 12',
];

const INTEGERS = [
  '0', '1', '-1', '2', '7', '12', '-7', '255', '1000', '2147483648', '9007199254740991', '9007199254740993', '-9007199254740993',
  '9223372036854775807', '-9223372036854775808',
]; // prettier-ignore
const REALS = [
  '0.0', '-0.0', '1.0', '2.0', '-7.0', '0.1', '0.3', '3.25', '-2.5', '1e15', '123456789012345678.0', '9007199254740992.0', '1e-7', '5e-324',
  '2.2250738585072014e-308', '1.7976931348623157e308', '9e999', '-9e999', '2.5e-5', '1e21',
]; // prettier-ignore
const TEXTS = [
  "''", "'a'", "'A'", "'b '", "'b'", "'abc'", "'ABC'", "'ä'", "'Äpfel'", "'ß'", "'日本語'", "'😀 smile'", "'e' || char(769)", "'12'", "' 12 '",
  "'12abc'", "'1e3'", "'-0x1F'", "'%'", "'a_c'", "'it''s'", "'nul' || char(0) || 'behind'", "printf('%.*c', 3000, 'é')", "'2024-02-29'",
  "'9223372036854775808'", "'inf'", "'line' || char(10) || 'two'",
]; // prettier-ignore
const BLOBS = ["x''", "x'00'", "x'616263'", "x'ff00fe'", 'zeroblob(40)', "x'3132'"];

export const LITERALS = ['NULL', ...INTEGERS, ...REALS, ...TEXTS, ...BLOBS];
export const PATTERNS = [
  "'%a%'",
  "'A%'",
  "'_b_'",
  "'%ä%'",
  "'%'",
  "''",
  "'1%'",
  "'*[a-c]*'",
  "'?'",
  "x'6125'",
  'NULL',
  "'%😀%'",
  "'[^A-Z]*'",
];

/** @param analyzed with statistics, which only one engine uses in full */
export function generatedDatabase(seed: number, analyzed: boolean): string {
  const random = createRandom(seed);
  const of = (literals: readonly string[], nulls = 0.15): string =>
    random.chance(nulls) ? 'NULL' : random.pick(literals);
  const statements = [...SCHEMA];
  for (let id = 1; id <= 60; id++) {
    const numbers = random.chance(0.5) ? INTEGERS : REALS;
    statements.push(
      `INSERT INTO mixed VALUES (${random.chance(0.1) ? -id : id}, ${of(INTEGERS)}, ${of(REALS)}, ${of(TEXTS)}, ${of(BLOBS)}, ${of([...numbers, ...TEXTS])}, ${of(LITERALS)})`,
      `INSERT OR IGNORE INTO keyed VALUES (${of(TEXTS, 0)}, ${random.between(1, 30)}, ${of(LITERALS)}, ${of(TEXTS)})`,
      `INSERT INTO typed(id, i, r, t, b, a) VALUES (${id * 3}, ${of(INTEGERS.slice(0, 10))}, ${of(REALS)}, ${of(TEXTS)}, ${of(BLOBS)}, ${of(LITERALS)})`,
    );
  }
  for (let id = 1; id <= 12; id++)
    statements.push(
      `INSERT INTO small VALUES (${id}, ${id === 1 ? 'NULL' : random.between(1, id - 1)}, ${of(TEXTS)}, ${of(REALS)})`,
    );
  if (analyzed) statements.push('ANALYZE');
  return `${statements.join(';\n')};`;
}

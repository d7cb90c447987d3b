// Random schemas and random writes to them, from a seed: every kind of table, constraint, trigger and failure a row log has to get right.
import { createRandom } from '#shared/random.ts';
import type { Random } from '#shared/random.ts';

const TYPES = ['', 'INTEGER', 'REAL', 'TEXT', 'BLOB', 'NUMERIC'];
const VALUES = [
  'NULL',
  '0',
  '1',
  '-7',
  '2.0',
  '-0.5',
  '3.25',
  '9e999',
  '9223372036854775807',
  '-9007199254740993',
  "''",
  "'a'",
  "'A'",
  "'12'",
  "'ä€😀'",
  "'nul' || char(0) || 'behind'",
  "CAST(x'ff61fe' AS TEXT)",
  "x''",
  "x'00ff'",
  'zeroblob(300)',
  "printf('%.*c', 5000, 'x')",
  'random()',
];
const CONFLICTS = ['', '', '', 'OR REPLACE', 'OR IGNORE', 'OR FAIL', 'OR ABORT', 'OR ROLLBACK'];

interface Table {
  readonly name: string;
  /** Columns that statements give values to. */
  readonly columns: readonly string[];
  readonly key: string;
}

export interface RandomDatabase {
  readonly schema: string;
  /** One statement, or BEGIN, COMMIT, a savepoint; some fail. */
  nextStatement(inTransaction: boolean): string;
}

export function randomDatabase(seed: number): RandomDatabase {
  const random = createRandom(seed);
  const tables = Array.from({ length: 4 }, (_, number) => randomTable(random, number));
  const schema = [
    'PRAGMA foreign_keys = ON',
    'CREATE TABLE parent(id INTEGER PRIMARY KEY, code TEXT UNIQUE)',
    `CREATE TABLE child(id INTEGER PRIMARY KEY AUTOINCREMENT, p REFERENCES parent ON DELETE ${action(random)} ON UPDATE ${action(random)}, n)`,
    'CREATE TABLE docs(id INTEGER PRIMARY KEY, body)',
    'CREATE TABLE notes(what, who)',
    'CREATE VIRTUAL TABLE f USING fts5(body)',
    "CREATE VIRTUAL TABLE d USING fts5(body, content = 'docs', content_rowid = 'id')",
    'CREATE VIRTUAL TABLE r USING rtree(id, low, high, +label)',
    'CREATE TRIGGER docs_in AFTER INSERT ON docs BEGIN INSERT INTO d(rowid, body) VALUES (new.id, new.body); END',
    "CREATE TRIGGER docs_out AFTER DELETE ON docs BEGIN INSERT INTO d(d, rowid, body) VALUES ('delete', old.id, old.body); END",
    ...tables.map(({ sql }) => sql),
    ...tables.flatMap(({ table }) => randomTriggers(random, table)),
  ].join(';\n');
  const targets: readonly Table[] = [
    ...tables.map(({ table }) => table),
    { name: 'parent', columns: ['id', 'code'], key: 'id' },
    { name: 'child', columns: ['p', 'n'], key: 'id' },
    { name: 'child', columns: ['id', 'p'], key: 'id' },
    { name: 'docs', columns: ['body'], key: 'id' },
    { name: 'f', columns: ['body'], key: 'rowid' },
    { name: 'f', columns: ['rowid', 'body'], key: 'rowid' },
    { name: 'r', columns: ['id', 'low', 'high', 'label'], key: 'id' },
    { name: 'sqlite_sequence', columns: ['name', 'seq'], key: 'rowid' },
  ];
  return { schema, nextStatement: (inTransaction) => nextStatement(random, targets, inTransaction) };
}

function action(random: Random): string {
  return random.pick(['CASCADE', 'SET NULL', 'CASCADE', 'RESTRICT', 'SET DEFAULT']);
}

function randomTable(random: Random, number: number): { readonly sql: string; readonly table: Table } {
  const name = random.pick([`t${number}`, `"t ${number}"`, `"T""${number}"`]);
  const plain = Array.from({ length: random.between(1, 4) }, (_, index) => `c${index}`);
  const definitions = plain.map((column) => {
    const extra = random.pick([
      '',
      '',
      '',
      'UNIQUE',
      'UNIQUE ON CONFLICT REPLACE',
      'COLLATE NOCASE',
      'NOT NULL DEFAULT 5',
    ]);
    return `${column} ${random.pick(TYPES)} ${extra}`;
  });
  const columns = [...plain];
  let key = 'rowid';
  let tail = '';
  switch (random.between(0, 6)) {
    case 0:
      definitions.unshift('id INTEGER PRIMARY KEY');
      columns.unshift('id');
      key = 'id';
      break;
    case 1:
      definitions.unshift('id INTEGER PRIMARY KEY AUTOINCREMENT');
      columns.unshift('id');
      break;
    case 2:
      definitions.unshift('k TEXT PRIMARY KEY');
      columns.unshift('k');
      key = '_rowid_';
      break;
    case 3:
      definitions.unshift('k', 'part', 'rowid TEXT');
      definitions.push('PRIMARY KEY (part, k)');
      columns.unshift('k', 'part', 'rowid');
      key = 'oid';
      break;
    case 4:
      definitions.unshift('k COLLATE NOCASE', 'v', 'part INTEGER');
      definitions.push('PRIMARY KEY (part, k DESC)');
      columns.unshift('k', 'v', 'part');
      tail = ' WITHOUT ROWID';
      key = 'k';
      break;
    default:
      break;
  }
  if (random.between(0, 2) === 0) {
    definitions.splice(
      plain.length > 0 ? 1 : 0,
      0,
      "g0 AS (coalesce(c0, 'none')) VIRTUAL",
      'g1 AS (typeof(c0)) STORED',
    );
  }
  // Constraints of the table follow all columns.
  definitions.sort((a, b) => Number(a.startsWith('PRIMARY')) - Number(b.startsWith('PRIMARY')));
  if (random.between(0, 3) === 0) definitions.push("CHECK (c0 IS NOT '12')");
  return { sql: `CREATE TABLE ${name}(${definitions.join(', ')})${tail}`, table: { name, columns, key } };
}

function randomTriggers(random: Random, table: Table): string[] {
  if (random.between(0, 1) === 0) return [];
  const event = random.pick(['INSERT', 'UPDATE', 'DELETE']);
  const row = event === 'DELETE' ? 'old' : 'new';
  const when = random.pick(['BEFORE', 'AFTER']);
  const body = random.pick([
    `INSERT INTO notes VALUES ('${event}', ${row}.c0)`,
    `UPDATE notes SET who = ${row}.c0 WHERE rowid % 3 = 0`,
    'DELETE FROM notes WHERE rowid % 2 = 0',
    "INSERT INTO f(body) VALUES ('from a trigger')",
    `INSERT INTO notes VALUES (1, 2); SELECT RAISE(FAIL, 'no') WHERE ${row}.c0 = 1`,
    `INSERT INTO notes VALUES (3, 4); SELECT RAISE(ABORT, 'no') WHERE ${row}.c0 = 1`,
    `SELECT RAISE(IGNORE) WHERE ${row}.c0 = 1`,
    'INSERT INTO child(n) VALUES (7)',
  ]);
  const name = `"trigger ${table.name.replaceAll('"', '')}"`;
  return [`CREATE TRIGGER ${name} ${when} ${event} ON ${table.name} BEGIN ${body}; END`];
}

function nextStatement(random: Random, tables: readonly Table[], inTransaction: boolean): string {
  const control = random.between(0, 9);
  if (!inTransaction && control < 4) return random.pick(['BEGIN', 'BEGIN IMMEDIATE', 'SAVEPOINT a']);
  if (inTransaction && control < 3) {
    return random.pick([
      'COMMIT',
      'COMMIT',
      'ROLLBACK',
      'SAVEPOINT a',
      'SAVEPOINT b',
      'ROLLBACK TO a',
      'ROLLBACK TO b',
      'RELEASE a',
    ]);
  }
  const table = random.pick(tables);
  return random.pick([insert, insert, insert, update, update, remove, special])(random, table);
}

function insert(random: Random, { name, columns, key }: Table): string {
  const rows = Array.from(
    { length: random.pick([1, 1, 2, 5]) },
    () => `(${columns.map(() => valueFor(random)).join(', ')})`,
  );
  const upsert =
    random.between(0, 5) > 0
      ? ''
      : random.pick([' ON CONFLICT DO NOTHING', ` ON CONFLICT DO UPDATE SET ${columns.at(-1)!} = 'up'`]);
  const returning = random.between(0, 7) === 0 ? ` RETURNING ${key}` : '';
  const conflict = upsert === '' ? random.pick(CONFLICTS) : '';
  return `INSERT ${conflict} INTO ${name}(${columns.join(', ')}) VALUES ${rows.join(', ')}${upsert}${returning}`;
}

function update(random: Random, { name, columns, key }: Table): string {
  const sets = columns
    .filter(() => random.between(0, 1) === 0)
    .map((column) => `${column} = ${random.pick([valueFor(random), column])}`);
  if (sets.length === 0) sets.push(random.pick([`${key} = ${key} + 5`, `${columns[0]!} = ${columns[0]!}`]));
  return `UPDATE ${random.pick(CONFLICTS)} ${name} SET ${sets.join(', ')} ${where(random, key)}`;
}

function remove(random: Random, { name, key }: Table): string {
  return `DELETE FROM ${name} ${random.between(0, 4) === 0 ? '' : where(random, key)}`;
}

/** Writes that go through forbidden states, or many rows at once. */
function special(random: Random, { name, columns, key }: Table): string {
  const column = random.pick(columns);
  return random.pick([
    `INSERT OR IGNORE INTO ${name}(${columns.join(', ')}) SELECT ${columns.join(', ')} FROM ${name}`,
    `UPDATE ${name} SET ${column} = CASE ${column} WHEN 1 THEN 2 WHEN 2 THEN 1 ELSE ${column} END`,
    `UPDATE ${name} SET ${key} = -${key}`,
    `REPLACE INTO ${name}(${columns.join(', ')}) SELECT ${columns.join(', ')} FROM ${name} LIMIT 3`,
    `UPDATE OR REPLACE ${name} SET ${column} = ${valueFor(random)}`,
    "INSERT INTO f(f) VALUES ('optimize')",
    'INSERT INTO notes SELECT value, value FROM json_each(json_array(1, 2, 3, 4, 5, 6, 7, 8))',
    `UPDATE parent SET id = id + 1`,
    'INSERT OR IGNORE INTO parent VALUES (1, 1), (2, 2), (3, 3)',
    'INSERT INTO child(p, n) SELECT id, id FROM parent',
    'PRAGMA defer_foreign_keys = ON',
  ]);
}

function valueFor(random: Random): string {
  return random.between(0, 2) > 0 ? String(random.between(0, 6)) : random.pick(VALUES);
}

function where(random: Random, key: string): string {
  return random.pick([
    `WHERE ${key} = ${random.between(1, 6)}`,
    `WHERE ${key} > ${random.between(0, 9)}`,
    `WHERE ${key} % 2 = 0`,
    '',
  ]);
}

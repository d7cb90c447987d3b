// Databases that are sound and still hard on a tool: every type, odd names, many columns, every kind of table.
import type { Database } from 'better-sqlite3';

/** One row a storage class and its edges; `id` tells which. */
export function fillEveryType(db: Database): void {
  db.exec('CREATE TABLE "values" (id INTEGER PRIMARY KEY, what TEXT NOT NULL, value, note TEXT)');
  const insert = db.prepare('INSERT INTO "values" (what, value) VALUES (?, ?)');
  const rows: readonly (readonly [string, unknown])[] = [
    ['null', null],
    ['zero', 0n],
    ['negative', -1n],
    ['2^53 - 1', 9007199254740991n],
    ['2^53 + 1', 9007199254740993n],
    ['largest', 9223372036854775807n],
    ['smallest', -9223372036854775808n],
    ['real', 0.1],
    ['integral real', 2],
    ['tiny real', 5e-324],
    ['huge real', 1.7976931348623157e308],
    ['infinity', Infinity],
    ['empty text', ''],
    ['digits as text', '0123'],
    ['unicode', 'Ærøskøbing 日本語 العربية'],
    ['lines', 'first\nsecond\r\nthird\ttab'],
    ['empty blob', Buffer.alloc(0)],
    ['blob', Buffer.from([0, 1, 2, 254, 255])],
    ['long text', 'x'.repeat(5000)],
    ['long blob', Buffer.alloc(5000, 7)],
  ];
  for (const [what, value] of rows) insert.run(what, value);
}

/** Table names a tool is likely to quote wrong; column names likewise. */
export const ODD_NAMES = [
  'select',
  'two words',
  'quo"te',
  "apos'trophe",
  'back`tick',
  '[bracket]',
  'semi;colon',
  'dot.ted',
  '日本',
  '🦊 fox',
  '100%',
  '',
] as const;

export function fillOddNames(db: Database): void {
  for (const name of ODD_NAMES) {
    const quoted = `"${name.replaceAll('"', '""')}"`;
    db.exec(`CREATE TABLE ${quoted} (id INTEGER PRIMARY KEY, ${quoted} TEXT, "order" TEXT)`);
    db.prepare(`INSERT INTO ${quoted} (${quoted}, "order") VALUES (?, ?)`).run(`value of ${name}`, 'first');
  }
}

export function fillWide(db: Database, columns: number): void {
  const names = Array.from({ length: columns - 1 }, (_, i) => `c${i + 1}`);
  db.exec(`CREATE TABLE wide (id INTEGER PRIMARY KEY, ${names.join(', ')})`);
  const insert = db.prepare(`INSERT INTO wide VALUES (?, ${names.map(() => '?').join(', ')})`);
  for (let id = 1; id <= 20; id++) insert.run(id, ...names.map((_, column) => id * 10_000 + column));
}

export function fillTableKinds(db: Database): void {
  db.exec(`
    CREATE TABLE without_rowid (country TEXT, code INTEGER, name TEXT, PRIMARY KEY (country, code)) WITHOUT ROWID;
    INSERT INTO without_rowid VALUES ('de', 1, 'one'), ('de', 2, 'two'), ('fr', 1, 'un');
    CREATE TABLE strict_table (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, amount REAL CHECK (amount >= 0), extra ANY) STRICT;
    INSERT INTO strict_table (name, amount, extra) VALUES ('a', 1.5, 'text'), ('b', 2, 7);
    CREATE TABLE parent (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE child (id INTEGER PRIMARY KEY, parent_id INTEGER NOT NULL REFERENCES parent(id) ON DELETE CASCADE, twice GENERATED ALWAYS AS (id * 2));
    INSERT INTO parent VALUES (1, 'Ann'), (2, 'Bob');
    INSERT INTO child (parent_id) VALUES (1), (1), (2);
    CREATE VIRTUAL TABLE notes USING fts5(title, body);
    INSERT INTO notes VALUES ('first', 'hello world'), ('second', 'goodbye moon');
    CREATE VIRTUAL TABLE places USING rtree(id, x0, x1, y0, y1);
    INSERT INTO places VALUES (1, 0, 1, 0, 1), (2, 5, 6, 5, 6);
    CREATE VIEW names AS SELECT name FROM parent UNION SELECT name FROM strict_table;
  `);
}

/** A view that names a table which is gone. */
export function fillBrokenView(db: Database): void {
  db.exec(`
    CREATE TABLE kept (id INTEGER PRIMARY KEY, name TEXT);
    INSERT INTO kept (name) VALUES ('still here');
    CREATE TABLE gone (id INTEGER PRIMARY KEY);
    CREATE VIEW broken AS SELECT * FROM gone;
    DROP TABLE gone;
  `);
}

/** TEXT that is no UTF-8, and TEXT with a NUL inside. */
export function fillBadText(db: Database): void {
  db.exec(`
    CREATE TABLE texts (id INTEGER PRIMARY KEY, what TEXT, value TEXT);
    INSERT INTO texts (what, value) VALUES
      ('invalid', CAST(x'666f6fff626172' AS TEXT)),
      ('half a character', CAST(x'e697' AS TEXT)),
      ('NUL inside', CAST(x'61006200' AS TEXT)),
      ('surrogate', CAST(x'eda080' AS TEXT));
  `);
}

/** `rows` rows in one table, with an index; about 60 bytes a row. */
export function fillBig(db: Database, rows: number): void {
  db.pragma('synchronous = off');
  db.exec(`
    CREATE TABLE big (id INTEGER PRIMARY KEY, name TEXT NOT NULL, amount REAL, kind INTEGER);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${rows})
    INSERT INTO big SELECT i, 'row number ' || i, i * 0.25, i % 100 FROM n;
    CREATE INDEX big_kind ON big(kind);
  `);
}

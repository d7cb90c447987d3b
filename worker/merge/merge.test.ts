// What a merge makes of two databases that began as one: rows of every kind of table, keys, conflicts, and definitions.
import { describe, expect, test } from 'vitest';
import { mergeOf, mergeScripts } from './merge-fixture.test-suite.ts';

const SHOP = `CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, price REAL, n INT);
  INSERT INTO item VALUES (1, 'ant', 1.5, 1), (2, 'bee', 2, 2), (3, 'cat', 3, 3), (4, 'dog', 4, 4);`;
const ALL = 'SELECT * FROM item ORDER BY id';

describe('rows', () => {
  test('of both sides are together in the result, and values of one row, too', () => {
    const { conflicts, report, rows } = mergeOf(
      SHOP,
      `UPDATE item SET price = 9 WHERE id = 2; INSERT INTO item VALUES (10, 'own', 1, 1); DELETE FROM item WHERE id = 4;`,
      `UPDATE item SET name = 'BEE' WHERE id = 2; INSERT INTO item VALUES (11, 'their', 1, 1); DELETE FROM item WHERE id = 1;`,
    );
    expect(conflicts).toBe(0);
    expect(rows(ALL)).toEqual([[2, 'BEE', 9, 2], [3, 'cat', 3, 3], [10, 'own', 1, 1], [11, 'their', 1, 1]]); // prettier-ignore
    expect(report).toBe('Table item\n  1 added, 1 removed, 1 changed\n');
    expect(rows("SELECT count(*) FROM sqlite_schema WHERE name = 'sidelite_conflicts'")).toEqual([[0]]);
  });

  test('that both changed in another way stay as in ours, and are listed with a statement that takes the others', () => {
    const { conflicts, report, rows } = mergeOf(
      SHOP,
      `UPDATE item SET price = 9, n = 0 WHERE id = 2; INSERT INTO item VALUES (10, 'own', 1, 1); DELETE FROM item WHERE id = 4; UPDATE item SET n = 7 WHERE id = 3;`,
      `UPDATE item SET price = 8, name = 'BEE' WHERE id = 2; INSERT INTO item VALUES (10, 'their', 1, 1); UPDATE item SET n = 5 WHERE id = 4; DELETE FROM item WHERE id = 3;`,
    );
    expect(conflicts).toBe(4);
    expect(rows(ALL)).toEqual([[1, 'ant', 1.5, 1], [2, 'bee', 9, 0], [3, 'cat', 3, 7], [10, 'own', 1, 1]]); // prettier-ignore
    expect(rows('SELECT "table", kind, key, base, ours, theirs, message, take_theirs FROM sidelite_conflicts ORDER BY key')).toEqual([
      ['item', 'both added', '{"id":10}', null, '{"id":10,"name":"own","price":1.0,"n":1}', '{"id":10,"name":"their","price":1.0,"n":1}', null, `UPDATE "item" SET "name" = 'their', "price" = 1.0, "n" = 1 WHERE "id" = 10;`],
      ['item', 'both changed', '{"id":2}', '{"id":2,"name":"bee","price":2.0,"n":2}', '{"id":2,"name":"bee","price":9.0,"n":0}', '{"id":2,"name":"BEE","price":8.0,"n":2}', null, `UPDATE "item" SET "name" = 'BEE', "price" = 8.0 WHERE "id" = 2;`],
      ['item', 'changed by ours, removed by theirs', '{"id":3}', '{"id":3,"name":"cat","price":3.0,"n":3}', '{"id":3,"name":"cat","price":3.0,"n":7}', null, null, 'DELETE FROM "item" WHERE "id" = 3;'],
      ['item', 'removed by ours, changed by theirs', '{"id":4}', '{"id":4,"name":"dog","price":4.0,"n":4}', null, '{"id":4,"name":"dog","price":4.0,"n":5}', null, `INSERT INTO "item" ("id", "name", "price", "n") VALUES (4, 'dog', 4.0, 5);`],
    ]); // prettier-ignore
    expect(report).toContain('  ! id=2: both changed\n      base    price=2.0\n      ours    price=9.0\n      theirs  price=8.0\n'); // prettier-ignore
    expect(report).toContain('4 conflicts, listed in the table sidelite_conflicts.\n');
  });

  test('are those of a side where an option says so, for a table or for all', () => {
    const ours = `UPDATE item SET price = 9, n = 0 WHERE id = 2; DELETE FROM item WHERE id = 4;`;
    const theirs = `UPDATE item SET price = 8, name = 'BEE' WHERE id = 2; UPDATE item SET n = 5 WHERE id = 4;`;
    const all = mergeOf(SHOP, ours, theirs, { choices: { all: 'theirs', tables: {} } });
    expect(all).toMatchObject({ conflicts: 0, report: 'Table item\n  1 added, 1 changed, 2 conflicts decided by an option\n' }); // prettier-ignore
    expect(all.rows('SELECT * FROM item WHERE id IN (2, 4)')).toEqual([[2, 'BEE', 8, 0], [4, 'dog', 4, 5]]); // prettier-ignore
    const one = mergeOf(SHOP, ours, theirs, { choices: { all: 'theirs', tables: { ITEM: 'ours' } } });
    expect(one.rows('SELECT * FROM item WHERE id IN (2, 4)')).toEqual([[2, 'BEE', 9, 0]]);
    expect(() => mergeOf(SHOP, ours, theirs, { choices: { all: null, tables: { nix: 'ours' } } })).toThrow('There is no table “nix”'); // prettier-ignore
  });

  test('are told apart by any key, and by all their values without one', () => {
    const base = `CREATE TABLE word (k TEXT PRIMARY KEY, v); INSERT INTO word VALUES ('a', 1), ('b', 2), (NULL, 3), (NULL, 3);
      CREATE TABLE pair (a, b, v, PRIMARY KEY (a, b)) WITHOUT ROWID; INSERT INTO pair VALUES (1, 1, 'x'), (1, 2, 'y');
      CREATE TABLE log (t, x); INSERT INTO log VALUES (1, 'one'), (1, 'one'), (2, 'two'), (3, 'three');`;
    const { conflicts, rows } = mergeOf(
      base,
      `INSERT INTO word VALUES ('own', 1); DELETE FROM pair WHERE b = 1; INSERT INTO log VALUES (4, 'same'), (5, 'own'); DELETE FROM log WHERE t = 2;`,
      `INSERT INTO word VALUES ('their', 2), (NULL, 4); UPDATE word SET v = 9 WHERE k = 'b'; INSERT INTO pair VALUES (2, 2, x'00'); INSERT INTO log VALUES (4, 'same'), (6, 1.0);
       DELETE FROM log WHERE rowid = 2; DELETE FROM word WHERE rowid = 3; DELETE FROM log WHERE t = 3;`,
    );
    expect(conflicts).toBe(0);
    expect(rows('SELECT * FROM word ORDER BY k, v')).toEqual([[null, 3], [null, 4], ['a', 1], ['b', 9], ['own', 1], ['their', 2]]); // prettier-ignore
    expect(rows('SELECT a, b, quote(v) FROM pair')).toEqual([[1, 2, "'y'"], [2, 2, "X'00'"]]); // prettier-ignore
    expect(rows('SELECT t, x, typeof(x) FROM log ORDER BY t')).toEqual([[1, 'one', 'text'], [4, 'same', 'text'], [5, 'own', 'text'], [6, 1, 'real']]); // prettier-ignore
  });

  test('without a key that both sides replaced are all kept, and reported', () => {
    const { conflicts, rows } = mergeOf(
      "CREATE TABLE log (t, x); INSERT INTO log VALUES (1, 'one'), (2, 'two');",
      "UPDATE log SET x = 'own' WHERE t = 1;",
      "UPDATE log SET x = 'their' WHERE t = 1;",
    );
    expect(conflicts).toBe(1);
    expect(rows('SELECT * FROM log ORDER BY t, x')).toEqual([[1, 'own'], [1, 'their'], [2, 'two']]); // prettier-ignore
    expect(rows('SELECT kind, base, ours, theirs FROM sidelite_conflicts')).toEqual([['refused', '{"t":1,"x":"one"}', null, null]]); // prettier-ignore
  });

  test('of a deleted database that is unchanged elsewhere are found by value after a VACUUM', () => {
    const base = "CREATE TABLE log (x); INSERT INTO log VALUES ('a'), ('b'), ('c'), ('d');";
    const { conflicts, rows } = mergeOf(
      base,
      "DELETE FROM log WHERE x = 'a'; VACUUM;",
      "DELETE FROM log WHERE x = 'c';",
    );
    expect(conflicts).toBe(0);
    expect(rows('SELECT x FROM log ORDER BY x')).toEqual([['b'], ['d']]);
  });
});

describe('keys', () => {
  const FAMILY = `CREATE TABLE parent (id INTEGER PRIMARY KEY, code TEXT UNIQUE); CREATE TABLE child (id TEXT PRIMARY KEY, parent REFERENCES parent ON DELETE CASCADE) WITHOUT ROWID;
    CREATE TABLE tag (name TEXT PRIMARY KEY, code TEXT REFERENCES parent (code));
    INSERT INTO parent VALUES (1, 'a'), (2, 'b'), (3, 'c'); INSERT INTO child VALUES ('x', 1);`;

  test('a row whose parent is gone on the other side is a conflict, in both directions', () => {
    const { conflicts, rows } = mergeOf(
      FAMILY,
      `DELETE FROM parent WHERE id = 2; INSERT INTO child VALUES ('own', 3);`,
      `DELETE FROM parent WHERE id = 3; INSERT INTO child VALUES ('their', 2), ('fine', 1); INSERT INTO tag VALUES ('t', 'b'), ('u', 'a');`,
    );
    expect(conflicts).toBe(3);
    expect(rows('SELECT id FROM parent')).toEqual([[1], [3]]);
    expect(rows('SELECT id FROM child')).toEqual([['fine'], ['own'], ['x']]);
    expect(rows('SELECT name FROM tag')).toEqual([['u']]);
    expect(rows('PRAGMA foreign_key_check')).toEqual([]);
    expect(rows('SELECT "table", kind FROM sidelite_conflicts ORDER BY 1')).toEqual([['child', 'refused'], ['parent', 'refused'], ['tag', 'refused']]); // prettier-ignore
  });

  test('unique values that change places, that both gave away, and checks', () => {
    const base = `CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, n CHECK (n < 10)); INSERT INTO t VALUES (1, 'a', 1), (2, 'b', 2);`;
    const swapped = mergeOf(base, 'UPDATE t SET n = 3', "UPDATE t SET name = 'x' WHERE id = 1; UPDATE t SET name = 'a' WHERE id = 2; UPDATE t SET name = 'b' WHERE id = 1;"); // prettier-ignore
    expect(swapped.rows('SELECT * FROM t')).toEqual([[1, 'b', 3], [2, 'a', 3]]); // prettier-ignore
    const both = mergeOf(base, "INSERT INTO t VALUES (5, 'new', 1)", "INSERT INTO t VALUES (6, 'new', 1), (7, 'more', 1); INSERT INTO t VALUES (90, 'z', 1); DELETE FROM t WHERE id = 90;"); // prettier-ignore
    expect(both.conflicts).toBe(1);
    expect(both.rows('SELECT id FROM t ORDER BY id')).toEqual([[1], [2], [5], [7]]);
    expect(both.rows('SELECT key, message FROM sidelite_conflicts')).toEqual([['{"id":6}', expect.stringContaining('name')]]); // prettier-ignore
    expect(both.rows('SELECT seq FROM sqlite_sequence')).toEqual([[90]]);
  });

  test('triggers do nothing again, and full-text tables follow', () => {
    const base = `CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT); CREATE VIRTUAL TABLE words USING fts5(body, content='note', content_rowid='id');
      CREATE VIRTUAL TABLE own USING fts5(a); CREATE TABLE log (x);
      CREATE TRIGGER i AFTER INSERT ON note BEGIN INSERT INTO words (rowid, body) VALUES (new.id, new.body); INSERT INTO log VALUES (new.id); END;
      INSERT INTO note VALUES (1, 'hello'); INSERT INTO own VALUES ('one');`;
    const { conflicts, rows } = mergeOf(base, "INSERT INTO note VALUES (2, 'mine')", "INSERT INTO note VALUES (3, 'yours'); INSERT INTO own (rowid, a) VALUES (9, 'nine')"); // prettier-ignore
    expect(conflicts).toBe(0);
    expect(rows("SELECT rowid FROM words WHERE words MATCH 'mine OR yours' ORDER BY 1")).toEqual([[2], [3]]);
    expect(rows("SELECT rowid FROM own WHERE own MATCH 'nine'")).toEqual([[9]]);
    expect(rows('SELECT x FROM log ORDER BY 1')).toEqual([[1], [2], [3]]);
  });
});

test('names of tables that only SQLite tells apart are refused', () => {
  const base = 'CREATE TABLE "Ä" (id INTEGER PRIMARY KEY, x); CREATE TABLE "ä" (id INTEGER PRIMARY KEY, x);';
  const both = 'INSERT INTO "Ä" VALUES (1, 1); INSERT INTO "ä" VALUES (1, 2);';
  expect(() => mergeOf(base, '', both)).toThrow('differ only in the case of letters');
  expect(mergeOf(base, '', 'INSERT INTO "Ä" VALUES (1, 1);').rows('SELECT x FROM "Ä"')).toEqual([[1]]);
});

test('a table whose rows cannot be compared counts as a conflict, unless ours is chosen for it', () => {
  const base = `${SHOP} CREATE VIRTUAL TABLE words USING fts5(a, content=''); INSERT INTO words VALUES ('one');`;
  const merged = mergeOf(base, '', "UPDATE item SET name = 'x' WHERE id = 1;");
  expect(merged).toMatchObject({
    conflicts: 1,
    notes: [expect.stringContaining('The rows of “words” were not merged')],
  });
  expect(merged.rows('SELECT name FROM item WHERE id = 1')).toEqual([['x']]);
  const chosen = mergeOf(base, '', "INSERT INTO words VALUES ('two');", {
    choices: { all: null, tables: { words: 'ours' } },
  });
  expect(chosen.conflicts).toBe(0);
});

describe('definitions', () => {
  test('that one side changed are those of the result, with the rows of both', () => {
    const { conflicts, rows, report } = mergeOf(
      SHOP,
      `ALTER TABLE item ADD COLUMN stock INT DEFAULT 7; UPDATE item SET stock = 1 WHERE id = 1; CREATE INDEX by_name ON item (name); PRAGMA user_version = 2;`,
      `CREATE TABLE tag (word TEXT PRIMARY KEY); INSERT INTO tag VALUES ('new'); CREATE VIEW v AS SELECT name FROM item; UPDATE item SET name = 'ANT' WHERE id = 1; INSERT INTO item VALUES (9, 'new', 1, 1);`,
    );
    expect(conflicts).toBe(0);
    expect(rows('SELECT id, name, stock FROM item')).toEqual([[1, 'ANT', 1], [2, 'bee', 7], [3, 'cat', 7], [4, 'dog', 7], [9, 'new', 7]]); // prettier-ignore
    expect(rows('SELECT * FROM tag, pragma_user_version')).toEqual([['new', 2]]);
    expect(rows("SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite%' ORDER BY 1")).toEqual([['by_name'], ['item'], ['tag'], ['v']]); // prettier-ignore
    expect(report).toContain('Taken from theirs.db: table “tag”\nTaken from theirs.db: view “v”\n');
  });

  test('of theirs bring their columns and rows, and drop what ours left as it was', () => {
    const { rows } = mergeOf(
      `${SHOP} CREATE TABLE gone (x); INSERT INTO gone VALUES (1);`,
      "UPDATE item SET name = 'own' WHERE id = 4;",
      'ALTER TABLE item DROP COLUMN n; ALTER TABLE item ADD COLUMN m; UPDATE item SET m = id; DROP TABLE gone;',
    );
    expect(rows(ALL)).toEqual([[1, 'ant', 1.5, 1], [2, 'bee', 2, 2], [3, 'cat', 3, 3], [4, 'own', 4, 4]]); // prettier-ignore
    expect(rows("SELECT name FROM pragma_table_info('item')")).toEqual([['id'], ['name'], ['price'], ['m']]);
    expect(rows("SELECT count(*) FROM sqlite_schema WHERE name = 'gone'")).toEqual([[0]]);
  });

  test('that both changed, and changes in what the other has dropped, are refused', () => {
    const refused =
      (ours: string, theirs: string): (() => unknown) =>
      () =>
        mergeOf(SHOP, ours, theirs);
    expect(refused('ALTER TABLE item ADD COLUMN a', 'ALTER TABLE item ADD COLUMN b')).toThrow('Both sides changed the table “item”'); // prettier-ignore
    expect(refused('DROP TABLE item', 'UPDATE item SET n = 9 WHERE id = 1')).toThrow('One side dropped the table “item”'); // prettier-ignore
    expect(refused('UPDATE item SET n = 9 WHERE id = 1', 'DROP TABLE item')).toThrow('One side dropped the table “item”'); // prettier-ignore
    expect(refused('ALTER TABLE item DROP COLUMN n', 'UPDATE item SET n = 9 WHERE id = 1')).toThrow('columns of “item” (n)'); // prettier-ignore
    expect(refused('PRAGMA user_version = 2', 'PRAGMA user_version = 3')).toThrow('user_version: to 2 and to 3');
    expect(refused('DELETE FROM item; DROP TABLE item', 'UPDATE item SET price = 0')).toThrow('Nothing was written');
    expect(() => mergeOf(SHOP, 'ALTER TABLE item DROP COLUMN n', 'ALTER TABLE item ADD COLUMN m', { choices: { all: 'theirs', tables: {} } })).toThrow('dropped the column “n”'); // prettier-ignore
    const chosen = mergeOf(SHOP, 'DROP TABLE item; CREATE TABLE other (x)', 'UPDATE item SET n = 9', { choices: { all: null, tables: { item: 'ours' } } }); // prettier-ignore
    expect(chosen.rows('SELECT name FROM sqlite_schema')).toEqual([['other']]);
    const kept = mergeOf(SHOP, 'UPDATE item SET n = 9', 'DROP TABLE item', { choices: { all: 'ours', tables: {} } });
    expect(kept.rows('SELECT count(*), sum(n) FROM item')).toEqual([[4, 36]]);
  });

  test('both sides began with nothing, or made the same', () => {
    const { conflicts, rows } = mergeScripts(['', SHOP, `${SHOP} INSERT INTO item VALUES (5, 'e', 1, 1);`]);
    expect(conflicts).toBe(0);
    expect(rows('SELECT count(*) FROM item')).toEqual([[5]]);
  });
});

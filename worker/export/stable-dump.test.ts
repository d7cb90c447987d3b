// A stable dump: the same bytes for the same content, however it came about, a row on each line, and the same database when it is read.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { createRandom } from '#shared/random.ts';
import type { Value } from '#shared/protocol/values.ts';
import { diffOf } from '../diff/diff-fixture.test-suite.ts';
import { sqlLiteral } from '../sql/literal.ts';
import { EVERYTHING } from './everything.test-suite.ts';
import { databaseOf, ENGINES, exported, HAS_SHELL, readDump, wasm } from './export-fixture.test-suite.ts';

const READERS = HAS_SHELL ? (['node:sqlite', 'sqlite3'] as const) : (['node:sqlite'] as const);

describe.each(ENGINES)('by the %s engine', (_name, engine) => {
  const stable = (sql: string): string =>
    exported(databaseOf(engine, sql), { kind: 'database' }, 'dump', { stable: true }).text;

  test('does not depend on the order in which anything was made, on pages, or on row ids that nothing shows', () => {
    const tables = [
      `CREATE TABLE b (k TEXT PRIMARY KEY, v); INSERT INTO b VALUES ('x', 1), ('y', 2);`,
      `CREATE TABLE a (v, w); INSERT INTO a VALUES (1, 'one' || char(10) || 'two'), (1.0, NULL), (x'31', 'a' || char(13, 10) || '\\n'), ('1', 0);`,
      'CREATE TABLE c (id INTEGER PRIMARY KEY AUTOINCREMENT, v); INSERT INTO c VALUES (7, 1), (3, 2);',
    ];
    const more =
      'CREATE INDEX i ON a (v); CREATE VIEW v AS SELECT v FROM a; CREATE TRIGGER t AFTER INSERT ON c BEGIN SELECT 1; END;';
    const text = stable(tables.join('\n') + more);
    expect(text).toBe(`PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
PRAGMA application_id=0;
PRAGMA user_version=0;
CREATE TABLE a (v, w);
INSERT INTO "a"("v", "w") VALUES(1.0,NULL);
INSERT INTO "a"("v", "w") VALUES(1,replace('one\\ntwo','\\n',char(10)));
INSERT INTO "a"("v", "w") VALUES('1',0);
INSERT INTO "a"("v", "w") VALUES(X'31',replace(replace('a\\r\\n0_\\n','\\r',char(13)),'\\n0_',char(10)));
CREATE TABLE b (k TEXT PRIMARY KEY, v);
INSERT INTO "b"("k", "v") VALUES('x',1);
INSERT INTO "b"("k", "v") VALUES('y',2);
CREATE TABLE c (id INTEGER PRIMARY KEY AUTOINCREMENT, v);
INSERT INTO "c"("id", "v") VALUES(3,2);
INSERT INTO "c"("id", "v") VALUES(7,1);
CREATE INDEX i ON a (v);
CREATE VIEW v AS SELECT v FROM a;
CREATE TRIGGER t AFTER INSERT ON c BEGIN SELECT 1; END;
DELETE FROM sqlite_sequence;
INSERT INTO "sqlite_sequence"("name", "seq") VALUES('c',7);
COMMIT;
`);
    const others = [tables[2], tables[0], tables[1]!.replace(/VALUES (.*);/, (_all, rows: string) => `VALUES ${rows.split(/, (?=\()/).toReversed().join(', ')};`)]; // prettier-ignore
    const rest = ['CREATE TRIGGER t AFTER INSERT ON c BEGIN SELECT 1; END;', 'CREATE VIEW v AS SELECT v FROM a;', 'CREATE INDEX i ON a (v);']; // prettier-ignore
    expect(stable(`PRAGMA page_size = 512; ${others.join('\n')} DELETE FROM b; INSERT INTO b VALUES ('y', 2), ('x', 1); ${rest.join(' ')} ANALYZE;`)).toBe(text); // prettier-ignore
  });

  test.each(READERS)('gives an equal database when %s reads it', (by) => {
    const connection = databaseOf(engine, EVERYTHING);
    const { text } = exported(connection, { kind: 'database' }, 'dump', { stable: true });
    expect(readDump(text, by)('PRAGMA integrity_check')).toEqual([['ok']]);
    const again = databaseOf(engine, text);
    const found = diffOf(connection, again);
    expect({ text: found.text, isEqual: found.isEqual }).toEqual({ text: '', isEqual: true });
    expect(exported(again, { kind: 'database' }, 'dump', { stable: true }).text).toBe(text);
  });

  test('of random rows in any order has the same bytes', () => {
    fc.assert(
      fc.property(KIND, fc.array(fc.tuple(VALUE, VALUE, VALUE), { maxLength: 30 }), fc.nat(), (kind, rows, seed) => {
        // The first of two rows with the same key is kept.
        const kept = databaseOf(wasm, `CREATE TABLE t ${kind}; ${inserts(rows)}`);
        const stored = kept.all('SELECT a, b, c FROM t');
        const random = createRandom(seed);
        const shuffled = stored
          .map((row) => ({ row, at: random.between(0, 1000) }))
          .sort((one, other) => one.at - other.at);
        const text = stable(`CREATE TABLE t ${kind}; ${inserts(stored)}`);
        expect(stable(`CREATE TABLE t ${kind}; ${inserts(shuffled.map(({ row }) => row))}`)).toBe(text);
        expect(text.match(/^INSERT INTO "t".*\);$/gm) ?? []).toHaveLength(stored.length);
      }),
      { seed: 5, numRuns: seedCount(100) },
    );
  });
});

const inserts = (rows: readonly (readonly Value[])[]): string =>
  rows.map((row) => `INSERT OR IGNORE INTO t (a, b, c) VALUES (${row.map(sqlLiteral).join(', ')});`).join('\n');
const VALUE = fc.constantFrom<Value>(null, 0, 1, { real: 1 }, 1.5, 2n ** 60n, '', 'a', 'A', 'b\r\nc', '\\n', '1', "é'", Uint8Array.of(0x61)); // prettier-ignore
const KIND = fc.constantFrom('(a, b, c)', '(a PRIMARY KEY, b, c)', '(a COLLATE NOCASE, b, c, PRIMARY KEY (b, a))', '(a, b, c, PRIMARY KEY (b DESC, a)) WITHOUT ROWID', '(a TEXT, b REAL, c INTEGER)'); // prettier-ignore

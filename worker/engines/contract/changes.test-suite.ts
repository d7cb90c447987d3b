// The truth table of changes: what is published after a commit, case by case. TRUTH-TABLE.md says it in words.
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { needs } from './subject.test-suite.ts';
import type { GetConnection } from './subject.test-suite.ts';
import type { ChangedKeys, TableChanges, TransactionChanges } from '../transaction-changes.ts';
import { CHANGE_CASES, CHANGE_SCHEMA, SCHEMA_CASES } from './change-cases.test-suite.ts';

export function describeChanges(get: GetConnection): void {
  describe('changes', needs('changes'), () => {
    let published: TransactionChanges[];
    beforeEach(() => {
      published = [];
      run(get, CHANGE_SCHEMA);
      get().onCommit((changes) => published.push(changes));
    });
    const asText = () => published.map(describeTables);

    it.each(CHANGE_CASES)('%s', (_name, sql, expected) => {
      run(get, sql);
      expect(asText()).toEqual(expected === null ? [] : [expected]);
      expect(published.every(({ schema }) => !schema)).toBe(true);
    });

    it.each(CHANGE_CASES)('leaves the count of all changes as SQLite has it: %s', (_name, sql) => {
      const script = get().script(sql);
      for (let statement = script.next(); statement !== null; statement = script.next()) {
        while (statement.step());
        const { totalChanges, autocommit } = get();
        expect([totalChanges]).toEqual(get().one('SELECT total_changes()'));
        // Only outside a transaction is there something to begin.
        const begins = ((): boolean => {
          try {
            return get().run('BEGIN') === 0;
          } catch {
            return false;
          }
        })();
        expect(begins).toBe(autocommit);
        if (begins) get().run('ROLLBACK');
      }
    });

    it('has a row in TRUTH-TABLE.md for each case, and a case for each row', () => {
      const text = readFileSync(new URL('../TRUTH-TABLE.md', import.meta.url), 'utf8');
      const rows = Array.from(text.matchAll(/^\| (?!Case|---)([^|]+?) \|/gm), ([, name]) => name);
      expect(rows).toEqual([...CHANGE_CASES, ...SCHEMA_CASES].map(([name]) => name));
    });

    it.each(SCHEMA_CASES)('%s', (_name, sql, tables) => {
      run(get, sql);
      expect(published).toHaveLength(1);
      expect(published[0]!.schema).toBe(true);
      expect(published[0]!.tables && [...published[0]!.tables.keys()].toSorted()).toEqual(tables);
    });

    it.each([
      'CREATE TABLE IF NOT EXISTS a(x)',
      'CREATE VIEW IF NOT EXISTS both AS SELECT 1',
      'CREATE INDEX IF NOT EXISTS log_what ON log(what)',
      'CREATE VIRTUAL TABLE IF NOT EXISTS f USING fts5(body)',
    ])('publishes only the rows of what follows %s', (sql) => {
      run(get, sql);
      run(get, 'UPDATE a SET y = 5 WHERE id = 1');
      run(get, `BEGIN; ${sql}; UPDATE a SET y = 6 WHERE id = 1; COMMIT`);
      expect(asText()).toEqual([{ a: 'update(y) @1' }, { a: 'update(y) @1' }]);
      expect(published.map(({ schema }) => schema)).toEqual([false, false]);
    });

    it('keeps apart what statements do that are prepared one after the other', () => {
      const texts = [
        "INSERT INTO a VALUES (3, 'three', 3)",
        'UPDATE src SET v = 2',
        'UPDATE a SET y = 5',
        "UPDATE a SET y = 6, x = 'x' || id",
        'CREATE TABLE late(a)',
        'DELETE FROM w',
      ];
      const statements = texts.map((sql) => get().prepare(sql));
      for (const statement of statements.toReversed()) {
        while (statement.step());
        statement.finalize();
      }
      expect(asText()).toEqual([
        { w: 'delete @1/k' },
        { late: 'insert delete move update(any) @any' },
        { a: 'update(x y) @1,2' },
        { a: 'update(y) @1,2' },
        { src: 'update(v) @1', log: 'insert @1', deep: 'insert @1' },
        { a: 'insert @3' },
      ]);
      expect(published.map(({ schema }) => schema)).toEqual([false, true, false, false, false, false]);
    });

    it('publishes everything about a table whose definition changed', () => {
      run(get, 'BEGIN; UPDATE made SET n = 5; ALTER TABLE made DROP COLUMN other; UPDATE made SET r = 7; COMMIT');
      expect(asText()).toEqual([{ made: 'insert delete move update(any) @any' }]);
    });

    it('forgets a change of the schema that is rolled back, and what followed it', () => {
      run(get, 'BEGIN; UPDATE a SET y = 5 WHERE id = 1; SAVEPOINT s; ALTER TABLE a ADD COLUMN z; UPDATE a SET z = 1;');
      run(get, 'ROLLBACK TO s; UPDATE a SET x = 3 WHERE id = 2; COMMIT');
      expect(asText()).toEqual([{ a: 'update(x y) @1,2' }]);
      expect(published[0]!.schema).toBe(false);
    });

    it('knows savepoints by their names in any case', () => {
      run(
        get,
        'BEGIN; SAVEPOINT S; UPDATE a SET y = 9 WHERE id = 1; ROLLBACK TO s; UPDATE a SET y = 9 WHERE id = 2; COMMIT',
      );
      expect(asText()).toEqual([{ a: 'update(y) @2' }]);
    });

    it('publishes one message for each transaction, in order', () => {
      run(
        get,
        'DELETE FROM a WHERE id = 1; BEGIN; INSERT INTO log VALUES (1); COMMIT; UPDATE a SET y = 9 WHERE id = 2',
      );
      expect(asText().map((tables) => Object.keys(tables!))).toEqual([['a'], ['log', 'deep'], ['a']]);
    });

    it('publishes nothing of a statement that failed', () => {
      expect(() => get().run("INSERT INTO a VALUES (5, 'five', 5), (6, 'bad', 6)")).toThrow();
      expect(published).toEqual([]);
      get().run('BEGIN');
      get().run('INSERT INTO deep VALUES (1)');
      expect(() => get().run("INSERT INTO a VALUES (5, 'five', 5), (6, 'bad', 6)")).toThrow();
      get().run('COMMIT');
      expect(asText()).toEqual([{ deep: 'insert @1' }]);
    });

    it('counts rollbacks, of savepoints too', () => {
      const before = get().rollbacks;
      run(get, 'BEGIN; SAVEPOINT s; DELETE FROM a; ROLLBACK TO s; RELEASE s; COMMIT');
      expect(get().rollbacks).toBe(before + 1);
      run(get, 'BEGIN; DELETE FROM a; ROLLBACK');
      expect(get().rollbacks).toBe(before + 2);
    });

    it('publishes what INSERT OR FAIL kept', () => {
      expect(() => get().run("INSERT OR FAIL INTO a VALUES (5, 'five', 5), (6, 'one', 6)")).toThrow();
      expect(asText()).toEqual([{ a: 'insert @5' }]);
    });

    it('publishes nothing when a commit fails', () => {
      run(
        get,
        'PRAGMA defer_foreign_keys = ON; BEGIN; PRAGMA defer_foreign_keys = ON; INSERT INTO child VALUES (11, 99)',
      );
      expect(() => get().run('COMMIT')).toThrow();
      expect(published).toEqual([]);
      run(get, 'DELETE FROM child WHERE id = 11; DELETE FROM a WHERE id = 1; COMMIT');
      expect(asText()).toEqual([{ a: 'delete @1', child: 'insert delete @11' }]);
    });

    it('publishes when the statement has returned: the listener may query', () => {
      let rows: unknown;
      get().onCommit(() => (rows = get().one('SELECT count(*) FROM a')));
      get().run('DELETE FROM a WHERE id = 1');
      expect(rows).toEqual([1]);
    });

    it('publishes a half-read RETURNING when it is let go', () => {
      const statement = get().prepare("INSERT INTO a VALUES (3, 'c', 3), (4, 'd', 4) RETURNING id");
      expect(statement.step()).toBe(true);
      statement.finalize();
      expect(asText()).toEqual([{ a: 'insert @3,4' }]);
      expect(get().one('SELECT count(*) FROM a')).toEqual([4]);
    });

    it('names rows up to 10,000 a transaction', () => {
      const fill = (to: number) =>
        `WITH n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < ${to}) INSERT INTO a SELECT i, i, i FROM n`;
      run(get, `BEGIN; SAVEPOINT s; ${fill(10_003)}; ROLLBACK TO s; INSERT INTO log VALUES (1); COMMIT`);
      expect(asText()).toEqual([{ log: 'insert @1', deep: 'insert @1' }]);
      run(get, fill(10_002));
      expect([...published[1]!.tables!.values()].map(({ keys }) => keys && keysOf(keys).length)).toEqual([10_000]);
      run(get, 'DELETE FROM a WHERE id > 2');
      run(get, `BEGIN; INSERT INTO deep VALUES (1); ${fill(10_003)}; INSERT INTO src VALUES (2, 2); COMMIT`);
      expect(asText().at(-1)).toEqual({ deep: 'insert @2', a: 'insert @any', src: 'insert @any' });
    });

    it('compares values only up to a budget: beyond it any column may have changed', () => {
      const fill =
        'WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 70000) INSERT INTO deep SELECT i FROM n';
      run(get, `${fill}; UPDATE deep SET what = what`);
      expect(asText()).toEqual([{ deep: 'insert @any' }, { deep: 'update(any) @any' }]);
    });

    it('tells values apart that only look the same', () => {
      const bytes = new Uint8Array([0x31]);
      for (const value of [1, 1.5, { real: 1 }, '1', bytes, null, 2n ** 60n, 2n ** 60n + 1n, '\u0000a', '\u0000b']) {
        published = [];
        get().run('UPDATE a SET y = ? WHERE id = 1', [value]);
        get().run('UPDATE a SET y = ? WHERE id = 1', [value]);
        // The row began with 1.
        expect(asText()).toEqual(value === 1 ? [] : [{ a: 'update(y) @1' }]);
      }
    });
  });
}

function run(get: GetConnection, sql: string): void {
  const script = get().script(sql);
  for (let statement = script.next(); statement !== null; statement = script.next()) while (statement.step());
}

function describeTables({ tables }: TransactionChanges): Record<string, string> | null {
  return tables && Object.fromEntries(Array.from(tables, ([name, changes]) => [name, inOneLine(changes)]));
}

/** `insert delete move update(columns) @keys` */
function inOneLine(changes: TableChanges): string {
  const columns = changes.columns === null ? 'any' : [...changes.columns].toSorted().join(' ');
  const words = [
    changes.inserted && 'insert',
    changes.deleted && 'delete',
    changes.moved && 'move',
    changes.updated && `update(${columns})`,
    `@${changes.keys === null ? 'any' : [...new Set(keysOf(changes.keys))].toSorted().join()}`,
  ];
  return words.filter(Boolean).join(' ');
}

function keysOf(keys: ChangedKeys): readonly string[] {
  return keys.kind === 'rowid' ? Array.from(keys.rowids, String) : keys.keys.map((key) => key.join('/'));
}

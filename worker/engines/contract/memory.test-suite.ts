// Page caches that are given back and had again.
import { describe, expect, test } from 'vitest';
import { needs } from './subject.test-suite.ts';
import type { GetConnection } from './subject.test-suite.ts';

const FILL = `INSERT INTO t (v) WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 300) SELECT zeroblob(8000) FROM n`;

export function describeMemory(get: GetConnection): void {
  describe('memory', () => {
    const cacheSize = (): unknown => get().one('PRAGMA cache_size')?.[0];
    const read = (): unknown => get().one('SELECT sum(length(v)), count(DISTINCT hex(v)) FROM t');

    test(
      'a connection that nobody uses gives its page cache back, goes on, and has its share again',
      needs('page cache'),
      () => {
        const db = get();
        db.run('CREATE TABLE t (id INTEGER PRIMARY KEY, v)');
        db.run(FILL);
        expect(read()).toEqual([2_400_000, 1]);
        const [whole, held] = [cacheSize(), db.memoryBytes];
        db.useCache(false);
        expect(cacheSize()).toBe(-512);
        if (held !== null) expect(db.memoryBytes).toBeLessThan(held);
        expect(read()).toEqual([2_400_000, 1]);
        db.run('DELETE FROM t WHERE id > 100');
        db.useCache(true);
        expect(cacheSize()).toBe(whole);
        expect(read()).toEqual([800_000, 1]);
      },
    );

    test(
      'work that comes back to no page keeps few of them, also in a transaction, whoever shows the database',
      needs('page cache'),
      () => {
        const db = get();
        db.run('CREATE TABLE t (id INTEGER PRIMARY KEY, v)');
        const whole = cacheSize();
        db.passCache(true);
        expect(cacheSize()).toBe(-4096);
        db.useCache(false);
        db.useCache(true);
        expect(cacheSize()).toBe(-4096);
        db.run('BEGIN');
        for (let n = 0; n < 5; n++) db.run(FILL);
        if (db.memoryBytes !== null) expect(db.memoryBytes).toBeLessThan(8 << 20);
        db.passCache(false);
        expect(cacheSize()).toBe(whole);
        db.run('COMMIT');
        expect(read()).toEqual([12_000_000, 1]);
      },
    );

    test(
      'neither a half-read statement nor an open transaction is in the way, and nothing of them is lost',
      needs('transactions'),
      () => {
        const db = get();
        db.run('CREATE TABLE t (id INTEGER PRIMARY KEY, v)');
        db.run(FILL);
        db.run('BEGIN');
        db.run('UPDATE t SET v = zeroblob(4000)');
        const statement = db.prepare('SELECT id FROM t ORDER BY id');
        expect(statement.step()).toBe(true);
        db.useCache(false);
        let rows = 1;
        while (statement.step()) rows++;
        statement.finalize();
        expect(rows).toBe(300);
        expect(db.autocommit).toBe(false);
        db.run('COMMIT');
        expect(read()).toEqual([1_200_000, 1]);
      },
    );
  });
}

// Transactions, durability, stopping, and the file itself.
import { describe, expect, it } from 'vitest';
import { needs } from './subject.test-suite.ts';
import type { GetConnection } from './subject.test-suite.ts';

const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';

export function describeTransactions(get: GetConnection): void {
  describe('transactions', needs('transactions'), () => {
    it('knows whether one is open', () => {
      expect(get().autocommit).toBe(true);
      get().run('BEGIN');
      expect(get().autocommit).toBe(false);
      get().run('COMMIT');
      expect(get().autocommit).toBe(true);
    });

    it('checks foreign keys, also those deferred to the commit', () => {
      get().run('CREATE TABLE p(id INTEGER PRIMARY KEY)');
      get().run('CREATE TABLE c(p REFERENCES p DEFERRABLE INITIALLY DEFERRED)');
      get().run('BEGIN');
      get().run('INSERT INTO c VALUES (1)');
      expect(() => get().run('COMMIT')).toThrow(expect.objectContaining({ code: 'constraint' }));
      expect(get().autocommit).toBe(false);
      get().run('INSERT INTO p VALUES (1)');
      get().run('COMMIT');
    });

    it('changes durability at once, or when the open transaction ends', needs('durability'), () => {
      get().setDurability('balanced');
      expect(get().one('PRAGMA synchronous')).toEqual([1]);
      get().run('BEGIN');
      get().setDurability('full');
      get().run('COMMIT');
      expect(get().one('PRAGMA synchronous')).toEqual([2]);
    });
  });

  describe('stopping', needs('stop'), () => {
    it('stops a statement that would never end, and goes on', () => {
      let calls = 0;
      get().onProgress(() => ++calls > 5);
      expect(() => get().one(ENDLESS)).toThrow(expect.objectContaining({ code: 'stopped' }));
      get().onProgress(null);
      expect(get().one('SELECT 1')).toEqual([1]);
    });

    it('leaves nothing of a stopped write', () => {
      get().run('CREATE TABLE t(a)');
      let calls = 0;
      get().onProgress(() => ++calls > 5);
      const endless = `INSERT INTO t ${ENDLESS.replace('count(*)', 'i')}`;
      expect(() => get().run(endless)).toThrow(expect.objectContaining({ code: 'stopped' }));
      get().onProgress(null);
      expect(get().one('SELECT count(*) FROM t')).toEqual([0]);
      expect(get().autocommit).toBe(true);
    });
  });

  describe('the file', () => {
    it('reads as it is committed, piece by piece', needs('file'), () => {
      get().run('CREATE TABLE t(a)');
      get().run('INSERT INTO t VALUES (zeroblob(100000))');
      get().checkpoint();
      const size = get().fileSizeBytes;
      expect(size).toBe(
        get().one('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size')![0] as number,
      );
      const whole = get().readFile(0, size);
      const pieces: Uint8Array[] = [];
      for (let offset = 0; offset < size; offset += 10_007) pieces.push(get().readFile(offset, 10_007));
      expect(Buffer.compare(Buffer.concat(pieces), whole)).toBe(0);
      expect(get().readFile(size, 10).length).toBe(0);
      expect(get().readFile(size - 3, 10).length).toBe(3);
    });

    it('begins as every database does', needs('file', 'plain bytes'), () => {
      get().run('CREATE TABLE t(a)');
      get().checkpoint();
      expect(new TextDecoder().decode(get().readFile(0, 16))).toBe('SQLite format 3\0');
    });

    it('is copied as it is committed', needs('file'), () => {
      get().run('CREATE TABLE t(a)');
      get().run("INSERT INTO t VALUES ('one')");
      const parts: string[] = [];
      let sizeBytes = 0;
      for (const { part, bytes } of get().copyCommitted()) {
        parts.push(part);
        if (part === 'file') sizeBytes += bytes.length;
      }
      expect(sizeBytes).toBe(get().fileSizeBytes);
      expect([...parts].sort()).toEqual(parts);
    });

    it('has another mark after each commit, and the same otherwise', needs('commit marks', 'transactions'), () => {
      const marks = [get().commitMark];
      for (const sql of ['CREATE TABLE t(a)', 'INSERT INTO t VALUES (1)', 'UPDATE t SET a = 2', 'DELETE FROM t']) {
        get().run(sql);
        marks.push(get().commitMark);
      }
      expect(new Set(marks).size).toBe(marks.length);
      get().run('BEGIN');
      get().run('INSERT INTO t VALUES (3)');
      expect(get().commitMark).toBe(marks.at(-1));
      get().run('ROLLBACK');
      get().checkpoint();
      expect(get().commitMark).toBe(marks.at(-1));
    });

    it('refuses a checkpoint while rows are being read', needs('file'), () => {
      get().run('CREATE TABLE t(a)');
      get().run('INSERT INTO t VALUES (1), (2)');
      const reading = get().prepare('SELECT * FROM t');
      reading.step();
      if (get().one('PRAGMA journal_mode')![0] === 'wal')
        expect(() => get().checkpoint()).toThrow(expect.objectContaining({ code: 'unavailable' }));
      reading.finalize();
      get().checkpoint();
    });
  });
}

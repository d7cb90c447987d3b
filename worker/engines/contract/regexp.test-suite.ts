// REGEXP gives the same answers on every engine, in bounded time.
import { describe, expect, it } from 'vitest';
import { createRandom } from '#shared/random.ts';
import { toAppError } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import { needs } from './subject.test-suite.ts';
import type { GetConnection } from './subject.test-suite.ts';

const CASES: readonly (readonly [value: Value, pattern: Value, found: Value])[] = [
  ['abc', '^a.c$', 1],
  ['ABC', '^a.c$', 0],
  ['ABC', '(?i)^a.c$', 1],
  ['Grüße 😀', 'ß\\w 😀$', 1],
  ['a\0b', 'a\\x00b', 1],
  ['\ufeffx', '^x', 0],
  ['', '^$', 1],
  [42, '^4\\d$', 1],
  [2n ** 63n - 1n, '807$', 1],
  [{ real: 2 }, '^2\\.0$', 1],
  [-1.5, '^-1\\.5$', 1],
  [Uint8Array.of(97, 98), '^ab$', 1],
  [new Uint8Array(0), '^$', 1],
  [null, 'a', null],
  ['a', null, null],
];

export function describeRegexp(get: GetConnection): void {
  describe('REGEXP', needs('own functions'), () => {
    it('finds what the pattern says, in values of every kind', () => {
      for (const [value, pattern, found] of CASES)
        expect([value, pattern, get().one('SELECT ? REGEXP ?', [value, pattern])]).toEqual([value, pattern, [found]]);
    });

    it('reads a REAL as SQLite writes it', () => {
      const connection = get();
      const reals = [1e21, -1e-5, 5e-324, 1.7976931348623157e308, 0.1 + 0.2, 1 / 3, 2 ** 53 + 2, 123456789012345680, Infinity]; // prettier-ignore
      const random = createRandom(7);
      while (reals.length < 400) {
        const real = new Float64Array(Uint32Array.of(random.between(0, 2 ** 32 - 1), random.between(0, 2 ** 32 - 1)).buffer)[0]!; // prettier-ignore
        if (!Number.isNaN(real)) reals.push(real);
      }
      for (const real of reals) {
        const [text] = connection.one('SELECT CAST(? AS TEXT)', [{ real }]) as [string];
        const pattern = `^${text.replace(/[.+]/g, '\\$&')}$`;
        expect([text, connection.one('SELECT ? REGEXP ?', [{ real }, pattern])]).toEqual([text, [1]]);
      }
    });

    it('does not hang, and can be stopped while it looks through a long text', () => {
      const connection = get();
      expect(connection.one("SELECT printf('%.*c', 100000, 'a') REGEXP '(a+)+(a|a)*b'")).toEqual([0]);
      let isStopped = false;
      connection.onProgress(() => isStopped);
      const statement = connection.prepare("SELECT printf('%.*c', 3000000, 'a') REGEXP '(a+)+b'");
      isStopped = true;
      try {
        expect(() => statement.step()).toThrow('Stopped');
      } finally {
        statement.finalize();
        connection.onProgress(null);
      }
    });

    it('says what is wrong with a pattern', () => {
      const failed = (): unknown => get().one("SELECT 'a' REGEXP '(a'");
      expect(failed).toThrow(/“\)” is missing/);
      try {
        failed();
      } catch (error) {
        expect(toAppError(error).code).toBe('sql');
      }
    });

    it('is not for schemas: another program’s REGEXP may find something else', () => {
      const connection = get();
      connection.run('CREATE TABLE t(v)');
      connection.run('CREATE VIEW found AS SELECT * FROM t WHERE v REGEXP 1');
      expect(() => connection.run("CREATE INDEX i ON t (v) WHERE v REGEXP 'a'")).toThrow();
      expect(() => connection.all('SELECT * FROM found')).toThrow(/unsafe use of regexp/i);
    });
  });
}

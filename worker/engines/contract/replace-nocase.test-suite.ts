// `replace_nocase` gives the same answers on every engine, and changes nothing that it cannot read exactly.
import { describe, expect, it } from 'vitest';
import type { Value } from '#shared/protocol/values.ts';
import { needs } from './subject.test-suite.ts';
import type { GetConnection } from './subject.test-suite.ts';

const CASES: readonly (readonly [text: Value, find: Value, replacement: Value, result: Value])[] = [
  ['Ab aB x', 'AB', 'é', 'é é x'],
  ['aaa', 'AA', 'b', 'ba'],
  ['100%_%', '%_', '\\', '100\\%'],
  ['É é', 'é', 'e', 'É e'],
  ['\u212a K', 'k', '-', '\u212a -'],
  ['x\0Yx', 'y', 'z', 'x\0zx'],
  ['\ufeffx😀', '😀', '\ufeff', '\ufeffx\ufeff'],
  ['abc', '', 'x', 'abc'],
  ['abc', 'B', '', 'ac'],
  [15, 5, 6, '16'],
  [{ real: 2 }, '.', ',', '2,0'],
  [null, 'a', 'b', null],
  ['a', 'a', null, null],
];

export function describeReplaceNocase(get: GetConnection): void {
  describe('replace_nocase', needs('own functions'), () => {
    it.each(['UTF-8', 'UTF-16le'])('replaces a text in either case of ASCII letters, in %s', (encoding) => {
      const connection = get();
      connection.run(`PRAGMA encoding = '${encoding}'`);
      connection.run('CREATE TABLE t (text, find, replacement)');
      for (const [text, find, replacement, result] of CASES) {
        connection.run('DELETE FROM t');
        connection.run('INSERT INTO t VALUES (?, ?, ?)', [text, find, replacement]);
        const [found] = connection.one('SELECT replace_nocase(text, find, replacement) FROM t')!;
        expect([text, find, replacement, found]).toEqual([text, find, replacement, result]);
      }
    });

    it('refuses text whose bytes it could not write back', () => {
      const connection = get();
      connection.run("CREATE TABLE t AS SELECT CAST(x'41ff42' AS TEXT) AS v");
      expect(() => connection.run("UPDATE t SET v = replace_nocase(v, 'a', 'b')")).toThrow(/not UTF-8/);
      expect(connection.one('SELECT hex(v) FROM t')).toEqual(['41FF42']);
    });
  });
}

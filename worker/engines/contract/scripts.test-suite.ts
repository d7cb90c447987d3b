// Scripts are split as SQLite itself reads them, in linear time, with places in the text that was sent.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { needs } from './subject.test-suite.ts';
import type { GetConnection } from './subject.test-suite.ts';
import type { Connection } from '../engine.ts';

export function describeScripts(get: GetConnection): void {
  describe('scripts', () => {
    it.each<readonly [name: string, sql: string, parts: readonly string[]]>([
      ['nothing', '', []],
      ['blanks', ' \n;; -- only this\n/* and this */', []],
      ['two statements', 'SELECT 1; SELECT 2', ['SELECT 1;', 'SELECT 2']],
      ['comments between', '-- é 😀\nSELECT 1; /* ; */ SELECT 2 -- end', ['SELECT 1;', 'SELECT 2 -- end']],
      [
        'semicolons in text',
        'SELECT \';\'; SELECT "a;" FROM (SELECT 1 AS "a;");',
        ["SELECT ';';", 'SELECT "a;" FROM (SELECT 1 AS "a;");'],
      ],
      ['an open comment at the end', 'SELECT 1; /* never closed', ['SELECT 1;']],
      ['a byte order mark', '\ufeffSELECT 1;', ['SELECT 1;']],
      ['text beyond the BMP', "SELECT '😀'; SELECT 'ü'; SELECT 3", ["SELECT '😀';", "SELECT 'ü';", 'SELECT 3']],
    ])('splits %s', (_name, sql, parts) => {
      expect(split(get(), sql)).toEqual(parts);
    });

    it('keeps triggers whole', () => {
      const trigger = "CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; SELECT ';'; END;";
      expect(split(get(), `CREATE TABLE t(a); ${trigger} SELECT 2;`, true)).toEqual([
        'CREATE TABLE t(a);',
        trigger,
        'SELECT 2;',
      ]);
    });

    it('names the place of an error in the whole text', () => {
      const sql = "SELECT 'é😀'; -- ü\nSELECT * FORM x";
      const script = get().script(sql);
      script.next();
      expect(() => script.next()).toThrow(
        expect.objectContaining({
          code: 'sql',
          sqlite: expect.objectContaining({ offset: sql.indexOf('FORM') }) as object,
        }),
      );
      script.dispose();
    });

    it.each([
      ['SELECT 1;\nSELECT \'?\', ":x", [?], /* ? */ 2 -- @y\n, ?5 FROM (SELECT 1 AS ":x", 2 AS [?])', '?5'],
      ["SELECT 1;\nINSERT INTO t VALUES ('é', :näme)", ':näme'],
      ['SELECT 1;\nSELECT @a', '@a'],
      ['SELECT 1;\nSELECT a$b, $v FROM (SELECT 1 AS a$b)', '$v'],
      ['SELECT 1;\nSELECT ?12', '?12'],
    ])('refuses a parameter, which has no value in a script: %s', (sql, parameter) => {
      const connection = get();
      connection.run('CREATE TABLE t(a, b)');
      const script = connection.script(sql);
      script.next();
      expect(() => script.next()).toThrow(
        expect.objectContaining({
          code: 'invalid',
          message: expect.stringContaining(`“${parameter}”`) as string,
          sqlite: expect.objectContaining({ offset: sql.lastIndexOf(parameter) }) as object,
        }),
      );
      script.dispose();
      expect(connection.one('SELECT count(*) FROM t')).toEqual([0]);
    });

    it('binds parameters by their names, in each statement anew', () => {
      const connection = get();
      connection.run('CREATE TABLE t(a, b)');
      const values = {
        '?1': 7,
        ':näme': 'é',
        '@a': null,
        $v: { real: 2 },
        '?4': 9_007_199_254_740_993n,
        ':b': new Uint8Array([1]),
      };
      const script = connection.script(
        "INSERT INTO t VALUES(?, :näme); INSERT INTO t VALUES(@a, $v); INSERT INTO t VALUES(?4, :b); INSERT INTO t VALUES(5, '?'); INSERT INTO t VALUES(?, ?1)",
        values,
      );
      for (let one = script.next(); one !== null; one = script.next()) while (one.step());
      expect(connection.all('SELECT typeof(a), a, typeof(b), b FROM t')).toEqual([
        ['integer', 7, 'text', 'é'],
        ['null', null, 'real', { real: 2 }],
        ['integer', 9_007_199_254_740_993n, 'blob', new Uint8Array([1])],
        ['integer', 5, 'text', '?'],
        ['integer', 7, 'integer', 7],
      ]);
      const wanting = connection.script('SELECT :b; SELECT :__proto__', values);
      wanting.next();
      expect(() => wanting.next()).toThrow(expect.objectContaining({ code: 'invalid' }));
      wanting.dispose();
    });

    it('says that a statement is not complete', () => {
      const script = get().script('SELECT 1; SELECT (');
      script.next();
      expect(() => script.next()).toThrow(expect.objectContaining({ code: 'sql' }));
      script.dispose();
    });

    it('runs what stands before a NUL character and then says where it is', () => {
      const script = get().script("SELECT 'é'; \0 SELECT 2");
      expect(script.next()).not.toBeNull();
      expect(() => script.next()).toThrow(
        expect.objectContaining({ sqlite: expect.objectContaining({ offset: 12 }) as object }),
      );
    });

    it('answers null again and again at the end, and after dispose', () => {
      const script = get().script('SELECT 1');
      script.next();
      expect([script.next(), script.next()]).toEqual([null, null]);
      const dropped = get().script('SELECT 1; SELECT 2');
      dropped.next();
      dropped.dispose();
      expect(dropped.next()).toBeNull();
    });

    it('finds the same statements whatever stands between them', () => {
      const blank = fc.constantFrom(' ', '\n', '-- é;\n', '/* 😀 ; */', ';');
      const statement = fc.constantFrom(
        "SELECT ';'",
        'SELECT 1',
        "SELECT '😀'",
        'VALUES (1),(2)',
        'SELECT "x" FROM (SELECT 2 AS "x")',
      );
      const parts = fc.array(fc.tuple(fc.array(blank, { maxLength: 3 }), statement), { maxLength: 8 });
      fc.assert(
        fc.property(parts, (list) => {
          const sql = list.map(([blanks, text]) => `${blanks.join('')}${text};`).join('');
          expect(split(get(), sql)).toEqual(list.map(([, text]) => `${text};`));
        }),
        { seed: 20_262, numRuns: seedCount(200) },
      );
    });

    it('takes time in proportion to the length', needs('quick statements'), () => {
      get().run('CREATE TABLE t(a, b)');
      const fastest = (statements: number): number => Math.min(...[1, 2, 3].map(() => timeScript(get(), statements)));
      fastest(4_000); // compiles what both need
      // Sixteen times as long; a copy of the rest for each statement would make it 256. Caches that others use take their share.
      // The system counts processor time in steps of some milliseconds.
      expect(fastest(64_000) / fastest(4_000)).toBeLessThan(64);
      expect(get().one('SELECT count(*) FROM t')).toEqual([3 * 72_000]);
    });
  });
}

function timeScript(connection: Connection, statements: number): number {
  const sql = Array.from(
    { length: statements },
    (_, index) => `INSERT INTO t VALUES (${index}, 'some text of a usual length, row ${index}');\n`,
  );
  // Measures this thread alone: other work on the machine does not count.
  const before = process.threadCpuUsage();
  const script = connection.script(`BEGIN;${sql.join('')}COMMIT`);
  for (let statement = script.next(); statement !== null; statement = script.next()) while (statement.step());
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

/** The statements as texts; they are run when what follows needs them. */
function split(connection: Connection, sql: string, run = false): string[] {
  const script = connection.script(sql);
  const parts: string[] = [];
  for (let statement = script.next(); statement !== null; statement = script.next()) {
    parts.push(sql.slice(statement.from, statement.to));
    expect(script.position).toBe(statement.to);
    if (run) while (statement.step());
  }
  return parts;
}

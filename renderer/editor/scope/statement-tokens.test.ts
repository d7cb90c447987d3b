import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { SqlScanner } from '#shared/sql-scanner.ts';
import type { Token } from '#shared/sql-scanner.ts';
import { statementTokensAt } from './statement-tokens.ts';

const PARTS = 'SELECT a ; ; ; CREATE TEMP TRIGGER x BEGIN END CASE \'s; -- /* */ \n " [ ] 1 END;'.split(' ');
const part = fc.constantFrom(...PARTS).map((word) => ` ${word}`);
const share = fc.double({ min: 0, max: 1, noNaN: true });

/** Reads a text of which nothing is known yet. */
function tokensOfNewText(sql: string, position: number): ReturnType<typeof statementTokensAt> {
  statementTokensAt('', 0);
  return statementTokensAt(sql, position);
}

test('a text that is edited has the same statements as one that is read anew', () => {
  const edit = fc.record({ at: share, removed: fc.nat(6), added: fc.array(part, { maxLength: 3 }), asked: share });
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), fc.array(edit, { minLength: 1, maxLength: 12 }), (parts, edits) => {
      const texts: (readonly [sql: string, position: number])[] = [];
      let sql = parts.join('');
      for (const { at, removed, added, asked } of edits) {
        const from = Math.floor(sql.length * at);
        sql = sql.slice(0, from) + added.join('') + sql.slice(from + removed);
        texts.push([sql, Math.floor(sql.length * asked)]);
      }
      statementTokensAt('', 0);
      const edited = texts.map(([text, position]) => statementTokensAt(text, position));
      expect(edited).toEqual(texts.map(([text, position]) => tokensOfNewText(text, position)));
    }),
    { numRuns: seedCount(1000), seed: 4 },
  );
});

test('a trigger is one statement, as where the text is run', () => {
  const sql = 'EXPLAIN CREATE TRIGGER a DELETE ON t BEGIN SELECT b; SELECT c; END; SELECT d';
  const wordsAt = (text: string): readonly string[] =>
    statementTokensAt(sql, sql.indexOf(text)).map(({ word }) => word);
  expect(wordsAt('c;')).toEqual('explain create trigger a delete on t begin select b ; select c ; end'.split(' '));
  expect(wordsAt('d')).toEqual(['select', 'd']);
});

test('what is typed at the end of a long text does not make all of it be read again', () => {
  const long = 'SELECT a FROM t WHERE b > 1;\n'.repeat(5000);
  statementTokensAt(long, long.length);
  const { next } = SqlScanner.prototype;
  let tokens = 0;
  SqlScanner.prototype.next = function (this: SqlScanner): Token {
    tokens++;
    return next.call(this);
  };
  try {
    const typed = `${long}SELECT n`;
    expect(statementTokensAt(typed, typed.length).map(({ word }) => word)).toEqual(['select', 'n']);
  } finally {
    SqlScanner.prototype.next = next;
  }
  expect(tokens).toBeLessThan(20);
});

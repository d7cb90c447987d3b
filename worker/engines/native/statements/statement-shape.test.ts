import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ParameterNumbers } from '#shared/sql-parameters.ts';
import { SqlScanner, Token } from '#shared/sql-scanner.ts';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { readStatement } from './statement-shape.ts';

/** So many words that what follows is not described, only searched. */
const BEGINNING = `UPDATE t SET ${'a = a + '.repeat(8)}`;
const PIECES = [
  ' ', '\n', '/* fail ; ? */', '-- replace ; ?\n', '/', '-', '*', '--', '/*', 'a', '_', '$', ' 1 ', '?', '?2', ':a', ':', '@b', '$c', 'a$d', '::',
  'replace', 'REPLACE', 'Fail', 'fails', 'replace$', "'fail ; ?'", '"replace ; ?"', '`fail`', '[replace ?]', "x'00'", "'", '"', ';', '(', ')', '\0', 'é', 'éfail',
]; // prettier-ignore

it('reads the rest of a long statement as its tokens say', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 16 }), (pieces) => {
      const sql = `${BEGINNING}${pieces.join('')}`;
      const { replaces, fails, parameters, to } = readStatement(sql)!;
      expect({ replaces, fails, parameters, to }).toEqual(readTokens(sql));
    }),
    { seed: 32, numRuns: seedCount(3000) },
  );
});

it('finds out within a moment that a statement has millions of tokens', () => {
  // Told by work, not by time: a scanner that stops at each token makes more of them than this text has room for.
  const sql = `${BEGINNING}${'+ a '.repeat(1_000_000)}; SELECT 2`;
  let moves = 0;
  const { next } = SqlScanner.prototype;
  SqlScanner.prototype.next = function (this: SqlScanner): Token {
    moves++;
    return next.call(this);
  };
  try {
    expect(readStatement(sql)!.to).toBe(sql.indexOf(';') + 1);
  } finally {
    SqlScanner.prototype.next = next;
  }
  expect(moves).toBeLessThan(100);
});

function readTokens(sql: string): object {
  const scanner = new SqlScanner(sql);
  const numbers = new ParameterNumbers();
  const parameters: object[] = [];
  let [replaces, fails] = [false, false];
  while (scanner.next() !== Token.end && scanner.kind !== Token.semicolon) {
    const { kind, text, from, to } = scanner;
    if (kind === Token.variable)
      parameters.push({ index: numbers.numberOf(text), name: text === '?' ? null : text.slice(1), from, to });
    replaces ||= kind === Token.word && text.toUpperCase() === 'REPLACE';
    fails ||= kind === Token.word && text.toUpperCase() === 'FAIL';
  }
  return { replaces, fails, parameters, to: scanner.to };
}

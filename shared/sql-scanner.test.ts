// The scanner against SQLite's own tokenizer: where SQLite sees white space, tokens and the end of a statement.
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { seedCount } from './seed-count.test-suite.ts';
import { SqlScanner, Token } from './sql-scanner.ts';

const db = new Database(':memory:');
afterAll(() => void db.close());

/** Nothing but the end of the statement can follow, so SQLite names the first token it meets. No space before it: that would change what it is. */
const BEFORE = 'COMMIT TRANSACTION[x]';

type Said = { readonly kind: 'end' | 'semicolon' } | { readonly kind: 'token' | 'illegal'; readonly text: string };

function firstTokenOf(sql: string): Said {
  try {
    db.prepare(BEFORE + sql);
    return { kind: 'end' };
  } catch (error) {
    const { message } = error as Error;
    const near = /^near "([^]*)": syntax error$/.exec(message)?.[1];
    if (near !== undefined) return { kind: 'token', text: near };
    const illegal = /^unrecognized token: "([^]*)"$/.exec(message)?.[1];
    if (illegal !== undefined) return { kind: 'illegal', text: illegal };
    expect(message).toContain('more than one statement');
    return { kind: 'semicolon' };
  }
}

/** Follows both through the text until SQLite refuses a token: from there on nothing can be run of it. */
function expectSameTokens(sql: string): void {
  for (let at = 0; ;) {
    const scanner = new SqlScanner(sql, at);
    scanner.next();
    const rest = sql.slice(scanner.from);
    // SQLite ignores the text that the scanner skips.
    expect(firstTokenOf(sql.slice(at, scanner.from)).kind).toBe('end');
    const said = firstTokenOf(rest);
    expect(firstTokenOf(sql.slice(at))).toEqual(said);
    if (said.kind === 'illegal') return;
    if (scanner.kind === Token.end) {
      expect(said.kind).toBe('end');
      return;
    }
    if (scanner.kind === Token.semicolon) {
      expect(['semicolon', 'end']).toContain(said.kind);
      at = scanner.to;
      continue;
    }
    expect(said.kind).toBe('token');
    const { text } = said as { readonly text: string };
    // Operators of several characters are several tokens here.
    if (scanner.kind === Token.other) expect(text.startsWith(scanner.text)).toBe(true);
    else expect(text).toBe(scanner.text);
    at = scanner.from + text.length;
  }
}

const PIECES = [
  ' ', '\t', '\n', '\v', '\f', '\r', ' \v', '\v ', '\u00a0', '\u2028', '\ufeff', '\u0001', '/*', '*/', '/**/', '/* ; */', '--', '-- x\n', '/', '*', '-',
  'SELECT', 'PRAGMA', 'x', 'X', "x'00'", "X'0'", 'ä', '😀', '_', '$', '@', ':', '#', '?', '?1', ':a', '@ä', '$a', '::', '(', ')', ';', '.', ',', '=', '==', '<', '>', '<>',
  '!', '!=', '|', '||', '->', '->>', '&', '~', '%', '+', "'", "''", "'a'", '"', '"a""b"', '`', '`a`', '[', ']', '[a]', '0', '1', '0x1F', '1.5', '1e3', '1e', '.5', '1_000', '1__0', 'e', '\\', '^', '{',
]; // prettier-ignore
const TEXT = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((pieces) => pieces.join(''));

it('sees white space, comments, words, quotes and ends where SQLite sees them', () => {
  fc.assert(fc.property(TEXT, expectSameTokens), { seed: 577, numRuns: seedCount(3000) });
});

it.each([' \v', '\t\v\v', '\f\v \v', '/* */ \v', '\ufeff \v', '-- x\n\v'])('takes %j for white space', (blank) => {
  expectSameTokens(`a${blank}b`);
  const scanner = new SqlScanner(`${blank}PRAGMA`);
  expect([scanner.next(), scanner.text]).toEqual([Token.word, 'PRAGMA']);
});

it.each(['\v', '\ufeff\v', '/**/\v', '\u00a0'])('takes %j for no white space', (text) => {
  expectSameTokens(`[a]${text}b`);
});

it('finds the same semicolons without reading the tokens between them', () => {
  const semicolons = (sql: string, move: (scanner: SqlScanner) => Token): readonly number[] => {
    const scanner = new SqlScanner(sql);
    const found: number[] = [];
    while (move(scanner) !== Token.end) if (scanner.kind === Token.semicolon) found.push(scanner.from);
    return [...found, scanner.from];
  };
  const expectSame = (sql: string): void => {
    expect(semicolons(sql, (scanner) => scanner.toSemicolon())).toEqual(semicolons(sql, (scanner) => scanner.next()));
  };
  fc.assert(fc.property(TEXT, expectSame), { seed: 578, numRuns: seedCount(3000) });
});

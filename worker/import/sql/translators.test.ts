import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { processorMsOf } from '#shared/processor-time.test-suite.ts';
import { sampled, seedCount } from '#shared/seed-count.test-suite.ts';
import { SQL_DIALECTS } from '#shared/protocol/transfer.ts';
import { translatorOf } from './translators.ts';

const PART = fc.constantFrom(
  ...'CREATE TABLE|INSERT INTO|ALTER TABLE|VALUES|PRIMARY KEY|FOREIGN KEY|REFERENCES|CONSTRAINT|CHECK|DEFAULT|ADD|MODIFY|IF NOT EXISTS'.split('|'),
  ...'CREATE VIEW|CREATE INDEX|CREATE UNIQUE INDEX|CREATE DOMAIN|ALTER SEQUENCE|OWNED BY|COPY|FROM stdin|INHERITS|PARTITION OF|ATTACH PARTITION'.split('|'),
  ...'UPDATE|DELETE FROM|SET|USE|DROP TABLE|AS|ON|SELECT|GENERATED ALWAYS|IDENTITY|AUTO_INCREMENT|KEY|UNIQUE|NOT NULL|CAST|setval|nextval'.split('|'),
  ...['(', ')', ',', '.', '=', '-', '+', ';', '[', ']', '::', "'", "'a'", "N'é'", "_binary '\\0'", "b'1'", "b'x'", "X'4'", '0x', '0x4', '"t"', '`t`'],
  ...['[t]', 't', 'a int', 'b bit(64)', 'c blob', '1', '99999999999999999999', '1.50', 'NULL', '/*!40000', '*/', '/*', '--', '\n', '\\', '$$', '\\connect x'],
); // prettier-ignore
const HEAD = fc.constantFrom(
  ...'CREATE TABLE t (a int, b bit(64), c blob|INSERT INTO t VALUES (|ALTER TABLE t ADD|CREATE|COPY t|SELECT setval(|\\c|'.split(
    '|',
  ),
);

describe.each(SQL_DIALECTS)('statements of %s', (dialect) => {
  test('of any words become something or are refused', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(HEAD, fc.array(PART, { maxLength: 14 })), { maxLength: 6 }), (statements) => {
        const translator = translatorOf(dialect, {
          beginning: '',
          encoding: 'windows-1252',
          isDecodedLater: true,
          existing: new Map([['t', [{ name: 'a', holds: 'text', isGenerated: false }]]]),
        });
        const texts = statements
          .map(([head, parts]) => `${head} ${parts.join(' ')}`.trim())
          .filter((text) => text !== '');
        for (const text of texts) translator.see?.(text);
        for (const text of texts) expect(translator.translate(text)).toHaveProperty('do');
        expect([...(translator.finish?.() ?? []), ...translator.notes].every((text) => typeof text === 'string')).toBe(
          true,
        );
      }),
      { seed: 5, numRuns: seedCount(2000) },
    );
  });
});

/** What a hostile file repeats. */
const UNITS = [
  ...'( ) , . = - [ ] :: \' " ` /* */ -- # \\ $$ $ @ a 1 0x x\' _ _utf8 _utf8\'a\' N\' \'a\' \'\' \'a\', (1), /*!1 a. a, ::text ::"a"'.split(' '),
  ...['\n', ' ', 'a ', 'a int,', '/*!40000 ', '*/ /*', 'AS ', 'ON ', 'REFERENCES t ', 'CHECK ', 'CHECK (', 'DEFAULT ', 'DEFAULT (', 'PRIMARY KEY '],
  ...['KEY a (', 'CONSTRAINT ', ', CONSTRAINT a ', 'CAST(', 'nextval(', "COMMENT '", ';\n', ', (', 'ENGINE', ') '],
]; // prettier-ignore
const BEGINNINGS = [
  ...['', 'CREATE TABLE t (', 'CREATE TABLE t (a int ', 'CREATE TABLE t ', 'INSERT INTO t VALUES (', 'INSERT INTO t ', 'ALTER TABLE t ', 'PRAGMA '],
  ...['CREATE INDEX i ON t (', 'CREATE VIEW v AS SELECT ', 'CREATE TRIGGER g ', 'COPY t ', 'SELECT setval(', 'SET ', 'USE ', 'UPDATE t SET a'],
]; // prettier-ignore

describe.each(SQL_DIALECTS)('a statement of %s', (dialect) => {
  // 40 KB of `CHECK ` took ten seconds, and of comments that were not closed one, each with the square of the length.
  test('is translated in time proportional to its length', async () => {
    const statements = BEGINNINGS.flatMap((beginning) =>
      UNITS.map((unit) => beginning + unit.repeat(Math.ceil(40_000 / unit.length))),
    );
    const casts = `INSERT INTO t VALUES (${'CAST('.repeat(6000)}'x'${' AS date)'.repeat(6000)})`;
    const known = ['CREATE TABLE t (a int ' + 'CHECK '.repeat(7000), 'SET ' + '/*!1'.repeat(10_000), casts];
    for (const statement of [...known, ...sampled(statements, 100)]) {
      const translator = translatorOf(dialect, {
        beginning: '',
        encoding: 'utf-8',
        isDecodedLater: false,
        existing: new Map(),
      });
      const ms = await processorMsOf(() => [
        translator.see?.(statement),
        translator.translate(statement),
        translator.finish?.(),
      ]);
      expect({ statement: statement.slice(0, 40), isQuick: ms < 1000 }).toMatchObject({ isQuick: true });
    }
  });
});

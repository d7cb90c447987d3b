// Bytes of a file of SQL that are no text in its encoding: each value is exact, or listed with its line.
import { describe, expect, test } from 'vitest';
import { opened, PLACES } from './transfer-fixture.test-suite.ts';

const HEAD = '--\n-- PostgreSQL database dump\n--\n';
const latin1 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));

describe.each(PLACES)('files of SQL read by the %s engine', (_name, place) => {
  test('escapes of bytes of PostgreSQL are characters of the encoding that the file declares', async () => {
    const dump = `${HEAD}SET client_encoding = 'WIN1251';
CREATE TABLE t (a text, b text);
COPY t (a, b) FROM stdin;
\\xcf\\320\tA\\\\xff
\xcf\\x41\\xd0\tB
\\.
INSERT INTO t VALUES (E'\\320\\237', E'it''s \\\\xcf \\xcf\\'');
`;
    const { connection } = await opened(place, latin1(dump));
    expect(connection.all('SELECT a, b FROM t')).toEqual([
      ['ПР', 'A\\xff'],
      ['ПAР', 'B'],
      ['Рџ', "it's \\xcf П'"],
    ]);
  });

  test('rows with escapes of bytes that are no character of the encoding are listed', async () => {
    const dump = `${HEAD}SET client_encoding = 'SJIS';
CREATE TABLE t (a text);
COPY t (a) FROM stdin;
\\x93\\xfa
\\xff
\\x83\\x5c\\x27
\\.
INSERT INTO t VALUES (E'\\x93\\xfa\\x5c'), (E'\\x83\\x5c');
INSERT INTO t VALUES (E'\\xff');
`;
    const { connection, contents } = await opened(place, latin1(dump));
    expect(connection.all('SELECT a FROM t').flat()).toEqual(['日', "ソ'", '日\\', 'ソ']);
    expect(contents.sql!.statements.map(({ line, text }) => [line, text])).toEqual([
      [8, '\\xff'],
      [12, expect.stringContaining('INSERT')],
    ]);
  });

  test('bytes that are not UTF-8 stay what they are, and how many is said', async () => {
    const dump = `${HEAD}SET client_encoding = 'SQL_ASCII';
CREATE TABLE t (a text, b bytea);
COPY t (a, b) FROM stdin;
${Buffer.from('é'.repeat(300)).toString('latin1')}\t\\\\xff
caf\xe9\t\\N
\\377\t\\N
\\xc3\xa9\t\\N
\\.
INSERT INTO t VALUES ('caf\xe9', '\\xfe');
`;
    const { connection, contents } = await opened(place, latin1(dump));
    expect(connection.all('SELECT hex(a), hex(b) FROM t WHERE rowid > 1')).toEqual([
      ['636166E9', ''],
      ['FF', ''],
      ['C3A9', ''],
      ['636166E9', 'FE'],
    ]);
    expect(contents.notes).toContain(
      'Texts of “t” that are not UTF-8: 2, the first in line 8. Their bytes are kept as BLOBs; another encoding may read them.',
    );
    expect(contents.notes.join()).toContain('Texts of “t” that are not utf-8: 1. Their bytes are kept as they are');
  });

  test('texts of MySQL that are not in the declared encoding keep their bytes, and are said', async () => {
    const dump = `SET NAMES greek;
CREATE TABLE \`t\` (\`a\` text, \`n\` int) ENGINE=InnoDB;
INSERT INTO \`t\` VALUES ('\xe1', 1),('\xd2x', 2);
INSERT INTO \`t\` VALUES (_latin7'\xff', 1 + 2);
`;
    const { connection, contents } = await opened(place, latin1(dump));
    expect(connection.all('SELECT hex(a), n FROM t')).toEqual([
      ['CEB1', 1],
      ['D278', 2],
      ['E28099', 3],
    ]);
    expect(contents.notes.join()).toContain('Texts of “t” that are not iso-8859-7: 2.');
  });

  test('the first line with bytes that are no character is named, where the whole file is decoded', async () => {
    const half = "CREATE TABLE t (a text);\nINSERT INTO t VALUES (N'\ud800');\n";
    const { contents } = await opened(place, Uint8Array.from(Buffer.from(`\ufeff${half}`, 'utf16le')));
    expect(contents.notes.join()).toMatch(/Line 2 is the first with “\ufffd” .* no character in utf-16le/);
    const { contents: valid } = await opened(
      place,
      Uint8Array.from(Buffer.from('\ufeffCREATE TABLE t (a text);\n', 'utf16le')),
    );
    expect(valid.notes.join()).not.toContain('U+FFFD');
  });
});

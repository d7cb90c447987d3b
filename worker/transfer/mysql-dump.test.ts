import { describe, expect, test } from 'vitest';
import { opened, PLACES } from './transfer-fixture.test-suite.ts';

/** Parts that are texts in UTF-8, or bytes. */
const dumpOf = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part)))),
  );
const HEAD = '-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)\n';
/** All bytes as MySQL escapes them between quotes. */
const EVERY_BYTE = Array.from({ length: 256 }, (_, byte) => {
  const escape = { 0: '0', 10: 'n', 13: 'r', 26: 'Z', 34: '"', 39: "'", 92: '\\' }[byte];
  return escape === undefined ? [byte] : [0x5c, escape.charCodeAt(0)];
}).flat();
const EVERY_HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join('');

describe.each(PLACES)('dumps of MySQL read by the %s engine', (_name, place) => {
  test('blobs without hexadecimal digits stay byte for byte, and text beside them is UTF-8', async () => {
    const many = Array.from({ length: 2000 }, () => EVERY_BYTE).flat();
    const dump = dumpOf(
      `${HEAD}/*!50503 SET NAMES utf8mb4 */;
CREATE TABLE \`t\` (\`id\` int NOT NULL, \`b\` longblob, \`v\` varbinary(300), \`n\` varchar(20), PRIMARY KEY (\`id\`));
INSERT INTO \`t\` VALUES (1,'`, EVERY_BYTE, `',_binary '`, EVERY_BYTE, `','Zoë'),(2,'`, many, `','abc','日本');\n`,
    ); // prettier-ignore
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql).toMatchObject({ dialect: 'mysql', encoding: 'utf-8', notUnderstood: 0 });
    expect(contents.notes.join()).not.toContain('read as');
    expect(connection.all('SELECT hex(b), hex(v), typeof(b), typeof(v), n FROM t WHERE id = 1')).toEqual([
      [EVERY_HEX, EVERY_HEX, 'blob', 'blob', 'Zoë'],
    ]);
    expect(connection.all('SELECT length(b), hex(v), typeof(v), n FROM t WHERE id = 2')).toEqual([
      [256 * 2000, '616263', 'blob', '日本'],
    ]);
  });

  test('SET NAMES says how texts are read, and blobs are not touched by it', async () => {
    const dump = dumpOf(
      `${HEAD}/*!40101 SET NAMES latin1 */;
CREATE TABLE t (b blob, n text DEFAULT '`, [0xe9], `', \`na`, [0xef], `ve\` text);
INSERT INTO t VALUES ('`, [0xe9, 0xff], `','caf`, [0xe9, 0x80], `',_utf8mb4'`, [0xc3, 0xa9], `');
INSERT INTO t (b) VALUES (NULL);\n`,
    ); // prettier-ignore
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.encoding).toBe('windows-1252');
    expect(contents.notes).toContain('The text was read as windows-1252, because the file says SET NAMES latin1.');
    expect(connection.all('SELECT hex(b), n, "naïve" FROM t')).toEqual([
      ['E9FF', 'café€', 'é'],
      ['', 'é', null],
    ]);
  });

  test('texts that are not in the encoding keep their bytes, and are counted', async () => {
    const dump = dumpOf(`${HEAD}CREATE TABLE t (n text);\nINSERT INTO t VALUES ('caf`, [0xe9], `'),('ok');\n`);
    const { connection, contents } = await opened(place, dump);
    expect(connection.all('SELECT hex(n), typeof(n) FROM t')).toEqual([
      ['636166E9', 'text'],
      ['6F6B', 'text'],
    ]);
    expect(contents.notes.join()).toContain('Texts of “t” that are not utf-8: 1.');
    const again = await opened(place, dump, { encoding: 'windows-1252' });
    expect(again.connection.all('SELECT n FROM t')).toEqual([['café'], ['ok']]);
    await expect(opened(place, dump, { encoding: 'no-such' })).rejects.toMatchObject({ code: 'invalid' });
  });

  test('blobs whose bytes are lost in the encoding of the file are listed', async () => {
    const dump = dumpOf(
      `${HEAD}SET NAMES gbk;\nCREATE TABLE t (b blob, n text);\nINSERT INTO t VALUES ('abc','`,
      [0x81, 0x5c],
      `');\nINSERT INTO t VALUES ('`,
      [0xff, 0x81, 0x5c],
      `','x');\n`,
    );
    const { connection, contents } = await opened(place, dump);
    expect(connection.all('SELECT hex(b), n FROM t')).toEqual([['616263', '乗']]);
    expect(contents.sql!.statements).toMatchObject([{ line: 5, reason: expect.stringContaining('were lost') }]);
  });

  test('BIT columns are integers, however they are written', async () => {
    const dump = dumpOf(
      `${HEAD}CREATE TABLE t (a bit(1), b bit(16) DEFAULT b'11');
INSERT INTO t VALUES (b'1',b'0101'),('\\0','\\0`, [0xff], `'),(_binary '`, [1], `',0x0102),(NULL,7);\nINSERT INTO t (a) VALUES (1);\n`,
    ); // prettier-ignore
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements).toEqual([]);
    expect(connection.all('SELECT a, b FROM t')).toEqual([
      [1, 5],
      [0, 255],
      [1, 258],
      [null, 7],
      [1, 3],
    ]);
  });

  test('texts with a prefix are decoded once', async () => {
    const dump = `${HEAD}CREATE TABLE t (a varchar(9) DEFAULT _utf8mb4'ü', b varchar(9) GENERATED ALWAYS AS (concat(a, _utf8mb4'ß')), CONSTRAINT c CHECK (a <> _utf8mb3'ø'));
INSERT INTO t (a) VALUES (N'é'),(_utf8mb4'日'),(_utf8mb4 'x');
INSERT INTO t () VALUES ();
INSERT INTO t (a) VALUES ('ø');
CREATE VIEW v AS SELECT a || _utf8' é' AS c FROM t;
`;
    const { connection, contents } = await opened(place, dump);
    expect(connection.all('SELECT a, b FROM t')).toEqual([
      ['é', 'éß'],
      ['日', '日ß'],
      ['x', 'xß'],
      ['ü', 'üß'],
    ]);
    expect(connection.one('SELECT c FROM v')).toEqual(['é é']);
    expect(contents.sql!.statements.map(({ line }) => line)).toEqual([5]);
  });

  test('the first line of new dumps of MariaDB, and comments in texts, change nothing', async () => {
    const dump = `/*M!999999\\- enable the sandbox mode */ \n-- MariaDB dump 10.19  Distrib 10.11.8-MariaDB
/*!40101 SET NAMES utf8mb4 */;
CREATE TABLE t (a text /*M!100301 COMPRESSED*/ /*!50606 STORAGE DISK */, b int);
INSERT INTO t VALUES ('/*!40101 x */ /* y */ -- z', 1);
UPDATE t SET b = 2 WHERE /*!40101 a = */ '/*!40101 x */ /* y */ -- z';
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql).toMatchObject({ dialect: 'mysql', notUnderstood: 0 });
    expect(connection.all('SELECT * FROM t')).toEqual([['/*!40101 x */ /* y */ -- z', 2]]);
  });

  test('generated columns are computed, and DEFAULT is the default', async () => {
    const dump = `${HEAD}CREATE TABLE t (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, a int DEFAULT 7, twice int AS (a * 2) STORED, c text DEFAULT 'c');
INSERT INTO t VALUES (1,1,99,'x'),(2,DEFAULT,NULL,DEFAULT),(DEFAULT,3,DEFAULT,'z');
INSERT INTO t (twice, a) VALUES (5, 4);
INSERT INTO t VALUES (9,9);
`;
    const { connection, contents } = await opened(place, dump);
    expect(connection.all('SELECT id, a, twice, c FROM t')).toEqual([
      [1, 1, 2, 'x'],
      [2, 7, 14, 'c'],
      [3, 3, 6, 'z'],
      [4, 4, 8, 'c'],
    ]);
    expect(contents.sql!.statements.map(({ line }) => line)).toEqual([5]);
  });

  test('a generated column is told from a default that reads like one', async () => {
    const dump = `${HEAD}CREATE TABLE t (id int PRIMARY KEY, twice int as (id * 2) stored, c varchar(20) DEFAULT ' AS (x)');
INSERT INTO t (id, twice, c) VALUES (1, 2, 'kept');
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements).toEqual([]);
    expect(connection.all('SELECT id, twice, c FROM t')).toEqual([[1, 2, 'kept']]);
  });

  test('hexadecimal digits are text in a column of text, blobs and integers in others', async () => {
    const dump = `${HEAD}CREATE TABLE t (a varchar(9) DEFAULT 0x41, b binary(2) DEFAULT 0x3031, c blob, i int);
INSERT INTO t VALUES (0x41C3A9,0x41,_binary 0xE9,0x10),(x'42',x'4243',X'',x'10'),(_latin1 0xE9,0x30,_utf8mb4 x'C3A9',1);
INSERT INTO t (i) VALUES (2);
INSERT INTO t (a) VALUES (0xFF);
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements).toEqual([]);
    expect(contents.notes.join()).toContain('Texts of “t” that are not utf-8: 1.');
    expect(connection.all('SELECT a, hex(b), hex(c), i FROM t WHERE i IS NOT NULL')).toEqual([
      ['Aé', '41', 'E9', 16],
      ['B', '4243', '', 16],
      ['é', '30', 'C3A9', 1],
      ['A', '3031', '', 2],
    ]);
    expect(connection.all('SELECT hex(a), typeof(a) FROM t WHERE i IS NULL')).toEqual([['FF', 'text']]);
  });

  test('casts mean what they mean in MySQL, and a default that SQLite does not have is said', async () => {
    const dump = `${HEAD}CREATE TABLE t (a datetime, b date, c json, d blob, i int, u varchar(36) DEFAULT uuid());
INSERT INTO t VALUES (CAST('2020-01-31' AS DATETIME), CAST('2020-01-31 10:00:00' AS DATE), CAST('{"as": 1}' AS JSON), CAST('x' AS BINARY), CAST('7' AS UNSIGNED), 'u');
INSERT INTO t (a, i) VALUES (CAST('2020-01-31 10:00:00.25' AS DATETIME(2)), CAST((CAST('8' AS CHAR)) AS SIGNED INTEGER));
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements).toEqual([]);
    expect(contents.notes.join()).toContain('Defaults that SQLite does not have were left out: “t.u”.');
    expect(connection.all('SELECT a, b, c, quote(d), i, u FROM t')).toEqual([
      ['2020-01-31 00:00:00', '2020-01-31', '{"as": 1}', "X'78'", 7, 'u'],
      ['2020-01-31 10:00:00.25', null, null, 'NULL', 8, null],
    ]);
  });

  test('rows of INSERT … SET are like others', async () => {
    const dump = `CREATE TABLE t (id int, a varchar(20) DEFAULT 'd', b blob, twice int AS (id * 2));
INSERT INTO \`t\` SET \`id\`=1, \`a\`='x=1, y\\'', b='\\0';
INSERT t SET t.id = 2, a = DEFAULT, twice = DEFAULT;
REPLACE INTO t SET id = 3, a = ('(SET'), b = ((12));
INSERT INTO t SET id = 4 ON DUPLICATE KEY UPDATE id = 5;
INSERT INTO t SET id;
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.dialect).toBe('mysql');
    expect(contents.sql!.statements.map(({ line }) => line)).toEqual([5, 6]);
    expect(connection.all('SELECT id, a, quote(b), twice FROM t')).toEqual([
      [1, "x=1, y'", "X'00'", 2],
      [2, 'd', 'NULL', 4],
      [3, '(SET', "X'3132'", 6],
    ]);
  });

  test('integers of more than 64 bits and long decimals keep all their digits', async () => {
    const dump = `${HEAD}CREATE TABLE t (id bigint unsigned NOT NULL AUTO_INCREMENT, big bigint unsigned, small bigint(20) unsigned, d decimal(30,10), bits bit(64), PRIMARY KEY (id));
INSERT INTO t (id, big, small, d, bits) VALUES (1,18446744073709551615,9223372036854775807,-0.5000000000,b'${'1'.repeat(64)}'),(2,5,5,1e2,b'1');
CREATE TABLE k (id bigint unsigned PRIMARY KEY);
INSERT INTO k VALUES (9223372036854775808),('18446744073709551615'),(3);
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements).toEqual([]);
    expect(connection.all('SELECT big, small, typeof(small), d, bits FROM t')).toEqual([
      ['18446744073709551615', 9223372036854775807n, 'integer', '-0.5000000000', '18446744073709551615'],
      ['5', 5, 'integer', '1e2', '1'],
    ]);
    expect(connection.all('SELECT id FROM k')).toEqual([['9223372036854775808'], ['18446744073709551615'], ['3']]);
    expect(contents.notes.filter((note) => note.includes('64 bits')).map((note) => note.split(' ')[0])).toEqual([
      '“t.big”',
      '“t.bits”',
      '“k.id”',
    ]);
  });

  test('double quotes enclose names where the file sets ANSI_QUOTES', async () => {
    const dump = `/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO,ANSI' */;
CREATE TABLE "a\\" ("id" int NOT NULL, "b\\c" varchar(9) DEFAULT 'x\\'' CHECK ("b\\c" <> 'no'), "key" int, PRIMARY KEY ("id"), KEY "k" ("b\\c"(3)));
INSERT INTO "a\\" VALUES (1,'say "hi"',2),(2,'it\\'s; \\"',NULL);
ALTER TABLE "a\\" ADD CONSTRAINT "f" FOREIGN KEY ("key") REFERENCES "a\\" ("id");
/*!50001 CREATE VIEW "v" AS select "t"."b\\c" AS "n" from "a\\" "t" */;
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements).toEqual([]);
    expect(connection.all('SELECT id, "b\\c", key FROM "a\\"')).toEqual([
      [1, 'say "hi"', 2],
      [2, `it's; "`, null],
    ]);
    expect(connection.all('SELECT n FROM v ORDER BY n DESC')).toEqual([['say "hi"'], [`it's; "`]]);
    expect(() => connection.run(`INSERT INTO "a\\" VALUES (3, 'no', 1)`)).toThrow();
  });

  test('backslashes are text where the file sets NO_BACKSLASH_ESCAPES', async () => {
    const dump = `SET sql_mode='NO_BACKSLASH_ESCAPES';
CREATE TABLE \`t\` (a text, b blob, \`c\\d\` text);
INSERT INTO \`t\` VALUES ('C:\\new\\','\\0',"it's \\");
/*!40000 INSERT INTO \`t\` VALUES ('a''\\', 'x', '\\%') */;
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements).toEqual([]);
    expect(connection.all('SELECT a, hex(b), "c\\d" FROM t')).toEqual([
      ['C:\\new\\', '5C30', "it's \\"],
      ["a'\\", '78', '\\%'],
    ]);
  });

  test('values that SQLite would compute in another way are listed, and columns of another table made of nothing', async () => {
    const dump = `${HEAD}CREATE TABLE t (a decimal(5,2), b text);
INSERT INTO t VALUES (7/2,'a/b'),(1,'x');
INSERT INTO t VALUES (1 || 0,'a||b');
INSERT INTO t VALUES (1,'a'='A');
INSERT INTO t VALUES (5,'a/b||c=<d>');
CREATE TABLE u (LIKE t);
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements.map(({ line }) => line - contents.sql!.statements[0]!.line)).toEqual([0, 1, 2, 4]);
    expect(connection.all('SELECT a, b FROM t')).toEqual([
      [1, 'x'],
      [5, 'a/b||c=<d>'],
    ]);
    expect(connection.all("SELECT name FROM sqlite_schema WHERE type = 'table'")).toEqual([['t']]);
  });

  test('integers of more than 63 bits in hexadecimal digits keep their digits', async () => {
    const dump = `${HEAD}CREATE TABLE t (a bigint unsigned, b decimal(20,0), j json);\nINSERT INTO t VALUES (0xFFFFFFFFFFFFFFFF,0x10,0x7B7D),(0x7F,'16','[]');\n`;
    const { connection } = await opened(place, dump);
    expect(connection.all('SELECT a, b, j FROM t')).toEqual([
      ['18446744073709551615', '16', '{}'],
      ['127', '16', '[]'],
    ]);
  });

  test('two minus signs before a digit begin no comment', async () => {
    const { connection } = await opened(place, `${HEAD}CREATE TABLE t (a int);\nINSERT INTO t VALUES (5--1\n);\n`);
    expect(connection.all('SELECT a FROM t')).toEqual([[6]]);
  });

  test('ucase and lcase of a view are upper and lower, and of a generated column it is said what they do', async () => {
    const dump = `${HEAD}CREATE TABLE t (a varchar(9), ucase int, b varchar(9) AS (upper(a)) STORED, c varchar(9) AS (a), d varchar(9) AS (ucase(a)));
INSERT INTO t (a, ucase) VALUES ('x', 7);
/*!50001 CREATE VIEW v AS select ucase(\`t\`.\`a\`) AS u, lcase('Y') AS l, ucase from t */;
`;
    const { connection, contents } = await opened(place, dump);
    expect(connection.all('SELECT u, l, ucase FROM v')).toEqual([['X', 'y', 7]]);
    expect(contents.sql!.statements.map(({ reason }) => reason)).toEqual([
      'The generated column “d” was left out. There is no function named “ucase”.',
    ]);
    expect(contents.notes.filter((note) => note.includes('case of letters'))).toEqual([
      'The generated column “t.b” changes the case of letters: in SQLite only from A to Z.',
    ]);
  });

  test('a default is the value that it is in its column', async () => {
    const dump = `${HEAD}CREATE TABLE t (id int PRIMARY KEY, a varbinary(9) DEFAULT '\\0\\\\''x', b varchar(9) DEFAULT 'a\\0b', c decimal(30,10) DEFAULT -1.5000000000, d varchar(9) DEFAULT 'x');
INSERT INTO t (id) VALUES (1);
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements).toEqual([]);
    expect(connection.all('SELECT hex(a), typeof(a), hex(b), c, d FROM t')).toEqual([
      ['005C2778', 'blob', '610062', '-1.5000000000', 'x'],
    ]);
  });

  test('several databases do not overwrite each other', async () => {
    const table = (value: number) => `DROP TABLE IF EXISTS \`t\`;
CREATE TABLE \`t\` (\`a\` int NOT NULL, PRIMARY KEY (\`a\`));
CREATE TABLE \`c\` (\`a\` int, KEY \`k\` (\`a\`), CONSTRAINT \`f\` FOREIGN KEY (\`a\`) REFERENCES \`t\` (\`a\`));
INSERT INTO \`t\` VALUES (${value});
INSERT INTO \`c\` VALUES (${value});
/*!50001 CREATE VIEW \`v\` AS select \`t\`.\`a\` AS \`t\` from (\`t\` join \`one\`.\`t\` \`o\`) */;
`;
    const dump = `${HEAD}CREATE DATABASE \`one\`;\nUSE \`one\`;\n${table(1)}CREATE DATABASE \`two\`;\nUSE \`two\`;\n${table(2)}`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.objects.map(({ name, rows }) => [name, rows])).toEqual([
      ['t', 1],
      ['c', 1],
      ['two_t', 1],
      ['two_c', 1],
      ['v', null],
      ['two_v', null],
    ]);
    expect(connection.all('SELECT a FROM two_c')).toEqual([[2]]);
    expect(connection.one('SELECT "table" FROM pragma_foreign_key_list(\'two_c\')')).toEqual(['two_t']);
    expect(connection.all('SELECT * FROM v')).toEqual([[1]]);
    expect(connection.all('SELECT * FROM two_v')).toEqual([[2]]);
    expect(contents.notes.join()).toContain('names of tables of “two” begin with “two_”');
  });

  test.each<readonly [string, string, readonly (readonly [string, string])[], RegExp]>([
    [
      'names that differ by their case',
      `${HEAD}DROP TABLE IF EXISTS \`t\`;\nCREATE TABLE \`T\` (\`a\` int);\nINSERT INTO \`T\` VALUES (1);\nCREATE TABLE \`t\` (\`a\` int, \`b\` int);\nINSERT INTO \`t\` VALUES (2,2);\nALTER TABLE \`t\` ADD PRIMARY KEY (\`a\`);`,
      [
        ['T', '1'],
        ['t_2', '2'],
      ],
      /“t” is named “t_2”/,
    ],
    [
      'a server that does not tell cases apart',
      `${HEAD}CREATE TABLE \`Item\` (\`a\` int);\nINSERT INTO \`item\` VALUES (1);\nINSERT INTO \`ITEM\` VALUES (2);`,
      [['Item', '1,2']],
      /^$/,
    ],
    [
      'a name that is like that of another database and its table',
      'USE a;\nCREATE TABLE b_t (a int);\nINSERT INTO b_t VALUES (1);\nUSE b;\nCREATE TABLE t (a int);\nINSERT INTO t VALUES (2);',
      [
        ['b_t', '1'],
        ['b_t_2', '2'],
      ],
      /“b_t” is named “b_t_2”/,
    ],
    [
      'tables before any database is named',
      'CREATE TABLE t (a int);\nINSERT INTO t VALUES (1);\nUSE b;\nCREATE TABLE t (a int);\nINSERT INTO t VALUES (2);',
      [
        ['t', '1'],
        ['b_t', '2'],
      ],
      /names of tables of “b” begin with “b_”/,
    ],
    [
      'a database without tables before the others',
      'USE sys;\nUSE a;\nCREATE TABLE t (a int);\nINSERT INTO t VALUES (1);',
      [['t', '1']],
      /^(?!.*several databases)/s,
    ],
  ])('no rows come into the table of another: %s', async (_what, dump, tables, note) => {
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements).toEqual([]);
    expect(contents.objects.map(({ name }) => name).sort()).toEqual(tables.map(([name]) => name).sort());
    for (const [name, rows] of tables) expect(connection.one(`SELECT group_concat(a) FROM "${name}"`)).toEqual([rows]);
    expect(contents.notes.filter((text) => !text.startsWith('Not needed')).join('\n')).toMatch(note);
  });

  test.each([
    ['plain names', 'USE a;', 'USE b;', ''],
    ['names in back quotes, and statements that create them', 'CREATE DATABASE `a`;\nUSE `a`;', 'use `b`;', ''],
    ['names in double quotes', 'USE "a";', 'USE "b";', '/* no table */\n'],
  ])('databases of a file without a header stay apart: %s', async (_named, first, second, before) => {
    const table = (value: number) =>
      `CREATE TABLE IF NOT EXISTS t (id INT, n VARCHAR(9));\nINSERT INTO t VALUES (${value}, 'x');\n`;
    const dump = `-- all tables\n${before}${first}\n${table(1)}${second}\n${table(2)}INSERT INTO a.t VALUES (3, 'y');`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!).toMatchObject({ dialect: 'mysql', statements: [] });
    expect(connection.all('SELECT id FROM t')).toEqual([[1], [3]]);
    expect(connection.all('SELECT id FROM b_t')).toEqual([[2]]);
    expect(contents.notes.join()).toContain('names of tables of “b” begin with “b_”');
  });

  test('a cast that SQLite cannot make leaves the value, and bytes with a character set stay bytes', async () => {
    const dump = `${HEAD}CREATE TABLE t (a date, b text, c decimal(40,0), d varbinary(9), e text, f int);
INSERT INTO t VALUES (CAST('0000-00-00' AS DATE), CAST('-100:00:00' AS TIME), CAST(18446744073709551615 AS UNSIGNED), _latin1 0xE9, X'C3A9', X'41');
INSERT INTO t VALUES (CAST('2020-1-5' AS DATE), CAST('2020-01-31 10:00:00' AS TIME), CAST('7' AS SIGNED), _utf8mb4'a', x'61', x'0102');
INSERT INTO t SET;
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements).toMatchObject([{ line: 5 }]);
    expect(connection.all('SELECT a, b, c, hex(d), typeof(d), e, f FROM t')).toEqual([
      ['0000-00-00', '-100:00:00', '18446744073709551615', 'E9', 'blob', 'é', 65],
      ['2020-01-05', '10:00:00', '7', '61', 'blob', 'a', 258],
    ]);
  });

  test('a table that is emptied before its rows has only these', async () => {
    const dump = `${HEAD}CREATE TABLE \`t\` (a int);\nINSERT INTO t VALUES (1);\nTRUNCATE TABLE \`t\`;\nINSERT INTO t VALUES (2);\nTRUNCATE t;\nINSERT INTO t VALUES (3);`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements).toEqual([]);
    expect(connection.all('SELECT a FROM t')).toEqual([[3]]);
  });

  test('keys and constraints that are added at the end belong to their tables', async () => {
    const dump = `-- phpMyAdmin SQL Dump
CREATE TABLE \`p\` (\`id\` int(11) NOT NULL, \`n\` int) ENGINE=InnoDB;
CREATE TABLE \`c\` (\`id\` int(11) NOT NULL, \`p\` int(11)) ENGINE=InnoDB;
INSERT INTO \`p\` VALUES (1, 1), (2, 2);
ALTER TABLE \`p\` ADD PRIMARY KEY (\`id\`), ADD UNIQUE KEY \`n\` (\`n\`);
ALTER TABLE \`c\` ADD PRIMARY KEY (\`id\`), ADD KEY \`p\` (\`p\`);
ALTER TABLE \`p\` MODIFY \`id\` int(11) NOT NULL AUTO_INCREMENT, AUTO_INCREMENT=30;
ALTER TABLE \`c\` MODIFY \`id\` int(11) NOT NULL AUTO_INCREMENT, AUTO_INCREMENT=20;
ALTER TABLE \`c\` ADD CONSTRAINT \`fk\` FOREIGN KEY (\`p\`) REFERENCES \`p\` (\`id\`) ON DELETE CASCADE, ADD CONSTRAINT \`ck\` CHECK (\`p\` > 0);
ALTER TABLE \`elsewhere\` ADD CONSTRAINT \`fk2\` FOREIGN KEY (\`p\`) REFERENCES \`p\` (\`id\`);
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements).toMatchObject([{ line: 10 }]);
    connection.run('INSERT INTO p (n) VALUES (9)');
    connection.run('INSERT INTO c (p) VALUES (1)');
    expect(connection.all('SELECT max(id) FROM p UNION ALL SELECT max(id) FROM c')).toEqual([[30], [20]]);
    expect(connection.all('SELECT "table", on_delete FROM pragma_foreign_key_list(\'c\')')).toEqual([['p', 'CASCADE']]);
    expect(() => connection.run('INSERT INTO c (p) VALUES (-1)')).toThrow();
    expect(() => connection.run('INSERT INTO p (n) VALUES (9)')).toThrow();
  });

  test('of a table with checks that SQLite does not understand, only these are left out', async () => {
    const dump = `${HEAD}CREATE TABLE t (a int CHECK (a > 0), b longtext CHECK (json_valid(b)), c text, CONSTRAINT r CHECK (regexp_like(c, _utf8mb4'^x')), KEY k (a));
INSERT INTO t VALUES (1, '{}', 'y');
INSERT INTO t VALUES (-1, '{}', 'x');
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements.map(({ line }) => line)).toEqual([2, 4]);
    expect(contents.objects).toMatchObject([{ name: 't', rows: 1, indexes: 1 }]);
    expect(() => connection.run("INSERT INTO t VALUES (1, '{', '')")).toThrow();
  });

  test('a generated column that SQLite cannot compute is left out, and the rows are there', async () => {
    const dump = `${HEAD}CREATE TABLE t (id int NOT NULL, doc json, a text GENERATED ALWAYS AS (json_unquote(json_extract(doc, '$.a'))) VIRTUAL, twice int AS (id * 2), CONSTRAINT c CHECK (id > 0), PRIMARY KEY (id));
INSERT INTO t VALUES (1, '{"a": 5}', DEFAULT, DEFAULT);
INSERT INTO t (id, doc) VALUES (2, NULL);
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements).toMatchObject([{ line: 2, reason: expect.stringContaining('“a” was left out') }]);
    expect(connection.all('SELECT * FROM t')).toEqual([
      [1, '{"a": 5}', 2],
      [2, null, 4],
    ]);
    expect(() => connection.run('INSERT INTO t (id) VALUES (-1)')).toThrow();
  });

  test('a table with system versioning, or an index on an expression, keeps its types and rows', async () => {
    const dump = `${HEAD}CREATE TABLE \`t\` (\`id\` int NOT NULL, \`n\` varchar(9), \`rs\` timestamp(6) GENERATED ALWAYS AS ROW START, \`re\` timestamp(6) GENERATED ALWAYS AS ROW END,
  PRIMARY KEY (\`id\`), KEY \`low\` ((lower(\`n\`)),\`id\`), KEY \`n\` (\`n\`), PERIOD FOR SYSTEM_TIME (\`rs\`, \`re\`)) WITH SYSTEM VERSIONING;
INSERT INTO \`t\` (\`id\`, \`n\`) VALUES (1,'007');
INSERT INTO \`t\` VALUES (2,'x','2024-01-01 00:00:00.000000','2038-01-19 03:14:07.999999');
ALTER TABLE \`t\` ADD UNIQUE KEY \`up\` ((upper(\`n\`)));
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements).toEqual([]);
    expect(contents.objects).toMatchObject([{ name: 't', rows: 2, indexes: 1 }]);
    expect(connection.all('SELECT * FROM t')).toEqual([
      [1, '007', null, null],
      [2, 'x', '2024-01-01 00:00:00.000000', '2038-01-19 03:14:07.999999'],
    ]);
    for (const name of ['low', 'up'])
      expect(contents.notes).toContain(`The index “${name}” of “t” was left out: it is on an expression of MySQL.`);
  });

  test('binary and BIT columns as Adminer writes them', async () => {
    const dump = `-- Adminer 4.8.1 MySQL 8.0 dump
CREATE TABLE \`t\` (\`a\` int NOT NULL, \`b\` binary(4), \`c\` bit(64));
INSERT INTO \`t\` (\`a\`, \`b\`, \`c\`) VALUES
(1,\tUNHEX('00FF4142'),\tCONV('101', 2, 10) + 0),
(2,\tUNHEX(''),\tNULL);
INSERT INTO \`t\` VALUES (3, UNHEX('4'), 0);
INSERT INTO \`t\` VALUES (4, NULL, CONV('5', 2, 10) + 0);
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements.map(({ line }) => line)).toEqual([6, 7]);
    expect(connection.all('SELECT a, hex(b), typeof(b), c FROM t')).toEqual([
      [1, '00FF4142', 'blob', 5],
      [2, '', 'blob', null],
    ]);
  });
});

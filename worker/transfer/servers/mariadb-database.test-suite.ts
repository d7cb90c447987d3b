// A database of MariaDB with every type at its limits, and everything that refers to something else.
import type { Random } from '#shared/random.ts';
import { hardBytes, hardTexts } from './hard-texts.test-suite.ts';

/** Values in SQL, by type. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  tinyint: ['0', '-128', '127'],
  'tinyint unsigned': ['0', '255'],
  'tinyint(1)': ['0', '1', '-5', '100'],
  smallint: ['-32768', '32767'],
  'smallint unsigned': ['65535'],
  mediumint: ['-8388608', '8388607'],
  'mediumint unsigned': ['16777215'],
  int: ['0', '-2147483648', '2147483647'],
  'int unsigned': ['4294967295'],
  'int(8) unsigned zerofill': ['42', '123456789', '0'],
  bigint: ['-9223372036854775808', '9223372036854775807', '9007199254740993'],
  'bigint unsigned': ['18446744073709551615', '0', '9223372036854775808'],
  'bigint(20) unsigned zerofill': ['7'],
  'decimal(30,10)': ['12345678901234567890.0123456789', '-99999999999999999999.9999999999', '0', '0.0000000001'],
  'decimal(65,30)': [`${'9'.repeat(35)}.${'9'.repeat(30)}`, '-1e-30', '0'],
  'decimal(10,2)': ['99999999.99', '-99999999.99', '0.10', '1', '0'],
  'decimal(15,0)': ['999999999999999', '-999999999999999'],
  'decimal(16,2) unsigned': ['99999999999999.99'],
  'decimal(10,2) zerofill': ['1.5'],
  float: ['3.40282e38', '1.17549e-38', '-0.1', '16777216', '0', '1e10', '123456'],
  'float(7,3)': ['1234.567'],
  'float unsigned': ['0.5'],
  double: [
    '1.7976931348623157e308',
    '2.2250738585072014e-308',
    '0.1',
    '0.30000000000000004',
    '9007199254740993',
    '-0e0',
    '1e15',
    '1e22',
    '5e-300',
  ],
  'double(20,5)': ['123456789012345.12345'],
  'bit(1)': ["b'0'", "b'1'"],
  'bit(8)': ["b'00000000'", "b'11111111'", '39', '92', '10'],
  'bit(64)': [`b'${'1'.repeat(64)}'`, "b'0'", '9223372036854775807', '9223372036854775808'],
  boolean: ['TRUE', 'FALSE'],
  'char(5)': ["'a'", "''", "'  b'", "'12'"],
  'varchar(9)': ["'007'", "'1.0'", "'é中😀'", "'a  '", "''"],
  'varchar(9) character set latin1': ["'ÿé€'", "'a'"],
  'text character set utf16': ["'😀é'"],
  'text character set cp1251': ["'Привет'"],
  'char(3) character set binary': ["X'00ff27'", "'a'"],
  tinytext: ["'x'"],
  mediumtext: ["'x'"],
  longtext: ["'x'"],
  'binary(4)': ["X'00ff275c'", "'a'", "''"],
  'varbinary(9)': ["X'00ff275c0a0d1a22'", "''"],
  tinyblob: ["X'00'"],
  blob: ["X'c328'", "''"],
  mediumblob: ["X'0a'"],
  longblob: ["X'1a'"],
  date: ["'1000-01-01'", "'9999-12-31'", "'0000-00-00'", "'2024-00-00'", "'2024-02-29'"],
  time: ["'838:59:59'", "'-838:59:59'", "'00:00:00'"],
  'time(6)': ["'-00:00:00.000001'", "'23:59:59.999999'"],
  datetime: ["'0000-00-00 00:00:00'", "'9999-12-31 23:59:59'"],
  'datetime(6)': ["'2024-02-29 12:34:56.000001'", "'1000-01-01 00:00:00'"],
  'timestamp(6)': ["'1970-01-01 00:00:01'", "'2038-01-19 03:14:07.999999'", "'0000-00-00 00:00:00'"],
  year: ["'1901'", "'2155'", "'0000'"],
  "enum('a','it''s','two, words','','007')": ["'a'", "'it''s'", "'two, words'", "'007'"],
  "set('a','it''s','x y','1')": ["'a,it''s'", "''", "'1'", "'a,it''s,x y,1'"],
  json: [`'{"a": [1, 2.0, "x\\\\n\\\\u0041"], "a": null}'`, "'7'", "'1.0'", `'"text"'`, "'null'", "'[]'"],
  uuid: ["'00000000-0000-0000-0000-000000000000'", "'ffffffff-ffff-ffff-ffff-ffffffffffff'"],
  inet6: ["'::'", "'::ffff:1.2.3.4'", "'2001:db8::ff00:42:8329'"],
  inet4: ["'0.0.0.0'", "'255.255.255.255'"],
  geometry: ["ST_GeomFromText('POINT(1.5 -2)')", "ST_GeomFromText('LINESTRING(0 0,1 1)', 4326)"],
  point: ["ST_GeomFromText('POINT(39 92)')"],
  polygon: ["ST_GeomFromText('POLYGON((0 0,1 0,1 1,0 0))')"],
  geometrycollection: ["ST_GeomFromText('GEOMETRYCOLLECTION(POINT(1 1))')"],
};

const hex = (text: string): string => `CONVERT(X'${Buffer.from(text).toString('hex')}' USING utf8mb4)`;
const name = (text: string): string => `\`${text.replaceAll('`', '``')}\``;
const NAMES = [
  'select',
  'Mixed Case',
  'with "quotes"',
  "it's",
  'back`tick',
  'comma, (x)',
  'back\\slash',
  'ünï',
  'key',
  '1st',
  'a;b',
  '--',
  '#hash',
  'new\nline',
  'values',
  '/*!x*/',
  'dot.in',
];

function typeTables(): string {
  const types = Object.entries(TYPES);
  const columns = types.map(([type], at) => `${name(`c${at} ${type.slice(0, 30)}`)} ${type} NULL`);
  const rows = Math.max(...types.map(([, values]) => values.length));
  const statements = [`CREATE TABLE types (id int NOT NULL PRIMARY KEY, ${columns.join(', ')})`];
  for (let row = 0; row < rows; row++)
    statements.push(
      `INSERT INTO types VALUES (${row}, ${types.map(([, values]) => values[row % values.length]).join(', ')})`,
    );
  statements.push(`INSERT INTO types (id) VALUES (${rows})`);
  return statements.map((sql) => `${sql};\n`).join('');
}

function textTables(random: Random): string {
  const texts = hardTexts(random, true).map((text, at) => `(${at}, ${hex(text)}, ${hex(text)})`);
  const bytes = hardBytes(random).map((each, at) => `(${at}, X'${each}', X'${each}')`);
  return `CREATE TABLE texts (id bigint PRIMARY KEY, a longtext, b mediumtext NOT NULL DEFAULT 'it''s \\\\ "x"\\n');
INSERT INTO texts VALUES ${texts.join(',\n')};
CREATE TABLE bytes (id bigint PRIMARY KEY, a longblob, b varbinary(300) NOT NULL DEFAULT X'5c0027');
INSERT INTO bytes VALUES ${bytes.join(',\n')};
`;
}

function nameTables(): string {
  return NAMES.map((each, at) => {
    const column = name(`${each} ${at}`);
    return `CREATE TABLE ${name(each)} (${name(each)} int PRIMARY KEY COMMENT 'it''s; a "comment"', ${column} varchar(20) DEFAULT 'it''s', KEY ${name(`${each} index`)} (${column}(3)), CONSTRAINT ${name(`${each} check`)} CHECK (${column} <> 'x')) COMMENT='a; table';
CREATE TABLE ${name(`of ${each}`)} (id int PRIMARY KEY, ${name(each)} int, CONSTRAINT ${name(`${each} fk`)} FOREIGN KEY (${name(each)}) REFERENCES ${name(each)} (${name(each)}) ON DELETE CASCADE);
INSERT INTO ${name(each)} VALUES (1, 'a'), (2, NULL);
INSERT INTO ${name(`of ${each}`)} VALUES (1, 1), (2, 2), (3, NULL);
`;
  }).join('');
}

const RELATIONS = `
CREATE TABLE counted (id int unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, a varchar(20) NOT NULL DEFAULT 'x', b decimal(30,10) DEFAULT 1.10, c tinyint(1) DEFAULT 1,
  d timestamp NOT NULL DEFAULT current_timestamp() ON UPDATE current_timestamp(), e int DEFAULT -5, f varchar(40) DEFAULT (concat('a', 'b')), g uuid DEFAULT uuid(), h bit(3) DEFAULT b'101',
  twice int AS (e * 2) PERSISTENT, up varchar(20) AS (upper(a)) VIRTUAL, hidden int INVISIBLE DEFAULT 3, UNIQUE KEY ae (a, e), FULLTEXT KEY words (a), CONSTRAINT low CHECK (e < 100 AND length(a) > 0))
  AUTO_INCREMENT=42 ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
INSERT INTO counted (a, e) VALUES ('one', 1), ('two', 2), ('three', -3), ('é', 4);
CREATE TABLE man (id int PRIMARY KEY, wife int UNIQUE, boss int, FOREIGN KEY (boss) REFERENCES man (id));
CREATE TABLE woman (id int PRIMARY KEY, husband int, FOREIGN KEY (husband) REFERENCES man (id) ON UPDATE CASCADE ON DELETE SET NULL);
ALTER TABLE man ADD CONSTRAINT wives FOREIGN KEY (wife) REFERENCES woman (id);
SET foreign_key_checks = 0;
INSERT INTO man VALUES (1, 1, 2), (2, 2, 1), (3, NULL, 3);
INSERT INTO woman VALUES (1, 1), (2, 2), (4, NULL);
SET foreign_key_checks = 1;
CREATE TABLE pair (a int, b varchar(9) COLLATE utf8mb4_bin, PRIMARY KEY (a, b), KEY down (b DESC));
CREATE TABLE of_pair (id int PRIMARY KEY, x int, y varchar(9) COLLATE utf8mb4_bin, FOREIGN KEY (x, y) REFERENCES pair (a, b));
INSERT INTO pair VALUES (1, 'a'), (1, 'A');
INSERT INTO of_pair VALUES (1, 1, 'A'), (2, NULL, 'b');
CREATE TABLE measured (id int NOT NULL, day date NOT NULL, value double, PRIMARY KEY (id, day)) PARTITION BY RANGE (to_days(day)) (PARTITION old VALUES LESS THAN (to_days('2024-01-01')), PARTITION rest VALUES LESS THAN MAXVALUE);
INSERT INTO measured VALUES (1, '2023-05-05', 0.1), (2, '2024-05-05', 1e-7), (1, '2024-05-06', NULL);
CREATE TABLE versioned (id int PRIMARY KEY, a int) WITH SYSTEM VERSIONING;
INSERT INTO versioned VALUES (1, 1), (2, 2);
UPDATE versioned SET a = 3 WHERE id = 2;
CREATE TABLE empty (id int, a text);
CREATE TABLE keyless (a varchar(9), b int);
INSERT INTO keyless VALUES ('x', 1), ('x', 1), (NULL, NULL);
CREATE TABLE aria (id int PRIMARY KEY, a text) ENGINE=Aria ROW_FORMAT=PAGE TRANSACTIONAL=1;
INSERT INTO aria VALUES (1, 'x');
CREATE TABLE old (id int PRIMARY KEY, a varchar(20)) DEFAULT CHARSET=latin1;
INSERT INTO old VALUES (1, 'ÿ€é');
CREATE TABLE counted_big (id bigint unsigned AUTO_INCREMENT PRIMARY KEY) AUTO_INCREMENT=9223372036854775806;
INSERT INTO counted_big VALUES (NULL);
CREATE TABLE counted_beyond (id bigint unsigned AUTO_INCREMENT PRIMARY KEY, a int);
INSERT INTO counted_beyond VALUES (18446744073709551613, 1), (5, 2);
CREATE VIEW plain_view AS SELECT c.id, upper(c.a) AS a, m.boss FROM counted c LEFT JOIN man m ON m.id = c.id WHERE c.e > 0;
CREATE VIEW \`a view\` AS SELECT id FROM old UNION ALL SELECT \`1st\` FROM \`1st\`;
CREATE SEQUENCE alone START WITH 5;
DELIMITER //
CREATE TRIGGER changes BEFORE UPDATE ON man FOR EACH ROW BEGIN SET NEW.boss = 1; END//
CREATE PROCEDURE p() BEGIN SELECT 1; SELECT ';'; END//
CREATE FUNCTION f() RETURNS int DETERMINISTIC RETURN 1//
CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO DELETE FROM empty//
DELIMITER ;
`;

/** For the program mariadb. */
export const mariadbDatabase = (random: Random): string => `SET NAMES utf8mb4;
SET sql_mode = 'ALLOW_INVALID_DATES,NO_ENGINE_SUBSTITUTION', time_zone = '+00:00';
${typeTables()}${textTables(random)}${nameTables()}${RELATIONS}`;

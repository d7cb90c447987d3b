// Which values of other programs are stored as what, and which are listed: the meaning of each was read in the documentation of its program.
import { describe, expect, test } from 'vitest';
import type { SqlDialect } from '#shared/protocol/transfer.ts';
import { BEYOND_REAL } from './inserted-rows.ts';
import { translatorOf } from './translators.ts';

/** The value as SQLite gets it, or why it is listed. */
function stored(dialect: SqlDialect, type: string, value: string): string {
  const translator = translatorOf(dialect, {
    beginning: '',
    encoding: 'utf-8',
    isDecodedLater: false,
    existing: new Map(),
  });
  const statements = [`CREATE TABLE t (a ${type})`, `INSERT INTO t VALUES (${Buffer.from(value).toString('latin1')})`];
  for (const statement of statements) translator.see?.(statement);
  const [, action] = statements.map((statement) => translator.translate(statement));
  if (action!.do === 'refuse') return action!.reason.replace('which may give another value in SQLite.', '…');
  if (action!.do !== 'run') return action!.do;
  return /VALUES \((.*)\)$/.exec(action!.sql.join())?.[1] ?? action!.sql.join();
}

const computed = (construct: string): string => `One of its values is computed with ${construct}, …`;
const cast = (type: string): string => `One of its values is cast to ${type}, which may change it.`;
const OTHER_KIND = expect.stringContaining('of another kind than its column') as unknown as string;

type Row = readonly [type: string, value: string, result: string];

const POSTGRES: readonly Row[] = [
  ['integer', "'7'::int", '7'],
  ['integer', "'007'::integer", '7'],
  ['integer', '-5::bigint', '- 5'],
  ['integer', '5.7::int', cast('int')],
  ['integer', "CAST('5.7' AS integer)", cast('integer')],
  ['integer', '60 * (60 - 1)', '60 * (60 - 1)'],
  ['integer', '999999999 * 9999999999', computed('the operator *')],
  ['integer', '7 / 2', computed('the operator /')],
  ['integer', '0.1 + 0.2', computed('the operator +')],
  ['integer', "nextval('t_a_seq'::regclass)", computed('nextval()')],
  ['integer', 'true::int', cast('int')],
  ['numeric(10,2)', "'2.5'::numeric(10,2)", '2.50'],
  ['numeric(10,2)', "'2.567'::numeric(10,2)", cast('numeric (10, 2)')],
  ['numeric(10,2)', '100.5::numeric(4,2)', cast('numeric (4, 2)')],
  ['numeric', "'12345678901234567890.10'::numeric", "'12345678901234567890.10'"],
  ['double precision', "'1.50'::float8", '1.5'],
  ['double precision', "'1e-7'::float8", '1e-7'],
  ['double precision', "'-2.5e-7'::float8", '- 2.5e-7'],
  ['double precision', '1.1::real', '1.1'],
  ['double precision', '1.23456789::real', cast('real')],
  ['text', 'CAST(1.10 AS varchar)', "'1.10'"],
  ['text', '1.10', "'1.10'"],
  ['text', "'abc'::varchar(2)", cast('varchar (2)')],
  ['text', "'ab'::character varying(2)", "'ab'"],
  ['text', "'éé'::varchar(2)", "'éé'"],
  ['text', "'a'::char(3)", cast('char (3)')],
  ['text', "'abc'::char(3)", "'abc'"],
  ['text', "'x'::text::varchar", "'x'"],
  ['text', "(('x')::public.mood)", "'x'"],
  ['text', `'x'::"pg_catalog"."text"`, "'x'"],
  ['text', "'{a,b}'::text[]", "'{a,b}'"],
  ['text', '\'{"a": 1}\'::jsonb', `'{"a": 1}'`],
  ['text', 'NULL::numeric(3,1)', 'NULL'],
  ['text', 'true', "'true'"],
  ['text', "'yes'::boolean", "'true'"],
  ['text', "'a' || 'b'", computed('the operator ||')],
  ['text', "'a'::text || 'b'::text", computed('text')],
  ['text', "'x'::text IS NULL", cast('text IS NULL')],
  ['text', "'{1.567}'::numeric(3,1)[]", cast('numeric (3, 1) []')],
  ['text', "'1.567'::money", cast('money')],
  ['text', "('x'::text) IS NULL", computed('text')],
  ['text', "ARRAY['a', 'b']", computed('ARRAY')],
  ['text', "upper('a')", computed('upper()')],
  ['boolean', "'x' LIKE 'X'", computed('LIKE')],
  ['boolean', 'NOT true', computed('NOT')],
  ['boolean', '1::boolean', 'TRUE'],
  ['boolean', "'off'::bool", 'FALSE'],
  ['bytea', "'\\x41'::bytea", "X'41'"],
  ['bytea', "decode('41fF', 'hex')", "X'41ff'"],
  ['bytea', "decode('', 'hex')", "X''"],
  ['bytea', "decode('4', 'hex')", computed('decode()')],
  ['bytea', "decode('QQ==', 'base64')", computed('decode()')],
  ['date', "'2020-01-31'::date", "'2020-01-31'"],
  ['date', "date '2020-1-5'", "'2020-01-05'"],
  ['date', "'20200131'::date", "'2020-01-31'"],
  ['date', "'2020-02-30'::date", cast('date')],
  ['date', "'today'::date", cast('date')],
  ['date', "('now'::text)::date", cast('date')],
  ['timestamp', "TIMESTAMP '2020-01-31 10:00:00.123'", "'2020-01-31 10:00:00.123'"],
  ['timestamp', "'2020-01-31 10:00:00.123'::timestamp(0) without time zone", cast('timestamp (0) without time zone')],
  ['timestamp', "'2020-01-31 10:00:00+02'::timestamp", cast('timestamp')],
  ['timestamp', "'2020-01-31 10:00:00+02'::timestamp with time zone", "'2020-01-31 10:00:00+02'"],
  ['timestamp', 'now()', computed('now()')],
  ['time', "'10:00:00'::time", "'10:00:00'"],
  ['interval', "'1 day'::interval", "'1 day'"],
  ['bit(4)', "B'0101'::bit(4)", "'0101'"],
  ['bit(4)', "B'0101'::bit(3)", cast('bit (3)')],
  ['bit(4)', "B'101'::int", cast('int')],
];

const MYSQL: readonly Row[] = [
  ['int', "LENGTH('é')", computed('LENGTH()')],
  ['int', 'ROUND(2.5)', computed('ROUND()')],
  ['int', 'CAST(3.7 AS SIGNED)', cast('SIGNED')],
  ['int', "CAST('7' AS SIGNED INTEGER)", '7'],
  ['int', 'CAST(-1 AS UNSIGNED)', cast('UNSIGNED')],
  ['int', '-(-5)', '- (- 5)'],
  ['int', '+5', '5'],
  ['int', 'CONVERT(5, SIGNED)', '5'],
  ['int', 'a', computed('a')],
  ['int', 'TRUE', 'TRUE'],
  ['int', '5 DIV 2', computed('DIV')],
  ['int', '5 % -3', computed('the operator %')],
  ['decimal(5,2)', '0x41', OTHER_KIND],
  ['decimal(5,2)', "X'41'", OTHER_KIND],
  ['decimal(20,2)', '0x41', '65'],
  ['decimal(5,2)', 'CAST(1.5 AS DECIMAL(5,2))', '1.50'],
  ['decimal(5,2)', 'CAST(1.5 AS DECIMAL)', cast('DECIMAL')],
  ['double', '1e400', BEYOND_REAL],
  ['double', '1.7976931348623157e308', '1.7976931348623157e308'],
  ['varchar(9)', 'CAST(1.10 AS CHAR)', "'1.10'"],
  ['varchar(9)', "CAST('abc' AS CHAR(2))", cast('CHAR (2)')],
  ['varchar(9)', "_binary 'ab'", "'ab'"],
  ['varchar(9)', "b'1000001'", "'A'"],
  ['varchar(9)', "_ucs2 X'0041'", computed('_ucs2')],
  ['varchar(9)', "'a' 'b'", computed('several literals side by side')],
  ['varchar(9)', "'a' COLLATE utf8mb4_bin", computed('COLLATE')],
  ['varchar(9)', "CONCAT('a', NULL)", computed('CONCAT()')],
  ['varchar(9)', '(SELECT 1)', computed('SELECT')],
  ['varchar(9)', 'IF(1, 2, 3)', computed('IF()')],
  ['varchar(9)', '-2', '-2'],
  ['blob', "CAST('x' AS BINARY)", "X'78'"],
  ['blob', "CAST('x' AS BINARY(4))", cast('BINARY (4)')],
  ['blob', '12', "X'3132'"],
  ['blob', '1.5', OTHER_KIND],
  ['blob', "b'100000001'", "X'0101'"],
  ['blob', 'ST_GeomFromText(\'POINT(1 2)\')', "'POINT(1 2)'"],
  ['blob', 'ST_GeomFromWKB(\'POINT(1 2)\')', computed('ST_GeomFromWKB()')],
  ['date', "CAST('2020-01-31 10:00:00' AS DATE)", "'2020-01-31'"],
  ['date', "CAST('2020-02-30' AS DATE)", cast('DATE')],
  ['date', '0x3230', OTHER_KIND],
  ['datetime', "CAST('2020-01-31' AS DATETIME)", "'2020-01-31 00:00:00'"],
  ['datetime', "CAST('2020-01-31 10:00:00.5' AS DATETIME)", cast('DATETIME')],
  ['datetime', 'NOW()', computed('NOW()')],
  ['datetime', 'CURRENT_TIMESTAMP', computed('CURRENT_TIMESTAMP')],
  ['json', "CAST('{}' AS JSON)", "'{}'"],
]; // prettier-ignore

const TSQL: readonly Row[] = [
  ['int', 'CAST(5 AS int)', '5'],
  ['int', 'CAST(5.7 AS int)', cast('int')],
  ['int', '0x10', OTHER_KIND],
  ['int', "LEN(N'a ')", computed('LEN()')],
  ['int', '0x1 + 1', computed('the operator +')],
  ['bit', "CAST(N'True' AS bit)", cast('bit')],
  ['decimal(10, 2)', 'CAST(1.5 AS [decimal](10, 2))', '1.50'],
  ['decimal(10, 2)', 'CAST(1.567 AS Decimal(10, 2))', cast('Decimal (10, 2)')],
  ['decimal(18, 4)', 'CAST(1 AS Numeric(18, 4))', "'1.0000'"],
  ['money', 'CAST(12.5 AS money)', "'12.5000'"],
  ['float', '1.500000000000000e+000', '1.500000000000000e+000'],
  ['nvarchar(90)', `CAST(N'${'x'.repeat(31)}' AS nvarchar)`, cast('nvarchar')],
  ['nvarchar(90)', `CAST(N'${'x'.repeat(31)}' AS nvarchar(max))`, `'${'x'.repeat(31)}'`],
  ['nvarchar(90)', 'CAST(1.10 AS varchar(9))', "'1.10'"],
  ['nvarchar(90)', "N'a' + NCHAR(13)", computed('NCHAR()')],
  ['nvarchar(90)', 'NEWID()', computed('NEWID()')],
  ['nvarchar(90)', "CAST(N'<a/>' AS xml)", "'<a/>'"],
  ['varbinary(9)', 'CAST(0x12 AS varbinary(max))', "X'12'"],
  ['varbinary(9)', 'CAST(0x12 AS binary)', cast('binary')],
  ['varbinary(9)', "CAST(N'a' AS varbinary(9))", cast('varbinary (9)')],
  ['varbinary(9)', '5', OTHER_KIND],
  ['datetime', "CAST(N'2024-01-02T03:04:05.670' AS DateTime)", "'2024-01-02T03:04:05.670'"],
  ['datetime', "CAST(N'2024-01-02T03:04:05.678' AS DateTime)", cast('DateTime')],
  ['datetime', "CONVERT(datetime, N'2024-01-02 03:04:05', 120)", "'2024-01-02 03:04:05'"],
  ['datetime', "CONVERT(datetime, N'02/01/2024', 103)", computed('CONVERT()')],
  ['datetime', 'GETDATE()', computed('GETDATE()')],
  ['smalldatetime', "CAST(N'2024-01-02T03:04:30' AS SmallDateTime)", cast('SmallDateTime')],
  ['datetimeoffset', "CAST(N'2024-01-02T03:04:05.6700000+01:00' AS DateTimeOffset)", "'2024-01-02T03:04:05.6700000+01:00'"],
]; // prettier-ignore

test.each([
  ['postgresql', 'INSERT INTO t DEFAULT VALUES', { do: 'run', sql: ['INSERT INTO "t" DEFAULT VALUES'] }],
  ['mysql', 'INSERT INTO t VALUES ROW(1), ROW(2)', { do: 'refuse', reason: expect.stringContaining('is not known') }],
] as const)('in %s, %s loses no row', (dialect, statement, action) => {
  const options = { beginning: '', encoding: 'utf-8', isDecodedLater: false, existing: new Map() };
  expect(translatorOf(dialect, options).translate(statement)).toEqual(action);
});

describe.each([
  ['postgresql', POSTGRES],
  ['mysql', MYSQL],
  ['tsql', TSQL],
] as const)('of %s', (dialect, rows) => {
  test.each(rows)('in a column %s, the value %s becomes %s', (type, value, result) => {
    expect(stored(dialect, type, value)).toEqual(result);
  });
});

// A database of PostgreSQL with every type at its limits, and everything that refers to something else.
import type { Random } from '#shared/random.ts';
import { hardBytes, hardTexts } from './hard-texts.test-suite.ts';

/** Values in SQL, by type. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  smallint: ['0', '-32768', '32767'],
  integer: ['0', '-2147483648', '2147483647'],
  bigint: ['0', '-9223372036854775808', '9223372036854775807', '9007199254740993', '-9007199254740993'],
  oid: ['0', '4294967295'],
  'numeric(30,10)': ['0', '12345678901234567890.0123456789', '-99999999999999999999.9999999999', '0.0000000001', '1.5'],
  'numeric(10,2)': ['0', '99999999.99', '-99999999.99', '0.10', '1', '1.50'],
  'numeric(15)': ['999999999999999', '-999999999999999'],
  'numeric(15,15)': ['0.999999999999999', '-0.000000000000001'],
  'numeric(16,1)': ['999999999999999.9', '0.1'],
  'numeric(3,-2)': ['12300', '-99900'],
  'numeric(3,5)': ['0.00999', '-0.00001'],
  numeric: [
    '0',
    "'NaN'",
    "'Infinity'",
    "'-Infinity'",
    '1e100',
    '-1e-100',
    '1.10',
    '12345678901234567890123456789.012345678901234567890',
    '7',
  ],
  real: [
    '0',
    "'-0'",
    '3.4028235e38',
    '1.17549435e-38',
    '1e-45',
    '0.1',
    '16777217',
    "'NaN'",
    "'Infinity'",
    "'-Infinity'",
    '1e10',
    '123456',
  ],
  'double precision': [
    '0',
    "'-0'",
    '1.7976931348623157e308',
    '2.2250738585072014e-308',
    '5e-324',
    '0.1',
    '0.30000000000000004',
    '9007199254740993',
    "'NaN'",
    "'Infinity'",
    "'-Infinity'",
    '1e15',
    '1e16',
    '123456789012345678',
    '1e22',
  ],
  money: ["'-92233720368547758.08'", "'92233720368547758.07'", "'1234.5'", "'0'"],
  boolean: ['true', 'false'],
  'bit(1)': ["B'0'", "B'1'"],
  'bit(8)': ["B'00000000'", "B'11111111'", "B'00000101'"],
  'bit(70)': [`B'${'10'.repeat(35)}'`],
  'bit varying(100)': ["B''", "B'1'", `B'${'1'.repeat(100)}'`],
  'bit varying': ["B'0001'"],
  '"char"': ["'a'", "''", "'\\'"],
  'character(5)': ["'a'", "''", "'  b'", "'abcde'", "'12'"],
  'character varying(9)': ["'007'", "'1.0'", "'é中😀'", "''"],
  name: ["'a name'"],
  date: [
    "'0001-01-01'",
    "'4713-01-01 BC'",
    "'5874897-12-31'",
    "'infinity'",
    "'-infinity'",
    "'2024-02-29'",
    "'0044-03-15 BC'",
  ],
  'time without time zone': ["'00:00'", "'24:00:00'", "'23:59:59.999999'", "'12:34:56.1'"],
  'time(3) without time zone': ["'12:34:56.789'"],
  'time with time zone': ["'00:00+15:59'", "'24:00:00-15:59'", "'12:34:56.789+05:30'"],
  'timestamp without time zone': [
    "'4713-01-01 00:00:00 BC'",
    "'294276-12-31 23:59:59.999999'",
    "'infinity'",
    "'-infinity'",
    "'2024-02-29 12:00:00.5'",
  ],
  'timestamp(0) without time zone': ["'2024-02-29 12:00:00'"],
  'timestamp with time zone': [
    "'4713-01-02 00:00:00+00 BC'",
    "'294276-12-31 23:59:59.999999+00'",
    "'infinity'",
    "'2024-06-30 12:00:00.123456+05:30'",
  ],
  interval: [
    "'178000000 years'",
    "'-178000000 years'",
    "'1 year 2 mons -3 days 04:05:06.000007'",
    "'0'",
    "'-00:00:00.000001'",
  ],
  'interval day to second(2)': ["'3 04:05:06.78'"],
  mood: ["'ok'", "'it''s'", "'two words'", "''"],
  json: [`'{"a": [1, 2.0, "x\\n\\u0041"],  "a": null}'`, "'7'", "'1.0'", `'"text"'`, "'null'", "'true'", "'[]'"],
  jsonb: [`'{"b": 12345678901234567890.10, "a": "\\\\"}'`, "'7'", "'1.0'", "'null'"],
  uuid: ["'00000000-0000-0000-0000-000000000000'", "'ffffffff-ffff-ffff-ffff-ffffffffffff'"],
  'integer[]': ["'{}'", "'{1,NULL,-2147483648}'", "'{{1,2},{3,4}}'", "'[0:1]={7,8}'"],
  'text[]': [`ARRAY['a,b', 'say "x"', 'back\\slash', NULL, 'NULL', '', ' ', '{}']`, "'{}'"],
  'numeric(30,10)[]': ["'{1.5,12345678901234567890.0123456789}'"],
  'bytea[]': ["ARRAY['\\x00ff'::bytea, '\\x']"],
  inet: ["'0.0.0.0/0'", "'255.255.255.255'", "'::'", "'fe80::1/64'"],
  cidr: ["'10.0.0.0/8'", "'2001:db8::/32'"],
  macaddr: ["'08:00:2b:01:02:03'"],
  macaddr8: ["'08:00:2b:01:02:03:04:05'"],
  address: [
    `ROW('Main "St", \\ 1', 12345, NULL)::address`,
    "ROW('', -1, 1.10)::address",
    'ROW(NULL, NULL, NULL)::address',
  ],
  int4range: ["'[1,10)'", "'empty'", "'(,)'"],
  numrange: ["'[1.10,2.20]'"],
  tstzrange: ["'[2024-01-01 00:00+00,)'"],
  daterange: ["'[2024-01-01,2024-12-31]'"],
  int8multirange: ["'{[1,2],[5,9223372036854775806]}'", "'{}'"],
  positive: ['1', '2147483647'],
  code: ["'007'", "'1.0'", "'it''s'"],
  amount: ['12345678901234567890.12', '0.10', '5'],
  positive_again: ['9'],
  point: ["'(1.5,-2)'", "'(0.1,1e300)'"],
  line: ["'{1,2,3}'"],
  lseg: ["'[(0,0),(1,1)]'"],
  box: ["'(1,1),(0,0)'"],
  path: ["'((0,0),(1,1))'", "'[(0,0),(1,1)]'"],
  polygon: ["'((0,0),(1,0),(1,1))'"],
  circle: ["'<(0,0),1.5>'"],
  tsvector: ["to_tsvector('simple', 'a fat ''cat'' \\ dog')"],
  tsquery: ["'fat & (rat | ''x y'')'::tsquery"],
  xml: [`'<a b="c">x &amp; y</a>'`],
  pg_lsn: ["'FFFFFFFF/FFFFFFFF'", "'0/0'"],
  txid_snapshot: ["'10:20:10,14,15'"],
};

const textSql = (text: string): string => `convert_from('\\x${Buffer.from(text).toString('hex')}', 'UTF8')`;
const name = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const NAMES = [
  'select',
  'Mixed Case',
  'with "quotes"',
  "it's",
  'dot.in',
  'comma, (x)',
  'back\\slash',
  'ünï',
  '😀',
  'table',
  '1st',
  'a;b',
  '--',
  '$1',
  'new\nline',
  'values',
  'from',
];

/** Every column is in a table of its own and in a wide one; row n of both has value n of each type. */
function typeTables(): string {
  const types = Object.entries(TYPES);
  const columns = types.map(([type], at) => `${name(`c${at} ${type}`)} ${type}`);
  const rows = Math.max(...types.map(([, values]) => values.length));
  const statements = [`CREATE TABLE types (id integer NOT NULL, ${columns.join(', ')})`];
  for (let row = 0; row < rows; row++)
    statements.push(
      `INSERT INTO types VALUES (${row}, ${types.map(([, values]) => values[row % values.length]).join(', ')})`,
    );
  statements.push(`INSERT INTO types (id) VALUES (${rows})`, 'ALTER TABLE types ADD PRIMARY KEY (id)');
  return statements.map((sql) => `${sql};\n`).join('');
}

function textTables(random: Random): string {
  const texts = hardTexts(random, false).map(
    (text, at) => `(${at}, ${textSql(text)}, ${textSql(text)}, '{}'::text[] || ${textSql(text)})`,
  );
  const bytes = hardBytes(random).map((hex, at) => `(${at}, '\\x${hex}', '\\x${hex}')`);
  return `CREATE TABLE texts (id bigint PRIMARY KEY, a text, b character varying NOT NULL, c text[]);
INSERT INTO texts VALUES ${texts.join(',\n')};
CREATE TABLE bytes (id bigint PRIMARY KEY, a bytea, b bytea NOT NULL DEFAULT '\\x5c00'::bytea);
INSERT INTO bytes VALUES ${bytes.join(',\n')};
`;
}

function nameTables(): string {
  return NAMES.map((each, at) => {
    const column = name(`${each} ${at}`);
    return `CREATE TABLE ${name(each)} (${name(each)} integer PRIMARY KEY, ${column} text DEFAULT 'it''s', CONSTRAINT ${name(`${each} check`)} CHECK (${column} <> 'x'));
CREATE INDEX ${name(`${each} index`)} ON ${name(each)} (${column});
CREATE TABLE "Odd schema".${name(each)} (id integer PRIMARY KEY, ${name(each)} integer REFERENCES public.${name(each)} ON DELETE CASCADE);
INSERT INTO ${name(each)} VALUES (1, 'a'), (2, NULL);
INSERT INTO "Odd schema".${name(each)} VALUES (1, 1), (2, 2), (3, NULL);
`;
  }).join('');
}

const RELATIONS = `
CREATE TABLE counted (id serial PRIMARY KEY, big bigserial, always bigint GENERATED ALWAYS AS IDENTITY, a text DEFAULT 'x' NOT NULL, b numeric(30,10) DEFAULT 1.10,
  c boolean DEFAULT true, d timestamp DEFAULT now(), e integer DEFAULT -5, f text DEFAULT ('a' || 'b'), g uuid DEFAULT gen_random_uuid(), h integer[] DEFAULT '{}',
  twice integer GENERATED ALWAYS AS (e * 2) STORED, up text GENERATED ALWAYS AS (upper(a)) STORED, CONSTRAINT positive CHECK (e < 100 AND length(a) > 0), UNIQUE (a, e));
INSERT INTO counted (a, e) VALUES ('one', 1), ('two', 2), ('three', -3), ('é', 4);
SELECT setval('counted_id_seq', 41);
CREATE TABLE man (id integer PRIMARY KEY, wife integer UNIQUE, boss integer REFERENCES man DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE woman (id integer PRIMARY KEY, husband integer REFERENCES man (id) ON UPDATE CASCADE ON DELETE SET NULL);
INSERT INTO man VALUES (1, 1, 2), (2, 2, 1), (3, NULL, 3);
INSERT INTO woman VALUES (1, 1), (2, 2), (4, NULL);
ALTER TABLE man ADD FOREIGN KEY (wife) REFERENCES woman (id) MATCH FULL DEFERRABLE;
CREATE TABLE pair (a integer, b text, PRIMARY KEY (a, b));
CREATE TABLE of_pair (id integer PRIMARY KEY, x integer, y text, FOREIGN KEY (x, y) REFERENCES pair (a, b) NOT VALID);
INSERT INTO pair VALUES (1, 'a'), (1, 'b');
INSERT INTO of_pair VALUES (1, 1, 'b'), (2, NULL, 'b');
CREATE UNIQUE INDEX pair_lower ON pair (lower(b), a) WHERE a > 0;
CREATE INDEX pair_desc ON pair USING btree (b COLLATE "C" DESC NULLS LAST);
CREATE INDEX texts_gin ON texts USING gin (c);
CREATE TABLE measured (id integer NOT NULL, day date NOT NULL, value double precision, PRIMARY KEY (id, day)) PARTITION BY RANGE (day);
CREATE TABLE measured_old PARTITION OF measured FOR VALUES FROM (MINVALUE) TO ('2024-01-01');
CREATE TABLE measured_new PARTITION OF measured FOR VALUES FROM ('2024-01-01') TO ('2025-01-01') PARTITION BY LIST (id);
CREATE TABLE measured_new_one PARTITION OF measured_new FOR VALUES IN (1);
CREATE TABLE measured_new_rest PARTITION OF measured_new DEFAULT;
CREATE TABLE measured_rest PARTITION OF measured DEFAULT;
INSERT INTO measured VALUES (1, '2023-05-05', 0.1), (2, '2024-05-05', 1e-7), (1, '2024-05-06', NULL), (3, '2030-01-01', 5);
CREATE TABLE hashed (id integer, a text) PARTITION BY HASH (id);
CREATE TABLE hashed_0 PARTITION OF hashed FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE hashed_1 PARTITION OF hashed FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO hashed SELECT g, 'row ' || g FROM generate_series(1, 20) g;
CREATE TABLE city (id integer, name text, altitude real DEFAULT 1.5);
CREATE TABLE capital (state character(2) UNIQUE NOT NULL) INHERITS (city);
CREATE TABLE river () INHERITS (city);
INSERT INTO city VALUES (1, 'Bern', 540);
INSERT INTO capital VALUES (2, 'Rome', 21, 'IT');
INSERT INTO river VALUES (3, 'Rhine', NULL);
CREATE TABLE nothing ();
CREATE TABLE empty (id integer, a text);
CREATE TABLE keyless (a text, b integer);
INSERT INTO keyless VALUES ('x', 1), ('x', 1), (NULL, NULL);
CREATE UNLOGGED TABLE "Odd schema".unlogged (id integer);
INSERT INTO "Odd schema".unlogged VALUES (1);
CREATE VIEW plain_view AS SELECT c.id, upper(c.a) AS a, m.boss FROM counted c LEFT JOIN man m ON m.id = c.id WHERE c.e > 0;
CREATE VIEW "Odd schema"."a view" AS SELECT id FROM public.city UNION ALL SELECT "1st" FROM public."1st";
CREATE MATERIALIZED VIEW kept AS SELECT count(*) FROM city;
CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN -- ; '
  RETURN new; END $f$;
CREATE TRIGGER changes BEFORE UPDATE ON man FOR EACH ROW EXECUTE FUNCTION f();
CREATE RULE r AS ON DELETE TO empty DO INSTEAD NOTHING;
ALTER TABLE city ENABLE ROW LEVEL SECURITY;
CREATE POLICY p ON city USING (id > 0);
COMMENT ON TABLE city IS 'it''s a; comment';
COMMENT ON COLUMN city.name IS E'line\\n\\\\.';
CREATE STATISTICS s ON id, name FROM city;
CREATE SEQUENCE alone MINVALUE -5 CYCLE;
ANALYZE;
`;

/** For psql. */
export const postgresDatabase = (random: Random): string => `\\set ON_ERROR_STOP on
SET client_min_messages = warning;
CREATE SCHEMA "Odd schema";
CREATE TYPE mood AS ENUM ('ok', 'it''s', 'two words', '');
CREATE TYPE address AS (street text, number integer, part numeric);
CREATE DOMAIN positive AS integer CHECK (VALUE > 0);
CREATE DOMAIN code AS character varying(10) NOT NULL DEFAULT '000';
ALTER DOMAIN code DROP NOT NULL;
CREATE DOMAIN amount AS numeric(30,2);
CREATE DOMAIN positive_again AS positive DEFAULT 7;
${typeTables()}${textTables(random)}${nameTables()}${RELATIONS}`;

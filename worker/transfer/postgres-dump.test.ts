import { describe, expect, test } from 'vitest';
import { opened, PLACES } from './transfer-fixture.test-suite.ts';

const HEAD = '--\n-- PostgreSQL database dump\n--\n';

describe.each(PLACES)('dumps of PostgreSQL read by the %s engine', (_name, place) => {
  test('texts with a prefix are decoded once, and bits stay their digits', async () => {
    const dump = `${HEAD}CREATE TABLE public.t (a text DEFAULT N'ü', b bit(4), CONSTRAINT c CHECK (a <> N'ø'));
INSERT INTO public.t VALUES (N'é', B'1010'), (n'it''s', X'1f'), (E'\\n', '0101'), (DEFAULT, B'0001'::bit(4));
INSERT INTO public.t VALUES ('ø', NULL);
`;
    const { connection, contents } = await opened(place, dump);
    expect(connection.all('SELECT a, b FROM t')).toEqual([
      ['é', '1010'],
      ["it's", '00011111'],
      ['\n', '0101'],
      ['ü', '0001'],
    ]);
    expect(contents.sql!.statements.map(({ line }) => line)).toEqual([6]);
  });

  test('all words for true and false are values of a boolean column', async () => {
    const dump = `${HEAD}CREATE TABLE t (a boolean, b text);
INSERT INTO t VALUES ('yes', 'yes'), ('ON', ''), ('y', ''), ('1', ''), ('no', 'no'), ('off', ''), ('N', ''), ('0', '');
`;
    const { connection } = await opened(place, dump);
    expect(connection.all('SELECT a FROM t').flat()).toEqual([1, 1, 1, 1, 0, 0, 0, 0]);
    expect(connection.all("SELECT b FROM t WHERE b <> ''").flat()).toEqual(['yes', 'no']);
  });

  test('a table with the columns of another one is listed, and has no column named LIKE', async () => {
    const { connection, contents } = await opened(
      place,
      `${HEAD}CREATE TABLE a (x integer);\nCREATE TABLE b (LIKE a INCLUDING ALL);\n`,
    );
    expect(contents.sql!.statements.map(({ line }) => line)).toEqual([5]);
    expect(connection.all("SELECT name FROM sqlite_schema WHERE type = 'table'")).toEqual([['a']]);
  });

  test('texts and names with escapes of Unicode are what they mean, or listed', async () => {
    const dump = `CREATE TABLE U&"t!00fc" UESCAPE '!' (u&"\\0061 b" text DEFAULT U&'\\00e9', n integer);
INSERT INTO U&"t\\00fc" VALUES (U&'d\\0061t\\+000061 \\\\ it''s é', 1), (U&'\\d83d\\de00\\+01F600$' UESCAPE '\\', 2), (U&'$0041\\' UESCAPE '$'::text, 3), (DEFAULT, 4);
INSERT INTO U&"t\\00fc" VALUES (U&'\\00', 5);
INSERT INTO U&"t\\00fc" VALUES (U&'\\d83d', 6);
INSERT INTO U&"t\\00fc" VALUES (U&'\\+110000', 7);
INSERT INTO U&"t\\00fc" VALUES (U&'\\', 8);
INSERT INTO U&"t\\00fc" VALUES (U&'\\0000', 9);
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.dialect).toBe('postgresql');
    expect(contents.sql!.statements.map(({ line }) => line)).toEqual([3, 4, 5, 6, 7]);
    expect(connection.all('SELECT "a b", n FROM "tü"')).toEqual([
      ["data \\ it's é", 1],
      ['😀😀$', 2],
      ['A\\', 3],
      ['é', 4],
    ]);
  });

  test('client_encoding says how the file is read', async () => {
    const bytes = Uint8Array.from(
      Buffer.from(
        `${HEAD}SET client_encoding = 'WIN1251';\nCREATE TABLE t (a text);\nINSERT INTO t VALUES ('\xcf\xd0');\n`,
        'latin1',
      ),
    );
    const { connection, contents } = await opened(place, bytes);
    expect(contents.sql!.encoding).toBe('windows-1251');
    expect(contents.notes.join()).toContain('because the file says SET client_encoding = WIN1251');
    expect(connection.all('SELECT a FROM t')).toEqual([['ПР']]);
  });

  test('generated columns are computed, and DEFAULT is the default', async () => {
    const dump = `${HEAD}CREATE TABLE public.t (id integer NOT NULL, a integer DEFAULT 7, twice integer GENERATED ALWAYS AS ((a * 2)) STORED, c boolean DEFAULT true);
INSERT INTO public.t OVERRIDING SYSTEM VALUE VALUES (1, DEFAULT, DEFAULT, 'f'), (2, 5, DEFAULT, DEFAULT);
INSERT INTO public.t (id, a, twice) VALUES (3, 6, DEFAULT), (DEFAULT, 8, DEFAULT) ON CONFLICT DO NOTHING;
INSERT INTO public.t VALUES (DEFAULT, DEFAULT, DEFAULT, DEFAULT);
COPY public.t FROM stdin;
9\t1\tt
\\.
ALTER TABLE public.t ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME public.t_id_seq START WITH 1);
ALTER TABLE ONLY public.t ADD CONSTRAINT t_pkey PRIMARY KEY (id);
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements).toEqual([]);
    expect(connection.all('SELECT id, a, twice, c FROM t')).toEqual([
      [1, 7, 14, 0],
      [2, 5, 10, 1],
      [3, 6, 12, 1],
      [4, 8, 16, 1],
      [5, 7, 14, 1],
      [9, 1, 2, 1],
    ]);
  });

  test('of a generated column it is said that SQLite knows fewer letters', async () => {
    const dump = `${HEAD}CREATE TABLE public.t (a text, b text GENERATED ALWAYS AS (lower(a)) STORED, c text GENERATED ALWAYS AS ((a || 'lower'::text)) STORED);\n`;
    const { contents } = await opened(place, dump);
    expect(contents.notes.join()).toContain('column “t.b” changes the case of letters: in SQLite only from A to Z');
    expect(contents.notes.join()).not.toContain('t.c');
  });

  test('rows after COPY have the delimiter and the NULL that it names', async () => {
    const dump = `CREATE TABLE t (a text, b text);
COPY t (a, b) FROM stdin WITH DELIMITER AS ',' NULL AS '';
a\\,b\\\\,c
,\\N
\\.
COPY t FROM stdin WITH (DELIMITER '|', NULL 'none');
x\ty|none
\\.
COPY t FROM stdin WITH CSV FORCE NOT NULL a;
1,2
\\.
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.dialect).toBe('postgresql');
    expect(contents.sql!.statements.map(({ line }) => line)).toEqual([9]);
    expect(connection.all('SELECT a, b FROM t')).toEqual([
      ['a,b\\', 'c'],
      [null, 'N'],
      ['x\ty', null],
    ]);
  });

  test('rows of the format CSV may have line endings in quotes, and nothing at all is NULL', async () => {
    const dump = `CREATE TABLE t (a text, b boolean, c bytea);
COPY t (a, b, c) FROM stdin WITH (FORMAT csv, HEADER true);
a,b,c
"x, ""y""
\\.z",t,\\x00ff
,f,
"",,"\\x"
\\.more,t,"\\\\"
\\.
COPY t FROM stdin DELIMITER ';' CSV QUOTE AS '$' ESCAPE AS '!' NULL AS '-';
$a;!$!!b$c;t;-\r
-;-;$-$
1;2
\\.
COPY t (a) FROM stdin (FORMAT 'csv', HEADER off);
"never closed
x
\\.
INSERT INTO t (a) VALUES ('after');
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements.map(({ line, reason }) => [line, reason.slice(0, 40)])).toEqual([
      [13, 'The row has 2 values for 3 columns.'],
      [16, 'A quote that begins in this row is never'],
    ]);
    expect(connection.all('SELECT a, b, hex(c), typeof(c) FROM t')).toEqual([
      ['x, "y"\n\\.z', 1, '00FF', 'blob'],
      [null, 0, '', 'null'],
      ['', null, '', 'blob'],
      ['\\.more', 1, '5C', 'blob'],
      ['a;$!bc', 1, '', 'null'],
      [null, null, '2D', 'blob'],
      ['after', null, '', 'null'],
    ]);
  });

  test('escapes by number are the bytes and characters that they mean, or listed', async () => {
    const dump = `${HEAD}CREATE TABLE t (a text, b text DEFAULT ' AS (x)');
INSERT INTO t VALUES (E'\\u00e9\\x41\\101\\xC3\\xA9', E'\\U0001F600\\ud83d\\ude00\\u'), (E'\\\\u00e9', 'kept');
INSERT INTO t VALUES (E'\\ud83d', 'half of a character');
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements).toMatchObject([{ line: 6 }]);
    expect(connection.all('SELECT a, b FROM t')).toEqual([
      ['éAAé', '😀😀u'],
      ['\\u00e9', 'kept'],
    ]);
  });

  test('numbers without a limit keep all their digits, and bytes are read in both formats', async () => {
    const dump = `${HEAD}CREATE TABLE t (n numeric, d numeric(30,10), s numeric(10,2), b bytea);
INSERT INTO t VALUES (12345678901234567890.123, -0.5000000000, 1.50, '\\x00ff'), (1.10, '2.50'::numeric, 3, E'a\\\\000\\\\377\\\\\\\\'::bytea);
INSERT INTO elsewhere VALUES (12345678901234567890.123, 5);
COPY t (n, b) FROM stdin;
0.10\ta\\\\001
\\.
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements).toMatchObject([{ line: 6 }]);
    expect(connection.all('SELECT n, d, s, hex(b), typeof(b) FROM t')).toEqual([
      ['12345678901234567890.123', '-0.5000000000', 1.5, '00FF', 'blob'],
      ['1.10', '2.50', 3, '6100FF5C', 'blob'],
      ['0.10', null, null, '6101', 'blob'],
    ]);
  });

  test('backslashes are escapes in all texts where the file says so', async () => {
    const dump = `SET standard_conforming_strings = off;
CREATE TABLE public.t (a text, b text DEFAULT 'x\\ty');
INSERT INTO public.t VALUES ('it\\'s; a\\\\b', E'c\\\\d'), ('$x$', 'no "''" \\\\'), ($$a\\b$$, N'\\x41');
INSERT INTO public.t (a) VALUES ('-- plain');
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql).toMatchObject({ dialect: 'postgresql', notUnderstood: 0 });
    expect(connection.all('SELECT a, b FROM t')).toEqual([
      ["it's; a\\b", 'c\\d'],
      ['$x$', `no "'" \\`],
      ['a\\b', 'A'],
      ['-- plain', 'x\ty'],
    ]);
  });

  test('the first statement says how backslashes are read, and prefixes without a blank stay apart', async () => {
    const rows = `CREATE TABLE public.t (a text DEFAULT '\\');', b text);
INSERT INTO public.t VALUES (DATE'2020\\05501-31', 'b'), ('/* \\\\', '*/ -- $a$');
`;
    const off = await opened(place, `set session standard_conforming_strings to 'OFF';\n${rows}`);
    expect(off.contents.sql!.statements).toEqual([]);
    expect(off.connection.all('SELECT a, b FROM t')).toEqual([
      ['2020-01-31', 'b'],
      ['/* \\', '*/ -- $a$'],
    ]);
    const on = await opened(
      place,
      `${HEAD}SET standard_conforming_strings = on;
CREATE TABLE public.t (a text);
INSERT INTO public.t VALUES ('a\\b
SET standard_conforming_strings = off;');
`,
    );
    expect(on.connection.all('SELECT a FROM t')).toEqual([['a\\b\nSET standard_conforming_strings = off;']]);
  });

  test('another user of the same database makes no other names', async () => {
    const dump = `${HEAD}CREATE TABLE public.t (a integer);\n\\connect - bob\nCREATE TABLE public.u (a integer);\n`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements).toEqual([]);
    expect(connection.all('SELECT name FROM sqlite_schema ORDER BY 1')).toEqual([['t'], ['u']]);
  });

  test('a cast to a type that SQLite does not have leaves the value as it is', async () => {
    const dump = `${HEAD}CREATE TABLE t (a text, b integer, c bytea);
INSERT INTO t VALUES (CAST('2020-01-31' AS date), CAST('7' AS integer), CAST('\\x41' AS bytea));
INSERT INTO t VALUES (CAST('{"as": 1}' AS jsonb), CAST(('8') AS numeric(5, 2)), NULL);
CREATE VIEW v AS SELECT CAST(a AS timestamp with time zone) AS d FROM t;
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements).toEqual([]);
    expect(connection.all('SELECT a, b, hex(c) FROM t')).toEqual([
      ['2020-01-31', 7, '41'],
      ['{"as": 1}', 8, ''],
    ]);
    expect(connection.all('SELECT d FROM v')).toEqual([['2020-01-31'], ['{"as": 1}']]);
  });

  test('a default that SQLite does not have is said', async () => {
    const dump = `${HEAD}CREATE TABLE t (id bigserial, a integer DEFAULT (1 + 2), u uuid DEFAULT gen_random_uuid(), n text DEFAULT NULL::text);
INSERT INTO t (id) VALUES (1);
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.notes).toEqual([
      'Defaults that SQLite does not have were left out: “t.u”. New rows have NULL there if they give no value.',
    ]);
    expect(connection.all('SELECT * FROM t')).toEqual([[1, 3, null, null]]);
  });

  test('a default is the value that it is in its column', async () => {
    const dump = `${HEAD}CREATE TABLE t (id integer, a bytea DEFAULT '\\x005c'::bytea, b numeric(30,10) DEFAULT 1.50, c numeric DEFAULT '-12345678901234567890.10'::numeric, d numeric(10,2) DEFAULT 1.50);
INSERT INTO t (id) VALUES (1);
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements).toEqual([]);
    expect(connection.all('SELECT hex(a), b, c, d FROM t')).toEqual([
      ['005C', '1.50', '-12345678901234567890.10', 1.5],
    ]);
  });

  test('a default of old servers is the present moment, and a sum of dates is left out', async () => {
    const dump = `${HEAD}CREATE TABLE t (id integer, a date DEFAULT ('now'::text)::date, b timestamp with time zone DEFAULT ('now'::text)::timestamp(6) with time zone,
    c date DEFAULT ('2000-01-01'::date + 5), d timestamp without time zone DEFAULT ('2000-01-01'::date + '1 day'::interval), e interval DEFAULT ('1 day'::interval * 2), f timestamp without time zone DEFAULT (now() AT TIME ZONE 'utc'::text), g timestamp without time zone DEFAULT (now() + '1 day'::interval));
CREATE TABLE u (id integer, a boolean DEFAULT ('t'::boolean), b bytea DEFAULT ('\\x41'::bytea), c numeric DEFAULT (1.50)::numeric, d text DEFAULT ('a'::text || 'b'::text),
    e integer DEFAULT ((60 * 60) - (-1)), f text DEFAULT ('now'::text), g text DEFAULT (NULL)::text, h integer DEFAULT (-1));
INSERT INTO t (id) VALUES (1);
INSERT INTO u (id) VALUES (1);
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.notes).toEqual([
      'Defaults that SQLite does not have were left out: “t.c”, “t.d”, “t.e”, “t.g”. New rows have NULL there if they give no value.',
    ]);
    expect(connection.all('SELECT a = CURRENT_DATE, length(b), c, d, e, length(f), g FROM t')).toEqual([
      [1, 19, null, null, null, 19, null],
    ]);
    expect(connection.all('SELECT a, hex(b), c, d, e, f, g, h FROM u')).toEqual([
      [1, '41', '1.50', 'ab', 3601, 'now', null, -1],
    ]);
  });

  test('tables whose names differ by their case, or by a schema, stay apart', async () => {
    const dump = `${HEAD}CREATE TABLE public."T" (a integer);
CREATE TABLE public.t (a integer);
CREATE TABLE public.x_t (a integer);
CREATE TABLE x.t (a integer);
COPY public.t (a) FROM stdin;
2
\\.
INSERT INTO public."T" VALUES (1);
INSERT INTO x.t VALUES (4);
INSERT INTO public.x_t VALUES (3);
ALTER TABLE ONLY public.t ADD CONSTRAINT t_pkey PRIMARY KEY (a);
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements).toEqual([]);
    for (const [at, name] of ['T', 't_2', 'x_t', 'x_t_2'].entries())
      expect([name, ...connection.all(`SELECT a FROM "${name}"`)]).toEqual([name, [at + 1]]);
    expect(contents.notes.join()).toContain('The table “t” is named “t_2”');
  });

  test('several databases do not overwrite each other', async () => {
    const database = (value: number) => `CREATE SCHEMA audit;
CREATE TABLE public.t (a integer NOT NULL);
CREATE TABLE audit.c (a integer);
CREATE VIEW public.v AS SELECT t.a, c.a AS b FROM (public.t JOIN audit.c ON ((c.a = t.a)));
COPY public.t (a) FROM stdin;
${value}
\\.
INSERT INTO audit.c VALUES (${value});
ALTER TABLE ONLY public.t ADD CONSTRAINT t_pkey PRIMARY KEY (a);
ALTER TABLE ONLY audit.c ADD CONSTRAINT c_fk FOREIGN KEY (a) REFERENCES public.t(a);
`;
    const dump = `-- PostgreSQL database cluster dump\n\\connect template1\nSET x = 1;\n\\connect one\n${database(1)}\\connect two\n${database(2)}`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements).toEqual([]);
    expect(contents.objects.map(({ name, rows }) => [name, rows])).toEqual([
      ['t', 1],
      ['audit_c', 1],
      ['two_t', 1],
      ['two_audit_c', 1],
      ['v', null],
      ['two_v', null],
    ]);
    expect(connection.all('SELECT * FROM v')).toEqual([[1, 1]]);
    expect(connection.all('SELECT * FROM two_v')).toEqual([[2, 2]]);
    expect(connection.one('SELECT "table" FROM pragma_foreign_key_list(\'two_audit_c\')')).toEqual(['two_t']);
    expect(contents.notes.join()).toContain('names of tables of “two” begin with “two_”');
  });

  test('all identifiers may be quoted', async () => {
    const dump = `${HEAD}SELECT "pg_catalog"."set_config"('search_path', '', false);
CREATE TABLE "public"."t" ("id" integer NOT NULL, "data" "bytea", "name" "text" DEFAULT 'x'::"text", "made" timestamp(0) without time zone DEFAULT "now"(), "kind" "public"."mood", CONSTRAINT "c" CHECK (("name" <> 'no'::"text")));
CREATE SEQUENCE "public"."t_id_seq";
ALTER SEQUENCE "public"."t_id_seq" OWNED BY "public"."t"."id";
ALTER TABLE ONLY "public"."t" ALTER COLUMN "id" SET DEFAULT "nextval"('"public"."t_id_seq"'::"regclass");
COPY "public"."t" ("id", "data") FROM stdin;
1\t\\\\x00ff
\\.
SELECT "pg_catalog"."setval"('"public"."t_id_seq"', 40, true);
ALTER TABLE ONLY "public"."t" ADD CONSTRAINT "t_pkey" PRIMARY KEY ("id");
CREATE VIEW "public"."v" AS SELECT "t"."id", ("t"."name")::"text" AS "n" FROM "public"."t";
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements).toEqual([]);
    expect(connection.all('SELECT id, hex(data), name FROM t')).toEqual([[1, '00FF', 'x']]);
    connection.run('INSERT INTO t (data) VALUES (NULL)');
    expect(connection.all('SELECT id, n FROM v')).toEqual([
      [1, 'x'],
      [41, 'x'],
    ]);
    expect(() => connection.run("INSERT INTO t (name) VALUES ('no')")).toThrow();
  });

  test('standard SQL that names tables with their schema is read, with the types of its texts', async () => {
    const dump = `create table shop.customer
(
    id   int not null primary key,
    born date null
);
INSERT INTO shop.customer (id, born) VALUES (1, DATE '1990-02-03');
INSERT INTO shop.customer (id, born) VALUES
\t (2, TIMESTAMP '1991-01-01 10:00:00'),
\t (3, NULL);
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements).toEqual([]);
    expect(connection.all('SELECT * FROM shop_customer')).toEqual([
      [1, '1990-02-03'],
      [2, '1991-01-01 10:00:00'],
      [3, null],
    ]);
  });

  test('of several sequences of a table, that of the key counts on', async () => {
    const dump = `${HEAD}CREATE TABLE public.t (id integer NOT NULL, other bigint NOT NULL);
CREATE SEQUENCE public.t_id_seq;
ALTER SEQUENCE public.t_id_seq OWNED BY public.t.id;
ALTER TABLE public.t ALTER COLUMN other ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME public.t_other_seq START WITH 1);
ALTER TABLE ONLY public.t ALTER COLUMN id SET DEFAULT nextval('public.t_id_seq'::regclass);
SELECT pg_catalog.setval('public.t_id_seq', 9007199254740993, true);
SELECT pg_catalog.setval('public.t_other_seq', 7, true);
ALTER TABLE ONLY public.t ADD CONSTRAINT t_pkey PRIMARY KEY (id);
CREATE TABLE public.u (id integer PRIMARY KEY, n integer);
ALTER TABLE public.u ALTER COLUMN n ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME public.u_n_seq);
SELECT pg_catalog.setval('public.u_n_seq', 7, true);
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements).toEqual([]);
    expect(connection.all('SELECT name, seq FROM sqlite_sequence')).toEqual([['t', 9007199254740993n]]);
  });

  test('indexes are made however they are ordered, and named', async () => {
    const dump = `${HEAD}CREATE TABLE public."a;b" (id integer, a text, b integer);
COPY public."a;b" (id, a) FROM stdin;
1\tx
\\.
CREATE UNIQUE INDEX "u" ON "public"."a;b" USING "btree" ("a" "text_pattern_ops", "lower"("a") COLLATE "pg_catalog"."C" DESC NULLS LAST) INCLUDE ("b") WITH (fillfactor='70') WHERE ("id" > 0);
CREATE INDEX n ON public."a;b" USING btree (((id + 1)), b NULLS FIRST);
CREATE UNIQUE INDEX d ON public."a;b" USING btree (b) NULLS NOT DISTINCT;
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements.map(({ line }) => line)).toEqual([10]);
    expect(connection.all(`SELECT sql FROM sqlite_schema WHERE type = 'index'`)).toEqual([
      [`CREATE UNIQUE INDEX "u" ON "a;b" ("a", "lower" ("a") DESC) WHERE ("id" > 0)`],
      [`CREATE INDEX "n" ON "a;b" (((id + 1)), b)`],
    ]);
    expect(connection.all('SELECT id, a FROM "a;b"')).toEqual([[1, 'x']]);
  });

  test('children have the columns of their parents, and partitions are rows of their table', async () => {
    const dump = `${HEAD}CREATE TABLE public.parent (id integer NOT NULL, name text DEFAULT 'p');
CREATE TABLE public.child (extra bytea, name text DEFAULT 'c') INHERITS (public.parent);
ALTER TABLE ONLY public.child ALTER COLUMN name SET DEFAULT 'c'::text;
CREATE TABLE public.logs (id integer NOT NULL, at date NOT NULL) PARTITION BY RANGE (at);
CREATE TABLE public.logs_1 (id integer NOT NULL, at date NOT NULL);
ALTER TABLE ONLY public.logs ATTACH PARTITION public.logs_1 FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
CREATE TABLE public.logs_2 PARTITION OF public.logs DEFAULT;
COPY public.parent (id, name) FROM stdin;
1\tp
\\.
COPY public.child (id, name, extra) FROM stdin;
2\tx\t\\\\x41
\\.
COPY public.logs_1 (id, at) FROM stdin;
1\t2024-01-01
\\.
INSERT INTO public.logs_2 VALUES (2, '2030-01-01');
ALTER TABLE ONLY public.logs ADD CONSTRAINT logs_pkey PRIMARY KEY (id, at);
ALTER TABLE ONLY public.logs_1 ADD CONSTRAINT logs_1_pkey PRIMARY KEY (id, at);
CREATE INDEX logs_at ON ONLY public.logs USING btree (at);
CREATE INDEX logs_1_at ON public.logs_1 USING btree (at);
ALTER INDEX public.logs_at ATTACH PARTITION public.logs_1_at;
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements).toEqual([]);
    expect(contents.objects.map(({ name, rows, indexes }) => [name, rows, indexes])).toEqual([
      ['parent', 1, 0],
      ['child', 1, 0],
      ['logs', 2, 1],
    ]);
    expect(connection.all('SELECT id, name, hex(extra) FROM child')).toEqual([[2, 'x', '41']]);
    expect(contents.notes.join()).toContain('“child” inherits columns of “parent”');
    expect(contents.notes.join()).toContain('“logs_1” is a partition of “logs”');
  });

  test('of a table with checks that SQLite does not understand, only these are left out', async () => {
    const dump = `${HEAD}CREATE DOMAIN public.positive AS integer CONSTRAINT positive_check CHECK ((VALUE > 0));
CREATE TYPE public.mood AS ENUM ('sad', 'ok');
CREATE DOMAIN public.age AS public.positive;
CREATE TABLE public.t (id integer PRIMARY KEY, mail text CHECK (mail ~ '^.+@'), age public.age, kind public.mood DEFAULT 'ok'::public.mood,
  CONSTRAINT known CHECK (((kind)::text = ANY ((ARRAY['sad'::character varying, 'ok'::character varying])::text[]))), CONSTRAINT adult CHECK (((age)::integer > 17)));
CREATE TABLE public.c (t integer REFERENCES public.t(id));
ALTER TABLE public.t ADD CONSTRAINT like_ok CHECK ((mail ~~ '%@%'::text)) NOT VALID;
INSERT INTO public.t VALUES (1, 'a@b', 18, 'ok');
INSERT INTO public.c VALUES (1);
INSERT INTO public.t VALUES (2, 'a@b', 17, 'ok');
CREATE VIEW public.w AS SELECT t.id FROM public.t WHERE (t.mail ~~ '%@%'::text);
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements.map(({ line, text }) => [line, text.slice(0, 20)])).toEqual([
      [4, 'CREATE DOMAIN public'],
      [5, 'CREATE TYPE public.m'],
      [6, 'CREATE DOMAIN public'],
      [7, `CHECK (mail ~ '^.+@'`],
      [7, 'CHECK (((kind) = ANY'],
      [7, "CHECK ((mail ~~ '%@%"],
      [13, 'INSERT INTO "t" ("id'],
      [14, 'CREATE VIEW "w" AS S'],
    ]);
    expect(connection.all('SELECT t.age, typeof(t.age), t.kind FROM t JOIN c ON c.t = t.id')).toEqual([
      [18, 'integer', 'ok'],
    ]);
  });

  test('arrays of any type are texts, and large objects are listed', async () => {
    const dump = `${HEAD}CREATE TABLE public.t (id integer PRIMARY KEY, n numeric(5,2)[] NOT NULL, b boolean[], v character varying(9)[]);
COPY public.t (id, n, b, v) FROM stdin;
1\t{1.50,2}\t{t,f}\t{"a,b"}
\\.
SELECT pg_catalog.lowrite(0, '\\x41');
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements).toMatchObject([{ line: 8, reason: expect.stringContaining('large object') }]);
    expect(connection.all('SELECT * FROM t')).toEqual([[1, '{1.50,2}', '{t,f}', '{"a,b"}']]);
    expect(connection.all("SELECT DISTINCT type FROM pragma_table_info('t') WHERE cid > 0")).toEqual([['TEXT']]);
  });
});

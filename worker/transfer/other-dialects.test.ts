import { describe, expect, test } from 'vitest';
import { opened, PLACES } from './transfer-fixture.test-suite.ts';

const MYSQL = Buffer.concat([
  Buffer.from(`-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)
--
-- Host: localhost    Database: shop
/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!50503 SET NAMES utf8mb4 */;
SET @@SESSION.SQL_LOG_BIN= 0;

DROP TABLE IF EXISTS \`customer\`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
CREATE TABLE \`customer\` (
  \`id\` int unsigned NOT NULL AUTO_INCREMENT COMMENT 'it''s; the key',
  \`name\` varchar(50) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT 'no\\'body',
  \`kind\` enum('a','b') DEFAULT 'a',
  \`price\` decimal(10,2) DEFAULT '-1.50',
  \`long\` decimal(30,10) DEFAULT NULL,
  \`data\` longblob,
  \`flag\` bit(1) DEFAULT b'1',
  \`doc\` json DEFAULT NULL,
  \`made\` timestamp NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  \`twice\` int GENERATED ALWAYS AS ((\`id\` * 2)) VIRTUAL,
  PRIMARY KEY (\`id\`),
  UNIQUE KEY \`by_name\` (\`name\`),
  KEY \`idx\` (\`kind\`,\`name\`(10) DESC),
  FULLTEXT KEY \`ft\` (\`name\`)
) ENGINE=InnoDB AUTO_INCREMENT=41 DEFAULT CHARSET=utf8mb4 COMMENT='people ( who; buy )';
/*!40101 SET character_set_client = @saved_cs_client */;
LOCK TABLES \`customer\` WRITE;
/*!40000 ALTER TABLE \`customer\` DISABLE KEYS */;
INSERT INTO \`customer\` (\`id\`, \`name\`, \`kind\`, \`price\`, \`long\`, \`data\`, \`flag\`, \`doc\`, \`made\`) VALUES (1,'O\\'Brien; \\"x\\"\\n','a',1.50,12345678901234567890.5,0x00FF41,b'1','{\\"a\\": 1}','2024-01-01 00:00:00'),(2,'NUL\\0 it''s \\\\ \\%','b',NULL,NULL,_binary '\\0a\\'`),
  Buffer.from([0xff, 0xfe]),
  Buffer.from(`\\Z',b'0','12',NULL);
/*!40000 ALTER TABLE \`customer\` ENABLE KEYS */;
UNLOCK TABLES;
CREATE TABLE \`orders\` (
  \`customer\` int unsigned NOT NULL,
  \`no\` bigint NOT NULL,
  PRIMARY KEY (\`customer\`,\`no\`),
  KEY \`idx\` (\`no\`),
  CONSTRAINT \`fk_customer\` FOREIGN KEY (\`customer\`) REFERENCES \`shop\`.\`customer\` (\`id\`) ON DELETE CASCADE,
  CONSTRAINT \`positive\` CHECK ((\`no\` > 0))
) ENGINE=InnoDB;
INSERT INTO \`orders\` VALUES (1,9223372036854775807),(2,5);
DELIMITER ;;
/*!50003 CREATE*/ /*!50017 DEFINER=\`root\`@\`localhost\`*/ /*!50003 TRIGGER \`t\` BEFORE INSERT ON \`orders\` FOR EACH ROW BEGIN SET NEW.no = 1; END */;;
DELIMITER ;
/*!50001 CREATE ALGORITHM=UNDEFINED */
/*!50013 DEFINER=\`root\`@\`localhost\` SQL SECURITY DEFINER */
/*!50001 VIEW \`names\` AS select \`customer\`.\`name\` AS \`n\` from \`customer\` */;
INSERT INTO \`orders\` VALUES (3,1) ON DUPLICATE KEY UPDATE no = 'x';
-- Dump completed on 2024-01-01
`),
]);

const POSTGRES = `--
-- PostgreSQL database dump
--
\\restrict abc123
SET statement_timeout = 0;
SELECT pg_catalog.set_config('search_path', '', false);
CREATE EXTENSION IF NOT EXISTS plpgsql WITH SCHEMA pg_catalog;
CREATE TYPE public.mood AS ENUM ('sad', 'ok');
CREATE FUNCTION public.f() RETURNS integer LANGUAGE sql AS $_$ SELECT 1; SELECT ';' $_$;
CREATE TABLE public.customer (
    id integer NOT NULL,
    name character varying(50) DEFAULT 'x''y'::character varying NOT NULL,
    mood public.mood,
    price numeric(10,2) DEFAULT '-1.5'::numeric,
    exact numeric,
    data bytea,
    is_on boolean DEFAULT true,
    made timestamp without time zone DEFAULT now(),
    tags text[],
    CONSTRAINT price_ok CHECK ((price > ('-10'::integer)::numeric))
);
ALTER TABLE public.customer OWNER TO me;
CREATE SEQUENCE public.customer_id_seq AS integer START WITH 1;
ALTER SEQUENCE public.customer_id_seq OWNED BY public.customer.id;
CREATE TABLE audit.orders (
    customer integer NOT NULL,
    no bigint NOT NULL,
    note text
);
ALTER TABLE ONLY public.customer ALTER COLUMN id SET DEFAULT nextval('public.customer_id_seq'::regclass);
COPY public.customer (id, name, mood, price, exact, data, is_on, made, tags) FROM stdin;
1\tO'Brien;\tok\t1.50\t12345678901234567890.123\t\\\\x00ff41\tt\t2024-01-01 00:00:00\t{a,b}
2\ttab\\there\\nline \\\\ end\t\\N\t\\N\t\\N\t\\N\tf\t\\N\t\\N
7\t007\tsad\t2\t1\t\\\\x\t\\N\t\\N\t\\N
8\ttoo few
\\.

COPY audit.orders (customer, no, note) FROM stdin;
1\t9223372036854775807\t
2\t5\t\\N
\\.
INSERT INTO audit.orders VALUES (7, 6, E'it''s\\n\\\\'), (7, 8, 'plain \\ back'::text);
SELECT pg_catalog.setval('public.customer_id_seq', 40, true);
ALTER TABLE ONLY public.customer ADD CONSTRAINT customer_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.customer ADD CONSTRAINT customer_name_key UNIQUE (name);
ALTER TABLE ONLY audit.orders ADD CONSTRAINT orders_pkey PRIMARY KEY (customer, no);
CREATE INDEX orders_no ON audit.orders USING btree (no DESC) WHERE (note IS NOT NULL);
CREATE INDEX tags_gin ON public.customer USING gin (tags);
ALTER TABLE ONLY audit.orders ADD CONSTRAINT orders_fk FOREIGN KEY (customer) REFERENCES public.customer(id) ON UPDATE CASCADE ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED;
CREATE VIEW public.names AS
 SELECT customer.name AS n,
    (customer.id)::text AS t
   FROM public.customer;
CREATE TRIGGER tr BEFORE INSERT ON public.customer FOR EACH ROW EXECUTE FUNCTION public.f();
COMMENT ON TABLE public.customer IS 'people; who buy';
\\connect other
--
-- PostgreSQL database dump complete
--
`;

/** The line that begins with `start`. */
const lineOf = (text: string, start: string): number => text.slice(0, text.indexOf(start)).split('\n').length;

describe.each(PLACES)('files of other databases read by the %s engine', (_name, place) => {
  test('a dump of MySQL', async () => {
    const mysql = MYSQL.toString('latin1');
    const { connection, contents } = await opened(place, MYSQL, { name: 'shop.sql', encoding: 'utf-8' });
    expect(contents.sql!.dialect).toBe('mysql');
    expect(contents.sql!.statements.map(({ line, reason }) => [line, reason])).toEqual([
      [lineOf(mysql, '/*!50003'), 'MySQL triggers use a language that SQLite does not have.'],
      [lineOf(mysql, 'INSERT INTO `orders` VALUES (3'), 'SQLite has no ON DUPLICATE KEY UPDATE.'],
    ]);
    expect(contents.objects.map(({ name, rows, indexes }) => [name, rows, indexes])).toEqual([
      ['customer', 2, 3],
      ['orders', 2, 1],
      ['names', null, 0],
    ]);
    const [one, two] = connection.all(
      'SELECT id, name, kind, price, long, hex(data), typeof(data), flag, doc, typeof(doc), made, twice FROM customer',
    );
    expect(one).toEqual([
      1,
      'O\'Brien; "x"\n',
      'a',
      1.5,
      '12345678901234567890.5',
      '00FF41',
      'blob',
      1,
      '{"a": 1}',
      'text',
      '2024-01-01 00:00:00',
      2,
    ]);
    expect(two!.slice(2)).toEqual(['b', null, null, '006127FFFE1A', 'blob', 0, '12', 'text', null, 4]);
    expect(connection.all('SELECT hex(name) FROM customer WHERE id = 2')).toEqual([
      [Buffer.from("NUL\0 it's \\ \\%").toString('hex').toUpperCase()],
    ]);
    expect(connection.all('SELECT no FROM orders ORDER BY customer')).toEqual([[9223372036854775807n], [5]]);
    expect(connection.one('SELECT seq FROM sqlite_sequence')).toEqual([40]);
    connection.run('INSERT INTO customer (data) VALUES (NULL)');
    expect(connection.all('SELECT id, name, price, flag FROM customer WHERE id > 2')).toEqual([
      [41, "no'body", -1.5, 1],
    ]);
    expect(connection.all('SELECT "table", "from", "to", on_delete FROM pragma_foreign_key_list(\'orders\')')).toEqual([
      ['customer', 'customer', 'id', 'CASCADE'],
    ]);
    expect(() => connection.run('INSERT INTO orders VALUES (1, -1)')).toThrow();
    expect(
      connection.all("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY 1"),
    ).toEqual([['by_name'], ['ft'], ['idx'], ['orders_idx']]);
    expect(connection.all('SELECT count(*) FROM names')).toEqual([[3]]);
  });

  test('a dump of phpMyAdmin, whose keys come after the rows', async () => {
    const dump = `-- phpMyAdmin SQL Dump
SET SQL_MODE = "NO_AUTO_VALUE_ON_ZERO";
START TRANSACTION;
CREATE TABLE \`p\` (
  \`id\` int(11) NOT NULL,
  \`v\` decimal(30,5) NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
INSERT INTO \`p\` (\`id\`, \`v\`) VALUES
(1, 0.50000),
(2, -12345678901234567890.50000);
ALTER TABLE \`p\`
  ADD PRIMARY KEY (\`id\`),
  ADD KEY \`v\` (\`v\`);
ALTER TABLE \`p\`
  MODIFY \`id\` int(11) NOT NULL AUTO_INCREMENT, AUTO_INCREMENT=3;
COMMIT;
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements).toEqual([]);
    expect(connection.all('SELECT * FROM p')).toEqual([
      [1, '0.50000'],
      [2, '-12345678901234567890.50000'],
    ]);
    expect(connection.all("SELECT sql FROM sqlite_schema WHERE name IN ('p', 'v') ORDER BY 1")).toEqual([
      ['CREATE INDEX "v" ON "p" ("v")'],
      ['CREATE TABLE "p" (\n  "id" INTEGER PRIMARY KEY AUTOINCREMENT,\n  "v" TEXT NOT NULL\n)'],
    ]);
  });

  test('a dump of PostgreSQL', async () => {
    const { connection, contents } = await opened(place, POSTGRES);
    expect(contents.sql!.dialect).toBe('postgresql');
    expect(contents.sql!.statements.map(({ line, reason }) => [line, reason])).toEqual([
      [lineOf(POSTGRES, 'CREATE TYPE'), 'SQLite has no user-defined types: columns of this type hold text.'],
      [lineOf(POSTGRES, 'CREATE FUNCTION'), 'It creates something that SQLite does not have.'],
      [lineOf(POSTGRES, '8\ttoo'), 'The row has 2 values for 9 columns.'],
      [lineOf(POSTGRES, 'CREATE INDEX tags'), 'SQLite has no indexes of the kind gin.'],
      [lineOf(POSTGRES, 'CREATE TRIGGER'), 'Triggers of PostgreSQL call functions, which SQLite does not have.'],
    ]);
    expect(connection.all('SELECT id, name, mood, price, exact, hex(data), is_on, made, tags FROM customer')).toEqual([
      [1, "O'Brien;", 'ok', 1.5, '12345678901234567890.123', '00FF41', 1, '2024-01-01 00:00:00', '{a,b}'],
      [2, 'tab\there\nline \\ end', null, null, null, '', 0, null, null],
      [7, '007', 'sad', 2, '1', '', null, null, null],
    ]);
    expect(connection.all('SELECT typeof(data) FROM customer ORDER BY id')).toEqual([['blob'], ['null'], ['blob']]);
    expect(connection.all('SELECT * FROM audit_orders ORDER BY no')).toEqual([
      [2, 5, null],
      [7, 6, "it's\n\\"],
      [7, 8, 'plain \\ back'],
      [1, 9223372036854775807n, ''],
    ]);
    connection.run('INSERT INTO customer (mood) VALUES (NULL)');
    expect(connection.all('SELECT id, name, price, is_on FROM customer WHERE id > 7')).toEqual([[41, "x'y", -1.5, 1]]);
    expect(() => connection.run("INSERT INTO customer (name, price) VALUES ('z', -11)")).toThrow();
    expect(() => connection.run("INSERT INTO customer (name) VALUES ('007')")).toThrow();
    expect(
      connection.all(
        'SELECT "table", "from", "to", on_update, on_delete FROM pragma_foreign_key_list(\'audit_orders\')',
      ),
    ).toEqual([['customer', 'customer', 'id', 'CASCADE', 'SET NULL']]);
    expect(connection.all('SELECT t FROM names WHERE n = ?', ['007'])).toEqual([[7]]);
    expect(connection.one("SELECT sql FROM sqlite_schema WHERE name = 'orders_no'")).toEqual([
      'CREATE INDEX "orders_no" ON "audit_orders" (no DESC) WHERE (note IS NOT NULL)',
    ]);
  });
});

describe.each(PLACES)('what stands for something else, read by the %s engine', (_name, place) => {
  test('the tables that HeidiSQL makes in place of views are dropped, and nothing is listed', async () => {
    const { connection, contents } = await opened(
      place,
      `/*!50503 SET NAMES utf8mb4 */;
CREATE TABLE IF NOT EXISTS \`t\` (\`a\` int) ENGINE=InnoDB;
INSERT INTO \`t\` (\`a\`) VALUES (1);
DROP VIEW IF EXISTS \`v\`;
-- Creating temporary table to overcome VIEW dependency errors
CREATE TABLE \`v\` (\`a\` INT(10) NULL) ENGINE=MyISAM;
DROP VIEW IF EXISTS \`v\`;
-- Removing temporary table and create final VIEW structure
DROP TABLE IF EXISTS \`v\`;
CREATE ALGORITHM=UNDEFINED SQL SECURITY DEFINER VIEW \`v\` AS select \`t\`.\`a\` AS \`a\` from \`t\` ;
`,
    );
    expect(contents.sql!.statements).toEqual([]);
    expect(connection.all('SELECT a FROM v')).toEqual([[1]]);
  });

  test('indexes and families among the columns of CockroachDB are no columns', async () => {
    const { connection, contents } = await opened(
      place,
      `CREATE TABLE public.t (id INT8 NOT NULL, family VARCHAR(20), CONSTRAINT t_pkey PRIMARY KEY (id ASC),
INDEX i (family ASC), FAMILY "primary" (id, family));
INSERT INTO public.t (id, family) VALUES (1, 'x');
`,
      { dialect: 'postgresql' },
    );
    expect(connection.all('SELECT * FROM t')).toEqual([[1, 'x']]);
    expect(contents.notes.join()).toContain('within the definition of “t” was left out');
  });
});

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

  test('rows after COPY have the delimiter and the NULL that it names', async () => {
    const dump = `CREATE TABLE t (a text, b text);
COPY t (a, b) FROM stdin WITH DELIMITER AS ',' NULL AS '';
a\\,b\\\\,c
,\\N
\\.
COPY t FROM stdin WITH (DELIMITER '|', NULL 'none');
x\ty|none
\\.
COPY t FROM stdin WITH CSV;
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
});

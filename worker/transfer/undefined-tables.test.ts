import { expect, test } from 'vitest';
import { databaseOf, ENGINES } from '../export/export-fixture.test-suite.ts';
import { existingTables } from './existing-tables.ts';
import { opened, PLACES } from './transfer-fixture.test-suite.ts';

const [, place] = PLACES[0]!;
const existing = () =>
  existingTables(
    databaseOf(
      ENGINES[0]![1],
      'CREATE TABLE Items (id INTEGER PRIMARY KEY, code TEXT, data BLOB, flag BOOLEAN, twice AS (id * 2)); CREATE TABLE other (x);',
    ),
  );

test.each([
  ['sqlite', "INSERT INTO items (id, code) VALUES (1, '007');\nINSERT INTO items (id, code) VALUES (2, 8);", [[1, '007'], [2, 8]]],
  ['mysql', "INSERT INTO `items` (`id`, `code`) VALUES (1, 1.50),(2, 'it\\'s');", [[1, '1.50'], [2, "it's"]]],
  ['postgresql', 'COPY public.items (id, code) FROM stdin;\n1\t007\n2\t\\N\n\\.\n', [[1, '007'], [2, null]]],
  ['tsql', "INSERT [dbo].[items] ([id], [code]) VALUES (1, N'é')\nGO\n", [[1, 'é']]],
])('rows of %s without a definition are for the table that exists', async (dialect, dump, rows) => {
  const { connection, contents } = await opened(place, dump, { existing: existing() });
  expect(contents.sql).toMatchObject({ dialect, statements: [] });
  expect(contents.objects).toMatchObject([{ name: 'Items', rows: rows.length, isUndefined: true, columns: ['id', 'code'] }]);
  expect(connection.all('SELECT * FROM Items')).toEqual(rows);
  expect(contents.notes.join()).toContain('its rows are for the table of the database');
}); // prettier-ignore

test('rows without columns are those of the table that exists, by what its columns hold', async () => {
  const dump =
    "COPY public.items FROM stdin;\n1\tx\t\\\\x00ff\tt\n\\.\n\nINSERT INTO public.items VALUES (2, 'y', '\\x41', 'f');";
  const { connection, contents } = await opened(place, dump, { existing: existing() });
  expect(contents.sql!.statements).toEqual([]);
  expect(connection.all('SELECT id, code, hex(data), flag FROM Items')).toEqual([
    [1, 'x', '00FF', 1],
    [2, 'y', '41', 0],
  ]);
});

test('bits that MySQL wrote as bytes are those of a table that exists, whose name has a dot', async () => {
  const dump = '/*!40101 SET NAMES utf8mb4 */;\nCREATE TABLE `a.b` (`flags` bit(8));\n';
  const { connection } = await opened(place, dump);
  const rows = "/*!40101 SET NAMES utf8mb4 */;\nINSERT INTO `a.b` (`flags`) VALUES ('\\0'),('\x05');\n";
  const filled = await opened(place, rows, { existing: existingTables(connection) });
  expect(filled.contents.sql!.statements).toEqual([]);
  expect(filled.connection.all('SELECT flags FROM "a.b"')).toEqual([[0], [5]]);
});

test("rows of SQLite's own tables make none, and the rest is read", async () => {
  const dump = "INSERT INTO t (a) VALUES (1);\nINSERT INTO sqlite_sequence (name, seq) VALUES ('t', 5);\n";
  const { connection, contents } = await opened(place, dump);
  expect(contents.sql!.statements.map(({ line }) => line)).toEqual([2]);
  expect(connection.all('SELECT a FROM t')).toEqual([[1]]);
});

test('a table that is nowhere gets the columns of its rows, and statements that name none are listed', async () => {
  const dump =
    'INSERT INTO "new one" (a, "b c") VALUES (\'1\', 2);\nINSERT INTO "new one" VALUES (3, 4);\nINSERT INTO gone VALUES (1);\nINSERT INTO t (a) SELECT a FROM missing;';
  const { connection, contents } = await opened(place, dump);
  expect(contents.sql!.statements.map(({ line }) => line)).toEqual([3, 4]);
  expect(contents.objects.filter(({ rows }) => rows).map(({ name, isUndefined }) => [name, isUndefined])).toEqual([
    ['new one', true],
  ]);
  expect(connection.all('SELECT * FROM "new one"')).toEqual([
    ['1', 2],
    [3, 4],
  ]);
});

test('rows that refer to nothing are read, and told', async () => {
  const dump =
    'CREATE TABLE p (a PRIMARY KEY);\nCREATE TABLE k (p REFERENCES p);\nCREATE TABLE g (x REFERENCES gone(a));\nINSERT INTO k VALUES (1), (2);\nINSERT INTO p VALUES (1);\nINSERT INTO g VALUES (1);\n';
  const { contents } = await opened(place, dump);
  expect(contents.sql!.statements).toEqual([]);
  expect(contents.notes).toEqual([
    'Rows of “k” that refer to rows that do not exist: 1 (k.p = 2 (not in p)).',
    '“g” refers to the table “gone”, which is not in the file.',
  ]);
});

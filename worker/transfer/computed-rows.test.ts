// Rows of one INSERT, some of which have values that would have to be computed.
import { describe, expect, test } from 'vitest';
import { opened, PLACES } from './transfer-fixture.test-suite.ts';

describe.each(PLACES)('files of SQL read by the %s engine', (_name, place) => {
  test.each([
    ['mysql', 'INSERT INTO\n`t` VALUES', "(_latin1'2', NOW())", 'NOW()'],
    ['mysql', 'REPLACE INTO `t` (\n`a`, `b`) VALUES', "(2, CONVERT('x' USING latin1))", 'CONVERT()'],
    ['postgresql', 'INSERT INTO public.t\nVALUES', "(2, upper(E'\\n'))", 'upper()'],
    ['tsql', 'INSERT INTO [dbo].[t]\nVALUES', '(2, GETDATE())', 'GETDATE()'],
  ] as const)('%s: only rows that are more than literals are left out', async (dialect, insert, row, named) => {
    const dump = `CREATE TABLE t (a int, b varchar(20));
${insert} (1, 'a
b'),
  ${row},
(3, 'c');
${insert} (4, 'd');
`;
    const { connection, contents } = await opened(place, dump, { dialect });
    expect(connection.all('SELECT a, b FROM t')).toEqual([
      [1, 'a\nb'],
      [3, 'c'],
      [4, 'd'],
    ]);
    expect(contents.sql).toMatchObject({
      notUnderstood: 1,
      statements: [{ line: 5, text: row, reason: expect.stringContaining(named) }],
    });
  });

  test('a row that cannot be written exactly costs itself', async () => {
    const dump = `CREATE TABLE [dbo].[t] ([a] [int], [b] [varbinary](5))
GO
INSERT [dbo].[t] VALUES (1, 0x01), (0x02, 0x02),
 (3, 3), (4, NULL)
GO
`;
    const { connection, contents } = await opened(place, dump);
    expect(connection.all('SELECT a FROM t').flat()).toEqual([1, 4]);
    expect(contents.sql!.statements.map(({ line, text }) => [line, text])).toEqual([
      [3, '(0x02, 0x02)'],
      [4, '(3, 3)'],
    ]);
  });

  test('an INSERT without any row of literals is listed as one', async () => {
    const dump =
      'CREATE TABLE `t` (a int, b datetime) ENGINE=InnoDB;\nINSERT INTO `t` VALUES (1, NOW()),\n(2, NOW());\n';
    const { contents } = await opened(place, dump);
    expect(contents.sql).toMatchObject({ notUnderstood: 1, statements: [{ line: 2 }] });
  });

  test('functions of MySQL that only say how a literal is meant, as Adminer writes them', async () => {
    const dump = `CREATE TABLE \`t\` (\`p\` point, \`b\` bit(3), \`s\` text) ENGINE=InnoDB;
INSERT INTO \`t\` VALUES
(ST_GeomFromText('POINT(1 2)', ST_SRID(p)), CONVERT(b'101', UNSIGNED), CONVERT('é' USING utf8mb4)),
(GeomFromText('POINT(1 2)', 4326), CONV('11', 2, 10) + 0, CONVERT(0xc3a9 USING utf8)),
(ST_PointFromText('POINT(1 2)', 0), NULL, CONVERT(X'C3A9' USING utf8mb3)),
(ST_GeomFromText('POINT(1 2)', 4326, 'axis-order=long-lat'), NULL, NULL),
(ST_GeomFromText(b), NULL, NULL);
`;
    const { connection, contents } = await opened(place, dump);
    expect(connection.all('SELECT p, b, s FROM t')).toEqual([
      ['POINT(1 2)', 5, 'é'],
      ['SRID=4326;POINT(1 2)', 3, 'é'],
      ['POINT(1 2)', null, 'é'],
    ]);
    expect(contents.sql!.statements.map(({ line }) => line)).toEqual([6, 7]);
    expect(contents.notes).toContain(
      'Geometries of “t” are kept as the texts that the file has (WKT), not as bytes of MySQL.',
    );
  });
});

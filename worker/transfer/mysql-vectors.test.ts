import { expect, test } from 'vitest';
import { opened, PLACES } from './transfer-fixture.test-suite.ts';

test('vectors of MySQL and MariaDB are the bytes that they are, and their indexes are no columns', async () => {
  const dump = `CREATE TABLE \`v\` (
  \`id\` int(11) NOT NULL,
  \`e\` vector(2) NOT NULL,
  PRIMARY KEY (\`id\`),
  VECTOR KEY \`near\` (\`e\`) \`M\`=6 \`DISTANCE\`=cosine
) ENGINE=InnoDB;
INSERT INTO \`v\` VALUES (1,0x0000803F00000040),(2,X'0000803f00000040'),(3,_binary '\\0\\0\x80?\\0\\0\\0@');
`;
  const { connection, contents } = await opened(PLACES[0]![1], Buffer.from(dump, 'latin1'));
  expect(contents.sql).toMatchObject({ dialect: 'mysql', statements: [] });
  expect(connection.all('SELECT name FROM pragma_table_info(?)', ['v'])).toEqual([['id'], ['e']]);
  expect(connection.all('SELECT id, hex(e), typeof(e) FROM v')).toEqual(
    [1, 2, 3].map((id) => [id, '0000803F00000040', 'blob']),
  );
});

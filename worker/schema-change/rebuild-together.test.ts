import { expect, test } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import { changeSchema } from './change.ts';
import { asOnServer, endlessTurn, finish } from './engines.test-suite.ts';
import { Work } from './work.ts';

test('statistics outlive a table that is made anew on a server, which accepts no ANALYZE, except those of dropped indexes', () => {
  const connection = asOnServer.open();
  connection.run('CREATE TABLE t(id INTEGER PRIMARY KEY, a, b)');
  connection.run("INSERT INTO t(a, b) VALUES ('x', 1), ('x', 2), ('y', 3)");
  connection.run('CREATE INDEX by_a ON t(a)');
  connection.run('CREATE INDEX by_b ON t(b)');
  connection.run('CREATE TABLE other(a)');
  connection.run('INSERT INTO other VALUES (1)');
  connection.run('ANALYZE');
  connection.run("INSERT INTO sqlite_stat1 VALUES ('t', 'gone', '3 1')");
  const run = connection.run.bind(connection);
  Object.assign(connection, {
    isMetered: true,
    run: ((sql, params) => {
      if (sql.startsWith('ANALYZE')) throw new AppError({ code: 'sql', message: `Unsupported statement: ${sql}.` });
      return run(sql, params);
    }) satisfies typeof connection.run,
  });
  const changes = [
    {
      kind: 'change-table',
      table: 't',
      sql: 'CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b)',
      columns: ['id', 'a', 'b'],
    },
  ] as const;
  finish(changeSchema(new Work(endlessTurn(connection), () => undefined), changes));
  connection.run('COMMIT');
  expect(connection.all('SELECT tbl, idx, stat FROM sqlite_stat1 ORDER BY tbl, idx')).toEqual([
    ['other', null, '1'],
    ['t', 'by_a', '3 2'],
    ['t', 'by_b', '3 1'],
  ]);
  connection.close();
});

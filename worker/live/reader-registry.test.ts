// Tests the effect of a commit on the tables that windows have open: none, rows are read again, or order and positions are rebuilt.
import { describe, expect, it } from 'vitest';
import { openFixture, valuesOf } from '../operations/database-fixture.test-suite.ts';
import { readersOf } from './reader-registry.ts';

describe('an open table', () => {
  const SETUP = 'CREATE TABLE t(id INTEGER PRIMARY KEY, a, b); INSERT INTO t VALUES (1, 1, 1), (2, 2, 2), (3, 3, 3)';
  const views = {
    'the whole table': { sort: [], filter: [] },
    'a sorted list': { sort: [{ column: 'a', descending: false }], filter: [] },
    'a filtered list': { sort: [], filter: [], where: 'a > 1' },
  };

  it.each([
    ['UPDATE t SET b = 9', 'the whole table', 'told'],
    ['UPDATE t SET b = 9', 'a sorted list', 'told'],
    ['UPDATE t SET b = 9', 'a filtered list', 'told'],
    ['UPDATE t SET a = 9', 'the whole table', 'told'],
    ['UPDATE t SET a = 9', 'a sorted list', 'made anew'],
    ['UPDATE t SET a = 9', 'a filtered list', 'made anew'],
    ['UPDATE t SET a = a, b = b', 'the whole table', 'left alone'],
    ['UPDATE t SET a = a, b = b', 'a sorted list', 'left alone'],
    ['UPDATE t SET id = 9 WHERE id = 1', 'the whole table', 'made anew'],
    ['UPDATE t SET id = 9 WHERE id = 1', 'a sorted list', 'made anew'],
    ['DELETE FROM t WHERE id = 2', 'the whole table', 'told'],
    ['DELETE FROM t WHERE id = 2', 'a sorted list', 'made anew'],
    ['CREATE TABLE other(a)', 'the whole table', 'left alone'],
  ] as const)('%s: %s is %s', async (sql, view, expected) => {
    const fixture = openFixture(SETUP);
    const { reader } = await fixture.window.call('rows.open', { table: 't', ...views[view] });
    await fixture.window.call('rows.read', { reader, start: 0, count: 3 });
    fixture.window.events.length = 0;
    fixture.connection.run(sql);
    const told = fixture.window.count('rows.changed') > 0;
    const kept = readersOf(fixture.window.session).get(reader).extent.exact;
    expect(!told ? 'left alone' : kept ? 'told' : 'made anew').toBe(expected);
    fixture.close();
  });

  it.each([
    'ROLLBACK TO s',
    'ROLLBACK TO s; INSERT INTO other VALUES (1); COMMIT',
    'ROLLBACK; INSERT INTO other VALUES (1)',
  ])('is read again when rows that were seen are taken back by %s', async (sql) => {
    const fixture = openFixture('CREATE TABLE t(a); CREATE TABLE other(a)');
    const { reader } = await fixture.window.call('rows.open', { table: 't', sort: [], filter: [] });
    const rowCount = async () => (await fixture.window.call('rows.read', { reader, start: 0, count: 9 })).rows.rowCount;
    await fixture.window.call('query.run', { sql: 'BEGIN; SAVEPOINT s; INSERT INTO t VALUES (1)' });
    expect(await rowCount()).toBe(1);
    const told = fixture.window.count('rows.changed');
    await fixture.window.call('query.run', { sql });
    await expect.poll(() => fixture.window.count('rows.changed')).toBeGreaterThan(told);
    expect(await rowCount()).toBe(0);
    fixture.close();
  });

  it('is read again when a script takes back what was seen in one of its pauses', async () => {
    const fixture = openFixture('CREATE TABLE t(a); INSERT INTO t VALUES (1)');
    const other = fixture.newWindow('Window 2');
    const { reader } = await other.call('rows.open', { table: 't', sort: [], filter: [] });
    const value = async () => valuesOf((await other.call('rows.read', { reader, start: 0, count: 1 })).rows)[0]![1];
    const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000000) SELECT i FROM n';
    const script = fixture.window.call('query.run', { sql: `BEGIN; UPDATE t SET a = 2; ${numbers}; ROLLBACK` });
    // No timers: Node runs none while the worker keeps sending messages to itself.
    while ((await value()) !== 2);
    const told = other.count('rows.changed');
    await script;
    await expect.poll(() => other.count('rows.changed')).toBeGreaterThan(told);
    expect(await value()).toBe(1);
    fixture.close();
  });
});

import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { RUN_LIMITS } from '#shared/protocol/index.ts';
import { SQL_TAB_SCRIPTS, sqlTabScriptOf, statementCount } from '#shared/bench/speedtest1.ts';
import { isOfEngine, SQL_TAB_TESTS, sqlTabStatements } from './app-tests.ts';

const SIZE = 2;

it('each script runs by itself in an empty database and leaves what is compared', () => {
  for (const { text, check } of SQL_TAB_SCRIPTS) {
    const database = new Sqlite(':memory:');
    database.exec(text(SIZE));
    for (const sql of check) expect(Object.values(database.prepare(sql).get()!)[0]).toBeGreaterThan(0);
    database.close();
  }
});

it('the scripts have as many statements as they say, and more results than a tab keeps', () => {
  const [speedtest1, selects] = SQL_TAB_SCRIPTS;
  expect(speedtest1!.text(SIZE).match(/;\n/g)).toHaveLength(statementCount(SIZE));
  expect(selects!.text(25).split('\n')).toHaveLength(5_000);
  for (const { results } of SQL_TAB_SCRIPTS) expect(results(5)).toBeGreaterThan(RUN_LIMITS.results);
});

it('each text is run in the tab and on the engine alone', () => {
  const tests = SQL_TAB_TESTS.map(({ id }) => [id, isOfEngine(id), sqlTabScriptOf(id).id]);
  expect(tests).toEqual([
    ['speedtest1-tab', false, 'speedtest1'],
    ['speedtest1-engine', true, 'speedtest1'],
    ['selects-tab', false, 'selects'],
    ['selects-engine', true, 'selects'],
  ]);
  expect(sqlTabStatements('speedtest1-tab', SIZE)[0]!.sql).toMatch(/-- and \d+ characters more$/);
});

// The operations of the health page with a history, in the library and in place.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { failureOf } from './database-fixture.test-suite.ts';
import { disks } from './history-disks.test-suite.ts';
import { HistoryFixture } from './history-fixture.test-suite.ts';

const SCHEMA = `
  CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
  CREATE INDEX ta ON t (a);
  CREATE INDEX tab ON t (a, id);
  INSERT INTO t VALUES (1, 'one'), (2, 'two');`;

describe.each(disks)('health, $name', (disk) => {
  let fixture: HistoryFixture;
  beforeEach(() => {
    fixture = new HistoryFixture(SCHEMA, disk);
  });
  afterEach(() => fixture.close());

  test('looking changes nothing, is told to nobody, and makes no copy for the history', async () => {
    const [mark, told, files] = [fixture.connection.commitMark, fixture.told.length, disk.historyFiles()];
    let heard = 0;
    fixture.onChanged(() => heard++);
    await fixture.call('health.overview', {});
    await fixture.call('health.sizes', {});
    for (const check of ['structure', 'keys', 'values', 'text'] as const) await fixture.call('health.check', { check });
    expect([fixture.connection.commitMark, fixture.told.length, disk.historyFiles(), heard]).toEqual([
      mark,
      told,
      files,
      0,
    ]);
    expect(await fixture.steps()).toEqual([]);
  });

  test('a setting of the file and a mend are one step each, and undone', async () => {
    const before = fixture.dump;
    expect(await fixture.call('health.setPragma', { name: 'user_version', value: 7 })).toEqual({ value: '7' });
    expect(fixture.connection.one('PRAGMA user_version')).toEqual([7]);
    const { findings } = await fixture.call('health.check', { check: 'structure' });
    expect(findings.map(({ kind }) => kind)).toEqual(['redundant-index', 'no-statistics']);
    await fixture.run(findings[0]!.mends[0]!.sql);
    expect(await fixture.steps()).toHaveLength(2);
    await fixture.undo();
    await fixture.undo();
    expect(fixture.connection.one('PRAGMA user_version')).toEqual([0]);
    expect(fixture.dump).toBe(before);
  });

  test('settings of the connection are no step, and none is set inside a transaction', async () => {
    await fixture.call('health.setPragma', { name: 'recursive_triggers', value: 1 });
    expect(await fixture.steps()).toEqual([]);
    await fixture.run('BEGIN; INSERT INTO t VALUES (3, NULL)');
    const failure = await failureOf(fixture.call('health.setPragma', { name: 'user_version', value: 1 }));
    expect(failure).toMatchObject({ code: 'invalid', message: expect.stringContaining('transaction') });
    await fixture.run('ROLLBACK');
  });
});

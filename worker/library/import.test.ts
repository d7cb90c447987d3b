import { expect, test } from 'vitest';
import { STRANGE_SCHEMA } from '../engines/strange-schema.test-suite.ts';
import { MergeFixture } from './merge/merge-fixture.test-suite.ts';

test('a file is copied with objects that SQLite cannot use here, and they are named', async () => {
  const fixture = await MergeFixture.open(STRANGE_SCHEMA);
  expect(fixture.notes).toHaveLength(1);
  for (const name of ['“indexed”', '“keyed”', '“words”', '“unicase”']) expect(fixture.notes[0]).toContain(name);
  const all = 'SELECT type, name, sql FROM sqlite_schema ORDER BY name';
  expect(fixture.rows(all)).toEqual(fixture.rows(all, 'theirs'));
  expect(fixture.rows('SELECT * FROM indexed')).toHaveLength(3);
  fixture.close();
});

// Settings of an asynchronous engine: set in SQLite's order, read back in our words, unknown ones left out.
import { expect, test } from 'vitest';
import { pragmaDifferences, PROFILES } from '#shared/bench/profile.ts';
import { readPragmasLater, setPragmasLater } from './database.ts';

test('every setting is tried, in SQLite’s order, also after one that is refused', async () => {
  const tried: string[] = [];
  await setPragmasLater(async (sql) => {
    tried.push(sql);
    if (sql.includes('locking_mode')) throw new Error('no such pragma');
  }, PROFILES.full);
  expect(tried.slice(0, 4)).toEqual([
    'PRAGMA locking_mode = EXCLUSIVE',
    'PRAGMA page_size = 8192',
    'PRAGMA journal_mode = WAL',
    'PRAGMA synchronous = FULL',
  ]);
  expect(tried).toHaveLength(Object.keys(PROFILES.full).length);
});

test('what an engine answers is said, what it does not know is said to be unknown', async () => {
  const answers: Readonly<Record<string, unknown>> = {
    'PRAGMA journal_mode': 'delete',
    'PRAGMA synchronous': 1,
    'PRAGMA page_size': 8192,
    'PRAGMA cache_size': -65_536,
    'PRAGMA temp_store': 2,
    'PRAGMA foreign_keys': 1,
  };
  const found = await readPragmasLater(async (sql) => {
    if (sql === 'PRAGMA locking_mode') throw new Error('no such pragma');
    return answers[sql] ?? null;
  });
  expect(found).toEqual({
    journal_mode: 'delete',
    synchronous: 'normal',
    page_size: 8192,
    cache_size: -65_536,
    temp_store: 'memory',
    foreign_keys: true,
  });
  expect(pragmaDifferences(PROFILES.balanced, found).map(({ text }) => text)).toEqual([
    'journal_mode is delete instead of wal',
    'locking_mode is unknown instead of exclusive',
  ]);
});

import { expect, test } from 'vitest';
import { engineNamed, ENGINES, profileOf, referenceOf, usualEngines } from './engines.ts';
import {
  pragmaDifferences,
  pragmaFromSqlite,
  pragmaToSqlite,
  PRAGMA_NAMES,
  PROFILE_NAMES,
  PROFILES,
} from './profile.ts';
import { SUITES } from './suites.ts';

test('every engine is compared with one that exists, of its own storage and profile', () => {
  for (const run of PROFILE_NAMES) {
    for (const engine of ENGINES) {
      const reference = engineNamed(referenceOf(engine, run), run)!;
      expect(reference.storage).toBe(engine.storage);
      expect(profileOf(reference, run)).toBe(profileOf(engine, run));
    }
  }
});

test('short words mean the engine of the profile, unknown ones nothing', () => {
  expect(engineNamed('opfs', 'full')?.id).toBe('opfs-full');
  expect(engineNamed('native', 'memory')?.id).toBe('native-memory');
  expect(engineNamed('opfs-balanced', 'full')?.id).toBe('opfs-balanced');
  expect(engineNamed('toString', 'full')).toBeNull();
  expect(usualEngines('balanced').map(({ id }) => id)).toEqual(['opfs-balanced', 'native-balanced']);
});

test('a setting is the same after SQLite has written and read it', () => {
  const answers: Record<string, unknown> = { synchronous: 1, temp_store: 2, foreign_keys: 1 };
  const { balanced } = PROFILES;
  const found = Object.fromEntries(
    PRAGMA_NAMES.map((name) => [name, pragmaFromSqlite(name, answers[name] ?? balanced[name])]),
  );
  expect(pragmaDifferences(balanced, found)).toEqual([]);
  expect(pragmaDifferences(balanced, { ...found, page_size: 4096 })).toEqual([
    { pragma: 'page_size', text: 'page_size is 4096 instead of 8192' },
  ]);
  expect(pragmaToSqlite(balanced.foreign_keys)).toBe('ON');
});

test('sizes of suites ascend and hold those that are usual', () => {
  for (const { sizes, usualSizes, quickSize } of SUITES) {
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    for (const size of [...usualSizes, quickSize]) expect(sizes).toContain(size);
  }
});

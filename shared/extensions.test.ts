// What is said of a part of SQLite that is missing.
import { expect, test } from 'vitest';
import { missingText } from './extensions.ts';

test.each([
  ['module', 'vec0', 'sqlite-vec'],
  ['function', 'vec_distance_l2', 'sqlite-vec'],
  ['module', 'VirtualSpatialIndex', 'mod_spatialite'],
  ['function', 'ST_Intersects', 'mod_spatialite'],
  ['module', 'spellfix1', 'spellfix'],
  ['tokenizer', 'icu', 'ICU'],
  ['module', 'closure', 'ext/misc'],
] as const)('names what usually provides the %s %s', (kind, name, provider) => {
  expect(missingText({ kind, name })).toContain(`The ${kind} “${name}” is not part of SQLite. It usually comes with `);
  expect(missingText({ kind, name })).toContain(provider);
});

test.each(['status', 'stats_of', 'vector', 'icon'])('names nothing for a function like %s', (name) => {
  expect(missingText({ kind: 'function', name })).toContain('or the program that uses this database');
});

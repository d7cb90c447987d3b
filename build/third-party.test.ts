import { existsSync, readdirSync } from 'node:fs';
import { ENGINES } from '#shared/bench/engines.ts';
import type { EngineFiles } from '#shared/bench/engines.ts';
import { expect, test } from 'vitest';
import { inRoot } from './paths.ts';

/** Its package has no engine in it, so it is no dependency. */
const ADDED_BY_HAND = 'sqlite3';

const isThere = (name: string): boolean => existsSync(inRoot('node_modules', name));

function isFound(file: EngineFiles): boolean {
  if (file.way === 'bundled') return existsSync(inRoot(file.entry));
  if (file.way === 'packages') return [file.main, ...file.folders].every(isThere);
  return isThere(file.from) && readdirSync(inRoot('node_modules', file.from)).some((name) => file.files.test(name));
}

test('the files that engines need are where the table of engines says', () => {
  const missing = ENGINES.filter(({ id, files = [] }) => id !== ADDED_BY_HAND && !files.every(isFound));
  expect(missing.map(({ id }) => id)).toEqual([]);
});

import { existsSync, readdirSync } from 'node:fs';
import { ENGINES } from '#shared/bench/engines.ts';
import { expect, test } from 'vitest';
import { inRoot } from './paths.ts';

/** Its package has no engine in it, so it is no dependency. */
const ADDED_BY_HAND = 'sqlite3';

test('the files that engines need are where the table of engines says', () => {
  for (const { id, files = [] } of ENGINES) {
    if (id === ADDED_BY_HAND) continue;
    for (const file of files) {
      if (file.way === 'copied') {
        const names = readdirSync(inRoot('node_modules', file.from));
        expect(names.filter((name) => file.files.test(name)).length, `${id}: ${file.from}`).toBeGreaterThan(0);
      } else if (file.way === 'bundled') expect(existsSync(inRoot(file.entry)), `${id}: ${file.entry}`).toBe(true);
      else
        for (const name of [file.main, ...file.folders])
          expect(existsSync(inRoot('node_modules', name)), name).toBe(true);
    }
  }
});

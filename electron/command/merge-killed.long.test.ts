// `sidelite merge`, killed at moments from its start to its end: OUT, which is OURS, is then as it was, or whole as it is to be.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandFolders } from '../../build/bundled-command.test-suite.ts';
import type { CommandFolder } from '../../build/bundled-command.test-suite.ts';

const KILLS = 24;
const LIMIT_MS = 900_000;
const BASE = `CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT UNIQUE, price REAL);
  WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO item SELECT i, 'item ' || i, i / 2.0 FROM n;`;

let at: CommandFolder;
commandFolders((folder) => (at = folder));

test('a merge that is killed leaves its target old or new, and whole', { timeout: LIMIT_MS }, async () => {
  at.database('base.db', BASE);
  const ours = at.database('ours.db', `${BASE} UPDATE item SET price = 0 WHERE id % 3 = 0;`);
  at.database(
    'theirs.db',
    `${BASE} UPDATE item SET name = name || '!' WHERE id % 5 < 3; DELETE FROM item WHERE id % 7 = 0;`,
  );
  const before = readFileSync(ours);
  const merge = (target: string) => ['merge', 'base.db', 'ours.db', 'theirs.db', '-o', target];
  const startedAtMs = performance.now();
  expect((await at.run(merge('new.db'))).code).toBe(1);
  const tookMs = performance.now() - startedAtMs;
  const rowsOf = (name: string): readonly unknown[] => at.rows(name, 'SELECT id, name, price FROM item ORDER BY id');
  const after = rowsOf('new.db');
  for (let kill = 0; kill < KILLS; kill++) {
    writeFileSync(ours, before);
    const running = at.start(merge('ours.db'));
    const timer = setTimeout(() => running.child.kill('SIGKILL'), (tookMs * (kill + 0.5) * 1.1) / KILLS);
    await running.ended;
    clearTimeout(timer);
    if (readFileSync(ours).equals(before)) continue;
    expect(at.rows('ours.db', 'PRAGMA integrity_check')).toEqual([['ok']]);
    expect(rowsOf('ours.db')).toEqual(after);
  }
  // What a killed run has left does not disturb the next one.
  writeFileSync(join(at.folder, 'ours.db'), before);
  expect((await at.run(merge('ours.db'))).code).toBe(1);
  expect(rowsOf('ours.db')).toEqual(after);
});

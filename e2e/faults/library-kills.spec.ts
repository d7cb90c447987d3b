// Kills the app while it makes, copies and deletes databases: the library holds what was acknowledged, and every database opens.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { TABLES } from './load.ts';
import { Expected, startHousekeeping, visitLibrary } from './library-load.ts';
import { killCount, note, plannedRounds, ROUND_MS } from './rounds.ts';

/** Some megabytes, so that a copy takes a while. */
const ROWS =
  'WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 5000) INSERT INTO log SELECT 0, i, 1, 1, hex(randomblob(300)) FROM n';

test(`${killCount} kills leave the library as it was acknowledged`, async ({ idleApp }) => {
  test.setTimeout((killCount + 1) * ROUND_MS);
  const expected = new Expected();
  let page = await idleApp.start(
    makeDatabase(join(idleApp.folder, 'log.db'), { kind: 'sql', sql: `${TABLES}; ${ROWS}` }),
  );
  await expect(page.getByRole('button', { name: /^Database: / })).toHaveText(/^log/);
  expected.compare(await visitLibrary(page));
  const wrong: string[] = [];
  for (const { round, lifeMs } of plannedRounds()) {
    const before = expected.changes;
    await startHousekeeping(page, expected);
    await delay(lifeMs);
    const target = round % 2 === 0 ? 'all' : 'main';
    await idleApp.kill(target);
    page = await idleApp.start();
    const damage = [...expected.compare(await visitLibrary(page)), ...expected.refusals.splice(0)];
    note({
      workload: 'library',
      round,
      kind: target === 'all' ? 'app, library' : 'main, library',
      afterMs: lifeMs,
      acknowledged: expected.changes - before,
      unanswered: 0,
      lost: damage,
    });
    wrong.push(...damage);
  }
  expect(expected.changes).toBeGreaterThan(0);
  expect(wrong).toEqual([]);
});

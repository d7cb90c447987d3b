// Kills the host renderer, main or the whole app while it writes, and counts what was acknowledged and is lost: nothing.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Durability } from '../../shared/protocol/library.ts';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { inspect, startWriting, TABLES } from './load.ts';
import { killCount, note, plannedRounds, ROUND_MS } from './rounds.ts';

const TARGETS = ['host', 'main', 'app'] as const;
type Target = (typeof TARGETS)[number];

test(`${killCount} kills at random moments lose nothing that was acknowledged`, async ({ idleApp }) => {
  test.setTimeout((killCount + 1) * ROUND_MS);
  const lost: string[] = [];
  let total = 0;
  let page = await idleApp.start(makeDatabase(join(idleApp.folder, 'log.db'), { kind: 'sql', sql: TABLES }));
  for (const { round, lifeMs } of plannedRounds()) {
    const target = TARGETS[round % TARGETS.length]!;
    const durability: Durability = Math.floor(round / TARGETS.length) % 2 === 0 ? 'full' : 'balanced';
    await new AppWindow(page).opened('log');
    const acknowledged = await startWriting(page, round, durability);
    await delay(lifeMs);
    page = await kill(idleApp, target);
    const { commits, damage } = inspect(await exportOf(idleApp, new AppWindow(page), round), round);
    const gone = [...acknowledged].filter((commit) => !commits.has(commit));
    const wrong = [...gone.map((commit) => `commit ${commit}`), ...damage];
    note({
      workload: 'data',
      round,
      kind: `${target}, ${durability}`,
      afterMs: lifeMs,
      acknowledged: acknowledged.size,
      unanswered: [...commits].filter((commit) => !acknowledged.has(commit)).length,
      lost: wrong,
    });
    lost.push(...wrong);
    total += acknowledged.size;
    page = await idleApp.relaunch();
  }
  expect(total).toBeGreaterThan(0);
  expect(lost).toEqual([]);
});

/** Returns the window in which the database is open again. */
async function kill(app: SideliteApp, target: Target): Promise<AppWindow['page']> {
  if (target === 'host') {
    const pid = await app.electron.evaluate(({ webContents }) =>
      webContents
        .getAllWebContents()
        .find((contents) => contents.getURL().endsWith('/host.html'))!
        .getOSProcessId(),
    );
    process.kill(pid, 'SIGKILL');
    const page = await app.window();
    await expect(new AppWindow(page).messages).toContainText('rolled back');
    return page;
  }
  await app.kill(target === 'main' ? 'main' : 'all');
  return await app.start();
}

async function exportOf(app: SideliteApp, view: AppWindow, round: number): Promise<string> {
  await view.opened('log');
  const target = join(app.folder, `after-${round}.db`);
  await view.backUpTo(app, target);
  return target;
}

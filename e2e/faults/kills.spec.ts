// Kills the host renderer, main or the whole app while it writes, and counts what was acknowledged and is lost: nothing.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Durability } from '../../shared/protocol/library.ts';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { inspect, startWriting, TABLES } from './load.ts';
import type { Found } from './load.ts';
import { killCount, randomMoments, ROUND_MS } from './moments.ts';

const TARGETS = ['host', 'main', 'app'] as const;
type Target = (typeof TARGETS)[number];

interface Tally {
  kills: number;
  acknowledged: number;
  /** Finished, but the kill came before the answer. */
  unanswered: number;
  lost: number;
  damaged: number;
}

test(`${killCount} kills at random moments lose nothing that was acknowledged`, async ({ idleApp }) => {
  test.setTimeout((killCount + 1) * ROUND_MS);
  const nextMoment = randomMoments();
  const tallies = new Map<string, Tally>();
  let page = await idleApp.start(makeDatabase(join(idleApp.folder, 'log.db'), { kind: 'sql', sql: TABLES }));
  for (let round = 0; round < killCount; round++) {
    const target = TARGETS[round % TARGETS.length]!;
    const durability: Durability = Math.floor(round / TARGETS.length) % 2 === 0 ? 'full' : 'balanced';
    const lifeMs = nextMoment();
    await new AppWindow(page).opened('log');
    const acknowledged = await startWriting(page, round, durability);
    await delay(lifeMs);
    page = await kill(idleApp, target);
    const found = inspect(await exportOf(idleApp, new AppWindow(page), round), round);
    note(tallies, `${target}, ${durability}`, acknowledged, found);
    const lost = [...acknowledged].filter((commit) => !found.commits.has(commit));
    console.log(
      `${round + 1}: ${target}, ${durability}, after ${lifeMs} ms: ${acknowledged.size} acknowledged, ${found.commits.size} found`,
      ...(lost.length > 0 ? [`LOST ${lost.join(' ')}`] : []),
      ...found.damage,
    );
    page = await idleApp.relaunch();
  }
  console.table(Object.fromEntries(tallies));
  const all = [...tallies.values()];
  expect(all.reduce((sum, { acknowledged }) => sum + acknowledged, 0)).toBeGreaterThan(killCount);
  expect(all.filter(({ lost, damaged }) => lost + damaged > 0)).toEqual([]);
});

/** Answers the window in which the database is open again. */
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
  await app.answerSaveDialog(target);
  await view.command('Export to File');
  await expect(view.messages).toContainText('was exported');
  return target;
}

function note(tallies: Map<string, Tally>, name: string, acknowledged: ReadonlySet<number>, found: Found): void {
  const tally = tallies.get(name) ?? { kills: 0, acknowledged: 0, unanswered: 0, lost: 0, damaged: 0 };
  tallies.set(name, tally);
  tally.kills++;
  tally.acknowledged += acknowledged.size;
  tally.unanswered += [...found.commits].filter((commit) => !acknowledged.has(commit)).length;
  tally.lost += [...acknowledged].filter((commit) => !found.commits.has(commit)).length;
  tally.damaged += found.damage.length;
}

// The first figures of the health page of a large file in place: from the key to the frame that shows them, with the file in the memory of the
// system and without.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { AppWindow } from '../pages/app-window.ts';
import { LONG, numberOf, withApp } from './apps.ts';
import { timeUntil } from './in-page.ts';
import { quietMoment } from './machine.ts';
import type { Report } from './report.ts';

/** Makes about 3.2 GB, unless asked for less. */
const ROWS = numberOf('SIDELITE_HEALTH_ROWS', 64_000_000);
const ROUNDS = 6;

export async function measureHealth(report: Report): Promise<void> {
  await withApp('in place', async (app) => {
    const view = new AppWindow(await app.start(makeDatabase(join(app.folder, 'big.db'), { kind: 'big', rows: ROWS })));
    await view.opened('big');
    const times: Record<'cached' | 'cold', number[]> = { cached: [], cold: [] };
    for (let round = 0; round < ROUNDS; round++) {
      const from = round % 2 === 0 || !forgetFiles() ? 'cached' : 'cold';
      times[from].push(await firstFigures(view));
    }
    for (const [from, ms] of Object.entries(times))
      report.add(`health of a large file, ${from}: first figures`, 'ms', ms);
  });
}

async function firstFigures({ page, tabs }: AppWindow): Promise<number> {
  await page.keyboard.press('Control+p');
  await page.getByPlaceholder(/Go to anything|command/).fill('Show Health');
  await expect(page.getByRole('option').first()).toContainText('Show Health');
  await quietMoment();
  await page.evaluate(timeUntil, { event: 'keydown', selector: '.health-figures' });
  await page.keyboard.press('Enter');
  const took = await page.evaluate(() => window.timed!);
  // The count of every page is stopped: it reads the whole file.
  const stop = page.getByRole('toolbar', { name: 'Health' }).getByRole('button', { name: 'Stop' });
  await stop.click();
  await stop.waitFor({ state: 'detached', ...LONG });
  await page.keyboard.press('Control+w');
  await tabs.filter({ hasText: 'Health' }).waitFor({ state: 'detached' });
  return took;
}

/** Linux, as root: what was read of files is read from the disk again. Returns whether that could be asked for. */
function forgetFiles(): boolean {
  try {
    execFileSync('sync');
    writeFileSync('/proc/sys/vm/drop_caches', '3');
    return true;
  } catch {
    return false;
  }
}

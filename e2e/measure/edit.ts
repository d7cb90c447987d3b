// A cell is changed: how long until the grid shows the stored value, here and in a second window on the same table.
import type { Page } from '@playwright/test';
import { AppWindow } from '../pages/app-window.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { expectPainted, startWatch, takeMoments } from './in-page.ts';
import { quietMoment } from './machine.ts';
import type { Report } from './report.ts';
import { withBigTable } from './apps.ts';
import type { TableWindow } from './apps.ts';

const ROWS = 1_000_000;
const EDITS = 30;

export async function measureEdit(report: Report): Promise<void> {
  await withBigTable(ROWS, async (table) => {
    await quietMoment();
    const alone = await editSeveral(table, [table.page], 'alone');
    report.add('edit: Enter to value on screen', 'ms', alone[0]!);
    const second = await secondWindow(table);
    await quietMoment();
    const [own, other] = await editSeveral(table, [table.page, second], 'both');
    report.add('edit with two windows: in its own', 'ms', own!);
    report.add('edit with two windows: in the other', 'ms', other!);
  });
}

/**
 * Returns for each page the milliseconds from Enter to the new text in a frame.
 * @param goesOn whether there is another edit after so many; by default there are {@link EDITS}
 */
export async function editSeveral(
  { page, grid }: Pick<TableWindow, 'page' | 'grid'>,
  watched: readonly Page[],
  word: string,
  goesOn: (edits: number) => Promise<boolean> = (edits) => Promise.resolve(edits < EDITS),
): Promise<number[][]> {
  const times = watched.map((): number[] => []);
  for (let index = 0; await goesOn(index); index++) {
    const text = `${word} ${index}`;
    await grid.click(index % 10, 'name');
    await page.keyboard.press('F2');
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(text);
    // Set up beforehand, so that no listener misses the frame.
    for (const each of watched) await each.evaluate(expectPainted, { key: each === page ? 'Enter' : null, text });
    await page.keyboard.press('Enter');
    const moments = await Promise.all(watched.map((each) => each.evaluate(takeMoments)));
    for (const [place, { painted }] of moments.entries()) times[place]!.push(painted - moments[0]!.pressed);
  }
  return times;
}

/** Opens a second window with the same table, beside the first one on the screen. */
export async function secondWindow({ app }: TableWindow): Promise<Page> {
  await app.windows()[0]!.evaluate(() => window.sidelite.newWindow());
  const page = await app.window(1);
  await sideBySide(app);
  const view = new AppWindow(page);
  await view.openFromLibrary('big');
  await view.openTable('big');
  await page.evaluate(startWatch);
  return page;
}

async function sideBySide(app: SideliteApp): Promise<void> {
  for (const [index, page] of app.windows().entries()) {
    const browserWindow = await app.electron.browserWindow(page);
    await browserWindow.evaluate((window, x) => window.setBounds({ x, y: 0, width: 800, height: 1000 }), index * 800);
  }
}

// The app with one big table on the screen, ready to be measured.
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { AppWindow } from '../pages/app-window.ts';
import type { GridPage } from '../pages/grid-page.ts';
import { SideliteApp } from '../sidelite-app.ts';
import { startWatch } from './in-page.ts';

export interface TableWindow {
  readonly app: SideliteApp;
  readonly view: AppWindow;
  readonly page: Page;
  readonly grid: GridPage;
}

/** The row `n` of the table has the name `row number n`; rows count from 1. */
export async function withBigTable(rows: number, body: (table: TableWindow) => Promise<void>): Promise<void> {
  const app = new SideliteApp();
  try {
    const page = await app.start(makeDatabase(join(app.folder, 'big.db'), { kind: 'big', rows }));
    const view = new AppWindow(page);
    await view.opened('big');
    const grid = await view.openTable('big');
    await page.evaluate(startWatch);
    await grid.click(0, 'name');
    await body({ app, view, page, grid });
    if (app.problems.length > 0) throw new Error(app.problems.join('\n'));
  } finally {
    await app.dispose();
  }
}

// The app, started to be measured: with its folder, a storage for its databases, and one big table if asked for.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { AppWindow } from '../pages/app-window.ts';
import type { GridPage } from '../pages/grid-page.ts';
import { SideliteApp } from '../sidelite-app.ts';
import { startWatch } from './in-page.ts';

export const STORAGES = ['in place', 'library'] as const;
export type Storage = (typeof STORAGES)[number];

/** For work on gigabytes. */
export const LONG = { timeout: 900_000 };

/** A number that may be given as a variable of the environment. */
export const numberOf = (variable: string, usual: number): number => Number(process.env[variable] ?? usual);

export async function withApp<T>(storage: Storage, body: (app: SideliteApp) => Promise<T>): Promise<T> {
  const app = new SideliteApp();
  app.opensFiles = storage === 'in place' ? 'in-place' : 'copy';
  try {
    const result = await body(app);
    if (app.problems.length > 0) throw new Error(app.problems.join('\n'));
    return result;
  } finally {
    await app.dispose();
  }
}

/** The app with a database of this SQL. */
export function withDatabase<T>(
  storage: Storage,
  name: string,
  sql: string,
  body: (app: SideliteApp, view: AppWindow, file: string) => Promise<T>,
): Promise<T> {
  return withApp(storage, async (app) => {
    const file = makeDatabase(join(app.folder, `${name}.db`), { kind: 'sql', sql });
    return body(app, new AppWindow(await app.start(file)), file);
  });
}

export async function withFolder<T>(body: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'sidelite-measure-'));
  try {
    return await body(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export interface TableWindow {
  readonly app: SideliteApp;
  readonly view: AppWindow;
  readonly page: Page;
  readonly grid: GridPage;
}

/** The row `n` of the table has the name `row number n`; rows count from 1. */
export const withBigTable = (
  rows: number,
  body: (table: TableWindow) => Promise<void>,
  storage: Storage = 'library',
): Promise<void> =>
  withApp(storage, async (app) => {
    const page = await app.start(makeDatabase(join(app.folder, 'big.db'), { kind: 'big', rows }));
    const view = new AppWindow(page);
    await view.opened('big');
    const grid = await view.openTable('big');
    await page.evaluate(startWatch);
    await grid.click(0, 'name');
    await body({ app, view, page, grid });
  });

export async function secondsOf(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

// A small shop in a file that is opened in place, and another program on the same file.
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { makeDatabase } from '../data/make-database.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { AppWindow } from '../pages/app-window.ts';
import type { GridPage } from '../pages/grid-page.ts';

export const SHOP = `
  CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL);
  INSERT INTO item (name, price) VALUES ('ant', 1.5), ('bee', 2), ('cat', 3);
`;

export const makeShop = (app: SideliteApp, name = 'shop.db'): string =>
  makeDatabase(join(app.folder, name), { kind: 'sql', sql: SHOP });

interface Shop {
  readonly file: string;
  /** Another program: the process of the test. */
  readonly other: Sqlite.Database;
  readonly view: AppWindow;
  readonly grid: GridPage;
}

/** @param more SQL for the file before it is opened */
export async function openShop(app: SideliteApp, mode: 'wal' | 'delete' = 'wal', more = ''): Promise<Shop> {
  app.opensFiles = 'in-place';
  const file = makeShop(app);
  const other = new Sqlite(file);
  other.pragma(`journal_mode = ${mode}`);
  other.exec(more);
  const view = new AppWindow(await app.start(file));
  await view.opened('shop.db');
  return { file, other, view, grid: await view.openTable('item') };
}

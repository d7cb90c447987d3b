// A shop with a few items, for specs that import rows into it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { ImportPage } from '../pages/import-page.ts';
import type { TestedApp } from '../tested-app.ts';

export const SHOP = `CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL, stock INTEGER CHECK (stock >= 0));
  INSERT INTO item VALUES (1, 'ant', 1.5, 10), (2, 'bee', NULL, 20), (3, 'cat', 3.5, 30);`;

export async function openShop(app: TestedApp) {
  const view = new AppWindow(await app.start(makeDatabase(join(app.folder, 'shop.db'), { kind: 'sql', sql: SHOP })));
  await view.opened('shop');
  return { view, importing: new ImportPage(view) };
}

export function writeCsv(app: TestedApp, name: string, text: string): string {
  const path = join(app.folder, name);
  writeFileSync(path, text);
  return path;
}

/** Makes an import last, so that it cannot end before a person has done something: 5000 steps a row for minutes, 50 for seconds. */
export const slowTrigger = (steps: number): string =>
  `CREATE TRIGGER slow AFTER INSERT ON item BEGIN SELECT count(*) FROM (WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ${steps}) SELECT i FROM n); END;`;

/** The column `v` of the first row of the first result of an SQL text. */
export async function expectValue(view: AppWindow, sql: string, value: string): Promise<void> {
  await view.runSql(sql);
  await expect(view.grid('Rows of result 1').cell(0, 'v')).toHaveText(value);
}

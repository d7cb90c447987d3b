// The screens of importing, into the sample.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { SideliteApp } from '../sidelite-app.ts';
import type { AppWindow } from './app-window.ts';
import { ImportPage } from './import-page.ts';
import { ImportTablesPage } from './import-tables-page.ts';
import type { OnScreen } from './on-screen.ts';

/** Imports into a new table and an existing one, and shows the result with rows that could not be imported. */
export async function tourOfImport(app: SideliteApp, view: AppWindow, at: OnScreen): Promise<void> {
  const importing = new ImportPage(view);
  const file = join(app.folder, 'categories 2026-05.csv');
  writeFileSync(file, 'id,name,code,since\n100,Maps,007,31/12/2025\n1,Twice,008,1/2/2026\n101,Atlases,,\n');
  await importing.open(app, view, file);
  await importing.column('since').getByLabel('Values of since').selectOption({ index: 1 });
  await expect(importing.preview.cell(0, 'since')).toHaveText('2025-12-31');
  await at('import');
  await importing.page.getByRole('button', { name: 'More about code' }).click();
  await expect(importing.page.getByLabel('Expression')).toBeVisible();
  await at('import-column');
  await importing.page.keyboard.press('Escape');
  await importing.page.getByRole('button', { name: 'Add column' }).click();
  await at('import-added-column');
  await importing.page.getByRole('button', { name: 'Remove column' }).click();
  await importing.field('Table').selectOption('category');
  await importing.field('Rows').selectOption('Update by key');
  await expect(importing.column('id').getByRole('combobox')).toBeVisible();
  await importing.page.getByRole('button', { name: 'Not imported: 2 columns' }).click();
  await view.page.getByRole('menuitem', { name: 'Add since to the table' }).click();
  await expect(importing.column('since').getByLabel('Name of since')).toHaveValue('since');
  await at('import-existing');
  await importing.column('since').getByRole('button', { name: 'Do not import since' }).click();
  await importing.field('Rows').selectOption('Add rows');
  await importing.run();
  await expect(importing.problems.rows.first()).toBeAttached();
  await at('import-result');
  await view.command('Import Recipes');
  await expect(view.dialog.getByRole('list', { name: 'Recipes' }).getByRole('listitem').first()).toBeVisible();
  await at('import-recipes');
  await view.page.keyboard.press('Escape');
  await expect(view.dialog).toHaveCount(0);
  await importTables(app, view, at);
}

/** Imports a dump, part of which already exists and part of which is not understood. */
async function importTables(app: SideliteApp, view: AppWindow, at: OnScreen): Promise<void> {
  const importing = new ImportTablesPage(view);
  const file = join(app.folder, 'shop 2026-05.sql');
  const parts = [
    'CREATE TABLE category (id INTEGER PRIMARY KEY, name);',
    'CREATE TABLE added (a);',
    "INSERT INTO added VALUES ('x');",
  ];
  writeFileSync(file, [...parts, "ATTACH 'other.db' AS other;", 'PRAGMA synchronous = OFF;'].join('\n'));
  await importing.choose(app, view, file);
  await importing.read();
  await at('import-tables');
  await importing.run('1 table');
  await at('import-tables-result');
}

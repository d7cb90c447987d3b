// Comparing two schemas: of a library copy, a file in place, and a file of SQL; what differs is shown side by side.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { findings } from '../findings.ts';
import { AppWindow } from '../pages/app-window.ts';
import { HistoryPage } from '../pages/history-page.ts';
import { query } from '../support/compare-results.ts';
import type { SideliteApp } from '../sidelite-app.ts';

const PATIENT = { timeout: 30_000 };

const OLD = `
  CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, born TEXT);
  CREATE TABLE "log" (at, what);
  CREATE INDEX by_name ON person (name);
  CREATE VIEW names AS SELECT name FROM person;
  INSERT INTO person VALUES (1, 'Ann', '1990'), (2, 'Bob', '1985');
  INSERT INTO log VALUES (1, 'begun');`;
const NEW = `
  CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, birthday TEXT, note TEXT);
  CREATE TABLE pet (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES person (id));
  CREATE INDEX by_name ON person (name);
  CREATE VIEW names AS
    SELECT name -- only this
    FROM person;
  PRAGMA user_version = 7;`;

const MINE = `
  CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT);
  CREATE TABLE visits (who TEXT PRIMARY KEY, n);
  CREATE VIRTUAL TABLE notes USING fts5 (text);
  INSERT INTO notes VALUES ('a letter'), ('a parcel');
  INSERT INTO person VALUES (1, 'Ann'), (2, 'Bob'), (3, 'Cid');
  INSERT INTO visits VALUES ('Ann', 1), ('Bob', 2);`;
const THEIRS = `
  CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT);
  CREATE TABLE visits (who TEXT PRIMARY KEY, n);
  CREATE VIRTUAL TABLE notes USING fts5 (text);
  INSERT INTO notes VALUES ('a letter'), ('a parcel that came back');
  INSERT INTO person VALUES (1, 'Ann'), (2, 'Robert'), (4, 'Dan');
  INSERT INTO visits VALUES ('Bob', 20), ('Ann', 1);`;

const bar = (page: Page) => page.getByRole('toolbar', { name: 'Compare schemas' });
const tree = (page: Page) => page.getByRole('tree', { name: 'Differences' });

test(
  'a library copy is compared with a file in place and with a file of SQL, side by side',
  { tag: '@long' },
  async ({ idleApp }) => {
    const goal = makeDatabase(join(idleApp.folder, 'new.db'), { kind: 'sql', sql: NEW });
    const sql = join(idleApp.folder, 'goal.sql');
    writeFileSync(sql, `${NEW};\nCREATE TABLE broken (;\n`);
    const old = makeDatabase(join(idleApp.folder, 'old.db'), { kind: 'sql', sql: OLD });
    idleApp.opensFiles = 'ask';
    const view = new AppWindow(await idleApp.start());
    const { page } = view;
    await view.openFile(idleApp, old);
    await view.dialog.getByRole('button', { name: 'Library copy' }).click();
    await view.opened('old');
    await view.openFile(idleApp, goal);
    await view.dialog.getByRole('button', { name: 'In place' }).click();
    await view.opened('new.db');
    await view.command('Compare Schemas');
    await bar(page).getByLabel('From').selectOption({ label: 'old' });
    await bar(page).getByLabel('To').selectOption({ label: 'new.db' });
    await expect(bar(page).getByRole('status')).toHaveText('1 added, 1 removed, 2 changed, 2 the same', PATIENT);
    const row = (name: string | RegExp) => tree(page).getByRole('treeitem', { name });
    await expect(tree(page).getByRole('treeitem')).toHaveText([
      'logRemoved',
      'personChanged',
      'Drops the column “born” with its values',
      'Adds the column “birthday”',
      'Adds the column “note”',
      '“name” becomes NOT NULL',
      'petAdded',
      'OptionsChanged',
      'user_versionChanged',
    ]);
    // The keyboard alone.
    await tree(page).focus();
    await page.keyboard.press('End');
    await expect(page.getByRole('region', { name: 'Options' })).toContainText('PRAGMA user_version = 7');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    const texts = page.getByRole('region', { name: 'Both definitions' });
    await expect(texts).toContainText('name TEXT NOT NULL, birthday TEXT');
    await page.keyboard.press('ArrowLeft');
    await expect(row('person')).toHaveAttribute('aria-expanded', 'false');
    await expect(tree(page).getByRole('treeitem')).toHaveCount(5);
    await page.keyboard.press('ArrowRight');

    await page.getByRole('button', { name: /Treat as renamed: Column “born” → “birthday”/ }).click();
    await expect(row('Renames the column “born” to “birthday”')).toBeVisible();
    await page.getByLabel('Ignore comments, white space, and quotes').uncheck();
    await expect(row(/^names/)).toContainText('Changed');
    await page.getByLabel('Show objects that are the same').check();
    await expect(row(/^by_name/)).toContainText('Same');
    await page.getByLabel('Filter by name').fill('pet');
    await expect(tree(page).getByRole('treeitem')).toHaveText(['petAdded']);
    await page.getByLabel('Filter by name').fill('');

    // A file of SQL, which is read and not opened; then the other way around.
    await idleApp.answerOpenDialog(sql);
    await bar(page).getByLabel('To').selectOption({ label: 'SQL or SQLite file…' });
    await expect(page.getByRole('list', { name: 'Notes' })).toContainText('was left out', PATIENT);
    await expect(row(/^pet/)).toContainText('Added');
    await expect(row('Options')).toHaveCount(0);
    await bar(page).getByRole('button', { name: 'Swap sides' }).click();
    await expect(row(/^pet/)).toContainText('Removed');
    // Changes elsewhere are compared again.
    await bar(page).getByLabel('From').selectOption({ label: 'new.db' });
    await view.runSql('CREATE TABLE extra (who)');
    await view.tabs.filter({ hasText: 'Compare schemas' }).click();
    await row(/^extra/).click();
    await expect(row(/^extra/)).toContainText('Removed');
    await expect(texts).toContainText('extra (who)');
  },
);

test('a migration is tried on a copy, applied with a report, kept, and undone, on both engines', async ({
  idleApp,
}) => {
  const goal = makeDatabase(join(idleApp.folder, 'new.db'), { kind: 'sql', sql: NEW });
  idleApp.opensFiles = 'ask';
  const view = new AppWindow(await idleApp.start());
  const { page } = view;
  await view.openFile(idleApp, makeDatabase(join(idleApp.folder, 'old.db'), { kind: 'sql', sql: OLD }));
  await view.dialog.getByRole('button', { name: 'Library copy' }).click();
  await view.opened('old');
  await view.openFile(idleApp, goal);
  await view.dialog.getByRole('button', { name: 'In place' }).click();
  await view.opened('new.db');
  await view.command('Compare Schemas');
  await bar(page).getByLabel('From').selectOption({ label: 'old' });
  await bar(page).getByLabel('To').selectOption({ label: 'new.db' });
  await page.getByRole('button', { name: /Treat as renamed: Column “born”/ }).click(PATIENT);
  await page.getByRole('tab', { name: 'Migration' }).click();
  const steps = page.getByRole('list', { name: 'Steps' });
  const outcome = page.getByRole('region', { name: 'Outcome' });
  await expect(steps.getByLabel('Drop the table “log”')).not.toBeChecked();
  await expect(steps.getByLabel('Change the table “person”')).toBeChecked();
  await expect(outcome).toContainText('ALTER TABLE', PATIENT);
  expect(await findings(page, 'schema-compare-migration', 'light')).toEqual([]);
  await page.getByRole('button', { name: 'Try on a copy' }).click();
  await expect(outcome).toContainText(
    'The copy now matches “new.db” except for what you left out: table “log”.',
    PATIENT,
  );
  const script = join(idleApp.folder, 'migration.sql');
  await idleApp.answerSaveDialog(script);
  await page.getByRole('button', { name: 'Save as .sql…' }).click();
  await expect(view.messages).toContainText('was saved');
  expect(readFileSync(script, 'utf8')).toContain('BEGIN IMMEDIATE;');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('Done and checked')).toBeVisible(PATIENT);
  await expect(outcome).toContainText('“old” now matches “new.db” except for what you left out');
  await expect(steps.getByLabel('Change the table “person”')).toBeChecked();
  await page.getByRole('button', { name: 'Keep' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Change the table' })).toHaveCount(0, PATIENT);
  await page.getByRole('tab', { name: 'Differences' }).click();
  await expect(tree(page).getByRole('treeitem')).toHaveText(['logRemoved']);

  // The other way around, in the file in place: it gets the table with nothing in it, and one step of the history takes that back.
  await bar(page).getByRole('button', { name: 'Swap sides' }).click();
  await page.getByRole('tab', { name: 'Migration' }).click();
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(outcome).toContainText('“new.db” now matches “old”.', PATIENT);
  await page.getByRole('button', { name: 'Keep' }).click();
  await expect(page.getByText('There is nothing to change')).toBeVisible(PATIENT);
  await expect.poll(() => query(goal, "SELECT count(*) FROM sqlite_schema WHERE name = 'log'")).toEqual([[1]]);
  await view.command('Undo');
  await expect.poll(() => query(goal, "SELECT count(*) FROM sqlite_schema WHERE name = 'log'")).toEqual([[0]]);
  await expect(page.getByLabel('Create the table “log”')).toBeChecked(PATIENT);
});

/** The rows of a library copy on the left, and of a file in place on the right. */
async function openRows(app: SideliteApp) {
  const other = makeDatabase(join(app.folder, 'theirs.db'), { kind: 'sql', sql: THEIRS });
  app.opensFiles = 'ask';
  const view = new AppWindow(await app.start());
  const { page } = view;
  await view.openFile(app, makeDatabase(join(app.folder, 'mine.db'), { kind: 'sql', sql: MINE }));
  await view.dialog.getByRole('button', { name: 'Library copy' }).click();
  await view.opened('mine');
  await view.openFile(app, other);
  await view.dialog.getByRole('button', { name: 'In place' }).click();
  await view.opened('theirs.db');
  await view.command('Compare Schemas');
  await bar(page).getByLabel('From').selectOption({ label: 'mine' });
  await bar(page).getByLabel('To').selectOption({ label: 'theirs.db' });
  await page.getByRole('tab', { name: 'Rows' }).click();
  const compare = page.getByRole('button', { name: 'Compare rows' });
  const panel = page.getByRole('tabpanel', { name: 'Rows' });
  await compare.click();
  await expect(panel).toContainText(
    '3 tables compared: 1 only on the right, 3 different, 1 only on the left.',
    PATIENT,
  );
  return { other, view, page, compare, panel };
}

test(
  'rows of a library copy are compared with a file in place, saved as a patch, chosen, made the same, and undone',
  { tag: '@long' },
  async ({ idleApp }) => {
    const { view, page, compare, panel } = await openRows(idleApp);
    await expect(page.getByRole('table', { name: 'Rows that differ' })).toContainText('Robert');
    const patch = join(idleApp.folder, 'patch.sql');
    await idleApp.answerSaveDialog(patch);
    await panel.getByRole('button', { name: 'Save as patch…' }).click();
    await page.getByRole('menuitem', { name: /^SQL/ }).click();
    await expect(view.messages).toContainText('was saved to');
    expect(readFileSync(patch, 'utf8')).toContain(`UPDATE "person" SET "name" = 'Robert' WHERE "id" = 2;`);

    // Only what is chosen: one change, and nothing is deleted.
    const apply = panel.getByRole('button', { name: /^Apply/ });
    const kinds = panel.getByRole('group', { name: 'Rows to apply' });
    const differing = page.getByRole('table', { name: 'Rows that differ' });
    await kinds.getByLabel('Delete').uncheck();
    await kinds.getByLabel('Change').uncheck();
    await kinds.getByLabel('Add').uncheck();
    await expect(apply).toBeDisabled();
    await differing.getByRole('row').filter({ hasText: 'Robert' }).getByRole('checkbox').check();
    await expect(kinds.getByLabel('Change 1 of 3')).not.toBeChecked();
    await expect(differing.getByRole('checkbox', { checked: true })).toHaveCount(1);
    await expect(apply).toHaveText('Apply 1 of 5 rows to “mine”');
    await apply.click();
    // A message stays while the pointer is on it.
    await view.messages.getByRole('status').filter({ hasText: '1 row changed' }).hover(PATIENT);
    await compare.press('Enter');
    await expect(panel).toContainText('1 only on the right, 2 different, 1 only on the left.', PATIENT);
    await view.messages.getByRole('button', { name: 'Undo' }).click();
    await expect(panel).toContainText('has changed since the comparison');
    await compare.click();
    await expect(panel).toContainText('1 only on the right, 3 different, 1 only on the left.', PATIENT);
  },
);

test(
  'rows are made the same on both sides, found by other keys too, and undone',
  { tag: '@long' },
  async ({ idleApp }) => {
    const { other, view, page, compare, panel } = await openRows(idleApp);
    const deletions = panel.getByRole('group', { name: 'Rows to apply' }).getByLabel('Delete');
    await deletions.uncheck();
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      expect(await findings(page, 'compare-rows-chosen', theme)).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await deletions.check();
    // Apply to the library copy, and to the file in place.
    await panel.getByRole('button', { name: 'Apply to “mine”' }).click();
    await view.messages.getByRole('status').filter({ hasText: '5 rows changed' }).hover(PATIENT);
    await expect(panel).toContainText('has changed since the comparison');
    await compare.press('Enter');
    await expect(panel).toContainText('All rows of 3 tables are the same.', PATIENT);
    await view.messages.getByRole('button', { name: 'Undo' }).click();
    await expect(panel).toContainText('has changed since the comparison');
    await compare.click();
    await expect(panel).toContainText('3 tables compared: 1 only on the right, 3 different', PATIENT);
    await bar(page).getByRole('button', { name: 'Swap sides' }).click();
    await page.getByLabel('Table on the left').selectOption('person');
    await page.getByLabel('Key columns').fill('name');
    await compare.click();
    await expect(panel).toContainText(
      '1 table compared: 2 only on the right, 0 different, 2 only on the left.',
      PATIENT,
    );
    await page.getByLabel('Key columns').fill('');
    await compare.click();
    await expect(panel).toContainText(
      '1 table compared: 1 only on the right, 1 different, 1 only on the left.',
      PATIENT,
    );
    await panel.getByRole('button', { name: 'Apply to “theirs.db”' }).click();
    await expect.poll(() => query(other, 'SELECT id, name FROM person ORDER BY id')).toEqual([[1, 'Ann'], [2, 'Bob'], [3, 'Cid']]); // prettier-ignore
  },
);

test(
  'a database is compared with what it was before a step, and rows of then are brought back, on both engines',
  { tag: '@long' },
  async ({ idleApp }) => {
    idleApp.opensFiles = 'ask';
    const view = new AppWindow(await idleApp.start());
    const { page } = view;
    const history = new HistoryPage(page);
    for (const [answer, name] of [
      ['Library copy', 'copied'],
      ['In place', 'placed.db'],
    ] as const) {
      await view.openFile(
        idleApp,
        makeDatabase(join(idleApp.folder, `${name.split('.')[0]}.db`), { kind: 'sql', sql: MINE }),
      );
      await view.dialog.getByRole('button', { name: answer }).click();
      await view.opened(name);
      await view.runSql("BEGIN; DELETE FROM person WHERE id = 1; UPDATE person SET name = 'Rob' WHERE id = 2; COMMIT");
      await view.runSql('ALTER TABLE visits ADD COLUMN note TEXT');
      await history.show();
      await expect(history.step(/ALTER TABLE visits/)).toBeVisible();
      const step = await history.choose(/person/);
      await step.getByRole('button', { name: 'Compare with now' }).click();
      await expect(bar(page).getByLabel('To')).toHaveValue('chosen-version');
      const panel = page.getByRole('tabpanel', { name: 'Rows' });
      await page.getByLabel('Table on the left').selectOption('person');
      await page.getByRole('button', { name: 'Compare rows' }).click();
      await expect(panel).toContainText('1 only on the right, 1 different', PATIENT);
      await panel.getByRole('button', { name: `Apply to “${name}”` }).click();
      await expect(view.messages).toContainText('2 rows changed', PATIENT);
      await page.getByRole('button', { name: 'Compare rows' }).click();
      await expect(panel).toContainText('All rows of 1 table are the same.', PATIENT);
      // The schema of then, and that only the database as it is now can be changed.
      await page.getByRole('tab', { name: 'Differences' }).click();
      await expect(tree(page)).toContainText('Drops the column “note”');
      await bar(page).getByRole('button', { name: 'Swap sides' }).click();
      await page.getByRole('tab', { name: 'Migration' }).click();
      await expect(page.getByText('The left side is an earlier version. Swap the sides.')).toBeVisible();
    }
  },
);

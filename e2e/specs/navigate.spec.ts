// Following foreign keys, and going back and forward through the places of a window.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { boxOf } from '../support/settled.ts';

const RAILWAY = `PRAGMA foreign_keys = OFF; CREATE TABLE station (country TEXT, code INTEGER, name TEXT, PRIMARY KEY (country, code));
  CREATE TABLE stop (id INTEGER PRIMARY KEY, country TEXT, code INTEGER, at TEXT,
    FOREIGN KEY (country, code) REFERENCES station (country, code));
  INSERT INTO station VALUES ('FR', 1, 'Lyon'), ('IT', 1, 'Turin'), ('IT', 2, 'Milan');
  INSERT INTO stop VALUES (1, 'FR', 1, '9:00'), (2, 'IT', 1, '12:30'), (3, 'IT', 2, '14:10'), (4, NULL, 2, '?'), (5, 'IT', 9, '?');`;

test('a composite foreign key is shown, followed, and left again with Back and Forward', async ({ idleApp }) => {
  const view = new AppWindow(
    await idleApp.start(makeDatabase(join(idleApp.folder, 'railway.db'), { kind: 'sql', sql: RAILWAY })),
  );
  const { page } = view;
  const stop = await view.openTable('stop');
  const station = view.grid('Rows of station');
  const names = () => station.root.locator('[role=gridcell][data-column="name"]').allTextContents();
  const card = page.getByRole('dialog', { name: 'station' });

  await test.step('a card shows the row, with the keyboard and with the pointer', async () => {
    await stop.click(1, 'code');
    await page.keyboard.press('Alt+F12');
    await expect(card).toContainText('Turin');
    await page.keyboard.press('Escape');
    await expect(card).toHaveCount(0);
    await expect(stop.root).toBeFocused();
    const box = await boxOf(stop.cell(2, 'country'));
    await page.mouse.move(box.x + 10, box.y + 10);
    await expect(card).toContainText('Milan');
    await page.mouse.move(box.x + 10, box.y + 200);
    await expect(card).toHaveCount(0);
  });

  await test.step('a key that leads nowhere, and NULL', async () => {
    await stop.click(4, 'code');
    await page.keyboard.press('Alt+F12');
    await expect(card).toContainText('The referenced row does not exist');
    await page.keyboard.press('Escape');
    await expect(card).toHaveCount(0);
    await stop.click(3, 'code');
    await page.keyboard.press('F12');
    await expect(page.getByText('This cell does not refer to a row')).toBeVisible();
  });

  await test.step('F12 and Ctrl+Shift+click follow it', async () => {
    await stop.click(2, 'code');
    await page.keyboard.press('F12');
    await expect.poll(names).toEqual(['Milan']);
    await page.keyboard.press('Alt+ArrowLeft');
    await expect(stop.cell(2, 'code')).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.down('Control');
    await page.keyboard.down('Shift');
    await stop.click(0, 'country');
    await page.keyboard.up('Shift');
    await page.keyboard.up('Control');
    await expect.poll(names).toEqual(['Lyon']);
  });

  await test.step('Back and Forward go through filters, rows, and closed tabs', async () => {
    await page.getByRole('button', { name: 'Remove filter on country' }).click();
    await expect.poll(names).toEqual(['Lyon', 'Turin']);
    await station.click(1, 'name');
    await page.keyboard.press('Alt+ArrowLeft');
    await expect.poll(names).toEqual(['Lyon']);
    await page.keyboard.press('Alt+ArrowLeft');
    await expect(stop.cell(2, 'code')).toBeAttached();
    await page.keyboard.press('Alt+ArrowRight');
    await page.keyboard.press('Alt+ArrowRight');
    await expect.poll(names).toEqual(['Lyon', 'Turin']);
    await expect(station.cell(1, 'name')).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Control+w');
    await expect(stop.cell(2, 'code')).toBeAttached();
    await page.keyboard.press('Alt+ArrowLeft');
    await expect.poll(names).toEqual(['Lyon', 'Turin']);
  });
});

test(
  'Back and Forward work from any text, and a table that was left is shown as it has become in the meantime',
  { tag: '@long' },
  async ({ idleApp }) => {
    const view = new AppWindow(
      await idleApp.start(makeDatabase(join(idleApp.folder, 'railway.db'), { kind: 'sql', sql: RAILWAY })),
    );
    const { page } = view;
    const stop = await view.openTable('stop');

    await test.step('a table that was left for another is shown as it has become', async () => {
      const follow = async (): Promise<void> => {
        await stop.click(2, 'code');
        await page.keyboard.press('F12');
        await expect(view.grid('Rows of station').cell(0, 'name')).toHaveText('Milan');
      };
      const returnAfter = async (sql: string): Promise<void> => {
        await follow();
        await view.runSql(sql);
        await view.tabs.filter({ hasText: 'stop' }).click();
        await expect(stop.cell(2, 'code')).toBeAttached();
      };

      await returnAfter("UPDATE stop SET at = '15:45' WHERE id = 3; INSERT INTO stop VALUES (6, 'FR', 1, 'late')");
      await expect(stop.cell(2, 'at')).toHaveText('15:45');
      await expect(stop.cell(5, 'at')).toHaveText('late');
      await stop.edit(2, 'at', '16:00');
      await expect(stop.cell(2, 'at')).toHaveText('16:00');

      await returnAfter('ALTER TABLE stop ADD COLUMN platform DEFAULT 7');
      await expect(stop.cell(2, 'platform')).toHaveText('7');
      await expect(stop.cell(2, 'at')).toHaveText('16:00');
    });

    await test.step('Back and Forward work from any text, also from that of SQL tabs', async () => {
      await stop.click(2, 'code');
      await view.writeSql('SELECT name FROM station');
      await page.keyboard.type(' -- x');
      await expect(view.editor).toBeFocused();

      await page.keyboard.press('Alt+ArrowLeft');
      await expect(stop.cell(2, 'code')).toBeAttached();
      await page.keyboard.press('Alt+ArrowRight');
      await expect(view.editor).toBeFocused();
      await page.keyboard.type('y');
      await expect(view.editor).toHaveText('SELECT name FROM station -- xy');

      await page.keyboard.press('Alt+ArrowLeft');
      await stop.click(0, 'at');
      await page.keyboard.press('Control+Alt+f');
      await page.getByRole('textbox', { name: 'Filter by at' }).fill('12');
      await page.keyboard.press('Alt+ArrowRight');
      await expect(view.editor).toBeFocused();

      await page.keyboard.press('F1');
      const back = view.dialog.getByText(/^Back(?! Up)/);
      await expect(back).toHaveText('BackAlt ←');
    });
  },
);

// Limits of a plain browser: logs beside a database, a library that is kept, a page that may share memory.
import { copyFileSync, readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import Sqlite from 'better-sqlite3';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';

/** A database in WAL mode as a program leaves it that has it open: 3 rows in the file, 2 more in the log beside it. */
function withLog(path: string): string {
  const database = new Sqlite(`${path}.open`);
  database.pragma('journal_mode = wal');
  database.exec("CREATE TABLE pet (name TEXT); INSERT INTO pet VALUES ('ant'), ('bee'), ('cat')");
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.pragma('wal_autocheckpoint = 0');
  database.exec("INSERT INTO pet VALUES ('dog'), ('emu')");
  for (const end of ['', '-wal', '-shm']) copyFileSync(`${path}.open${end}`, path + end);
  database.close();
  return path;
}

async function choose(page: Page, ...paths: readonly string[]): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open file' }).first().click();
  await (await choosing).setFiles([...paths]);
}

test('a log chosen along with its database is imported with it', async ({ webPage }, testInfo) => {
  const file = withLog(testInfo.outputPath('pets.db'));
  await choose(webPage, `${file}-wal`, file, `${file}-shm`);
  const view = new AppWindow(webPage);
  await view.opened('pets');
  await expect(view.messages).toContainText('committed in it are part of the copy');
  await expect(view.messages).not.toContainText('may be missing');
  const grid = await view.openTable('pet');
  await expect(grid.cell(4, 'name')).toHaveText('emu');
});

test(
  'a database in WAL mode that was chosen alone may lack its latest changes, which is said',
  { tag: '@long' },
  async ({ webPage }, testInfo) => {
    const file = withLog(testInfo.outputPath('pets.db'));
    await choose(webPage, file);
    const view = new AppWindow(webPage);
    await view.opened('pets');
    await expect(view.messages).toContainText('“pets.db” may be missing its latest changes');
    await expect(view.messages).toContainText('open both files together');
    const grid = await view.openTable('pet');
    await expect(grid.cell(2, 'name')).toHaveText('cat');
  },
);

test('a log alone is no database, and it is said what to open', { tag: '@long' }, async ({ webPage }, testInfo) => {
  const file = withLog(testInfo.outputPath('pets.db'));
  await choose(webPage, `${file}-wal`);
  await expect(new AppWindow(webPage).dialog).toContainText('the write-ahead log (WAL) of a database');
});

test('files that are dropped together belong together', { tag: '@long' }, async ({ webPage }, testInfo) => {
  const file = withLog(testInfo.outputPath('pets.db'));
  const files = ['', '-wal'].map((end) => ({
    name: `pets.db${end}`,
    base64: readFileSync(file + end).toString('base64'),
  }));
  const view = new AppWindow(webPage);
  await view.connected();
  await webPage.evaluate((dropped) => {
    const transfer = new DataTransfer();
    for (const { name, base64 } of dropped)
      transfer.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true }));
  }, files);
  await view.opened('pets');
  const grid = await view.openTable('pet');
  await expect(grid.cell(4, 'name')).toHaveText('emu');
});

for (const answer of [false, true]) {
  test(
    `the browser is asked to keep the library once there is one; it says ${answer ? 'yes' : 'no'}`,
    { tag: answer ? '@long' : [] },
    async ({ webPage }, testInfo) => {
      await webPage.addInitScript((granted) => {
        const asked = window as unknown as { asked: number };
        asked.asked = 0;
        navigator.storage.persist = () => {
          asked.asked++;
          return Promise.resolve(granted);
        };
      }, answer);
      await webPage.reload();
      const times = (): Promise<number> => webPage.evaluate(() => (window as unknown as { asked: number }).asked);
      await expect(webPage.getByRole('button', { name: 'Open file' }).first()).toBeVisible();
      expect(await times()).toBe(0);
      await choose(webPage, withLog(testInfo.outputPath('pets.db')));
      await new AppWindow(webPage).opened('pets');
      await expect.poll(times).toBe(1);
      await webPage.keyboard.press('Control+l');
      const note = webPage.getByText('The browser may delete this library');
      await expect(webPage.getByRole('region', { name: 'Library' })).toBeVisible();
      await expect(note).toHaveCount(answer ? 0 : 1);
      expect(await times()).toBe(1);
    },
  );
}

test.describe('a page that may not share memory', () => {
  test('says which headers are missing', async ({ context }) => {
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.route('**/*', async (route) => {
      const response = await route.fetch();
      const headers = Object.fromEntries(
        Object.entries(response.headers()).filter(([name]) => !name.startsWith('cross-origin-')),
      );
      await route.fulfill({ response, headers });
    });
    await page.goto('/');
    await expect(page.getByRole('alert')).toContainText('Sidelite cannot start on this page');
    await expect(page.getByRole('alert')).toContainText('Cross-Origin-Opener-Policy: same-origin');
    expect(errors).toEqual([]);
  });

  test('says that its address is not secure', { tag: '@long' }, async ({ context, baseURL }) => {
    const page = await context.newPage();
    await page.route('http://sidelite.test/**', async (route) => {
      const { pathname } = new URL(route.request().url());
      await route.fulfill({ response: await route.fetch({ url: new URL(pathname, baseURL).href }) });
    });
    await page.goto('http://sidelite.test/');
    await expect(page.getByRole('alert')).toContainText('This address is not secure');
    await expect(page.getByRole('alert')).toContainText('http://localhost');
  });
});

test('a PDF is not shown in a browser, which says why', async ({ webPage }, testInfo) => {
  const path = testInfo.outputPath('documents.db');
  const database = new Sqlite(path);
  database.exec(
    "CREATE TABLE file (bytes BLOB); INSERT INTO file VALUES (CAST('%PDF-1.4 1 0 obj<</Type /Page>>' AS BLOB))",
  );
  database.close();
  await choose(webPage, path);
  const view = new AppWindow(webPage);
  await (await view.openTable('file')).click(0, 'bytes');
  const details = webPage.getByRole('complementary', { name: 'Details' });
  await expect(details).toContainText('A browser cannot keep it away from the network, so save it');
  await expect(details.getByRole('button', { name: 'Save PDF…' })).toBeVisible();
  await expect(details.getByRole('button', { name: 'Show pages' })).toHaveCount(0);
});

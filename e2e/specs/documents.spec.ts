// A PDF in a cell: its pages in a window of their own, which has access to nothing else.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { hostilePdf, makePdf } from '../data/pdf.ts';
import { findings } from '../findings.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { answerQuestions, questionsAsked } from '../support/message-boxes.ts';

test.use({ isAlone: true });

async function openFiles(app: SideliteApp, ...documents: readonly Buffer[]) {
  const values = documents.map((bytes, index) => `(${index + 1}, x'${bytes.toString('hex')}')`);
  const sql = `CREATE TABLE file (id INTEGER PRIMARY KEY, bytes BLOB); INSERT INTO file VALUES ${values.join(', ')};`;
  const view = new AppWindow(await app.start(makeDatabase(join(app.folder, 'files.db'), { kind: 'sql', sql })));
  const grid = await view.openTable('file');
  const details = view.page.getByRole('complementary', { name: 'Details' });
  const show = async (row: number): Promise<void> => {
    await grid.click(row, 'bytes');
    await details.getByRole('button', { name: 'Show pages' }).click();
  };
  return { view, details, show };
}

/** Titles of the document windows. */
const titles = (app: SideliteApp): Promise<string[]> =>
  app.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .filter((window) => window.webContents.getURL().startsWith('document:'))
      .map((window) => window.getTitle()),
  );

/**
 * Runs a script in the viewer of the document window, which is a page of Chromium inside the window's own. Undefined while there is none.
 */
const inViewer = (app: SideliteApp, script: string): Promise<unknown> =>
  app.electron.evaluate(async ({ BrowserWindow }, code) => {
    const frames = BrowserWindow.getAllWindows().flatMap(({ webContents }) => webContents.mainFrame.framesInSubtree);
    const viewer = frames.find(({ url }) => url.startsWith('chrome-extension:'));
    return viewer?.executeJavaScript(code).catch(() => undefined);
  }, script);

const TOOLBAR = `document.querySelector('pdf-viewer')?.shadowRoot?.querySelector('viewer-toolbar')`;
const PAGES = `${TOOLBAR}?.docLength`;
const PROBLEM = `document.querySelector('pdf-viewer')?.shadowRoot?.querySelector('viewer-error-dialog')?.shadowRoot
  ?.querySelector('[slot=body]')?.innerText`;

test('the pages of a PDF are shown in a window of their own, which closes with the window that asked', async ({
  idleApp: app,
}) => {
  const { view, details, show } = await openFiles(app, makePdf(['Hello', 'Second']));
  const { page } = view;
  await show(0);
  await expect(details).toContainText('PDF 1.4 document, 2 pages');
  await expect.poll(() => inViewer(app, PAGES)).toBe(2);
  expect(await titles(app)).toEqual(['file 1 · bytes']);
  expect(await findings(page, 'PDF in the details', 'light')).toEqual([]);

  await test.step('it has no preload, is sandboxed, and nothing of it is in the profile', async () => {
    const preferences = await app.electron.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows().filter(({ webContents }) =>
        webContents.getURL().startsWith('document:'),
      );
      type Known = { getLastWebPreferences(): Electron.WebPreferences };
      const { sandbox, contextIsolation, nodeIntegration, preload } = (
        window!.webContents as unknown as Known
      ).getLastWebPreferences();
      return { sandbox, contextIsolation, nodeIntegration, hasPreload: preload !== undefined };
    });
    expect(preferences).toEqual({ sandbox: true, contextIsolation: true, nodeIntegration: false, hasPreload: false });
    const stored = readdirSync(join(app.profile, 'Partitions'), { recursive: true, withFileTypes: true });
    for (const file of stored.filter((entry) => entry.isFile()))
      expect(readFileSync(join(file.parentPath, file.name), 'latin1')).not.toContain('%PDF');
  });

  await test.step('they close with the window', async () => {
    await view.command('New Window');
    await app.window(1);
    await page.evaluate(() => window.sidelite.closeWindow());
    await expect.poll(() => titles(app)).toEqual([]);
  });
});

test(
  'a window of pages has its toolbar however small it is, saves no files, and gives way to one of the same value',
  { tag: '@long' },
  async ({ idleApp: app }) => {
    const { details, show } = await openFiles(
      app,
      makePdf(['Hello', 'Second']),
      makePdf(['Third'], { padding: 5_000_000 }),
    );
    await show(0);
    await expect.poll(() => inViewer(app, PAGES)).toBe(2);

    await test.step('however small it is made, it has its toolbar', async () => {
      await app.electron.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()
          .find(({ webContents }) => webContents.getURL().startsWith('document:'))!
          .setSize(100, 100),
      );
      await expect.poll(() => inViewer(app, 'innerWidth')).toBeLessThan(500);
      expect(await inViewer(app, `${TOOLBAR}.getBoundingClientRect().height`)).toBeGreaterThan(0);
    });

    await test.step('it saves no files, and says where they are saved', async () => {
      await answerQuestions(app, 0);
      await inViewer(app, `${TOOLBAR}.shadowRoot.querySelector('viewer-download-controls').onDownloadClick_(); 0`);
      await expect.poll(() => questionsAsked(app)).toEqual([expect.stringContaining('choose “Save PDF…”')]);
    });

    await test.step('the same value again replaces it, and another one has its own', async () => {
      await details.getByRole('button', { name: 'Show pages' }).click();
      await show(1);
      // The one that is replaced goes a moment after the new one is there.
      await expect.poll(async () => (await titles(app)).sort()).toEqual(['file 1 · bytes', 'file 2 · bytes']);
      await expect.poll(() => inViewer(app, PAGES)).toBe(1); // longer than what the details have read
    });
  },
);

test(
  'a window that is closed while its print dialog is open is hidden until that has ended',
  { tag: '@long' },
  async ({ idleApp: app }) => {
    const { show } = await openFiles(app, makePdf(['Hello']));
    await show(0);
    await expect.poll(() => inViewer(app, PAGES)).toBe(1);
    // The dialog is one of the system, which no driver reaches. Chromium says this when it opens, and when it has ended: document-windows.ts.
    const say = (event: string, isVisible: boolean): Promise<unknown> =>
      app.electron.evaluate(
        ({ BrowserWindow }, said) => {
          const frames = BrowserWindow.getAllWindows()
            .filter((window) => window.isVisible() === said.isVisible)
            .flatMap(({ webContents }) => webContents.mainFrame.framesInSubtree);
          // The window itself has the address, and below it the frame with the pages.
          const [, pages] = frames.filter(({ url }) => url.startsWith('document:'));
          return pages?.executeJavaScript(
            `dispatchEvent(new Event('${said.event}')); 'sidelitePrinting' in globalThis`,
          );
        },
        { event, isVisible },
      );
    const windows = (): Promise<boolean[]> =>
      app.electron.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()
          .filter(({ webContents }) => webContents.getURL().startsWith('document:'))
          .map((window) => window.isVisible()),
      );
    const closeIt = (): Promise<void> =>
      app.electron.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()
          .find(({ webContents }) => webContents.getURL().startsWith('document:'))!
          .close(),
      );
    await expect.poll(() => say('beforeprint', true)).toBe(true);
    await closeIt();
    await expect.poll(windows).toEqual([false]);
    // It has had the time in which a window without a dialog goes away.
    await show(0);
    await expect.poll(async () => (await windows()).sort()).toEqual([false, true]);
    // Its window may go away before it has answered.
    void say('afterprint', false).catch(() => undefined);
    await expect.poll(windows).toEqual([true]);
    await closeIt();
    await expect.poll(windows).toEqual([]);
  },
);

test('a broken PDF says so', { tag: '@long' }, async ({ idleApp: app }) => {
  const { show } = await openFiles(app, Buffer.from('%PDF-1.4 and then nothing'));
  await show(0);
  await expect.poll(() => inViewer(app, PROBLEM)).toBe('Failed to load PDF document.');
});

test.describe('a hostile PDF', () => {
  test.use({ expectedProblems: /ERR_BLOCKED_BY_CLIENT/ });

  test('reaches nothing', { tag: '@long' }, async ({ idleApp: app }) => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url!);
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { show } = await openFiles(app, hostilePdf(address));
    await app.electron.evaluate(({ shell, app: main }) => {
      const tried: string[] = [];
      Object.assign(globalThis, { tried });
      shell.openExternal = (url) => Promise.resolve(void tried.push(`external ${url}`));
      shell.openPath = (path) => Promise.resolve((tried.push(`path ${path}`), ''));
      main.on('web-contents-created', (_event, contents) => {
        contents.on('will-navigate', (_navigation, url) => tried.push(`navigate ${url}`));
        contents.on('did-create-window', (_window, { url }) => tried.push(`window ${url}`));
      });
    });
    await show(0);
    await expect.poll(() => inViewer(app, PAGES)).toBe(1);
    // What the viewer does for a click on a link, and what it could do if the document had taken it over.
    await inViewer(app, `document.querySelector('pdf-viewer').navigator_.navigate('${address}/link', 1); 0`);
    await inViewer(app, `window.open('${address}/window'); new Image().src = '${address}/image'; 0`);
    const fetched = `fetch('${address}/fetch').then(() => 'answered', () => 'refused')`;
    expect(await inViewer(app, fetched)).toBe('refused');
    const tried = (): Promise<string[]> =>
      app.electron.evaluate(() => (globalThis as unknown as { tried: string[] }).tried);
    await expect.poll(tried).toEqual([`navigate ${address}/link`]);
    expect([asked, await titles(app), await inViewer(app, PAGES)]).toEqual([[], ['file 1 · bytes'], 1]);
    const log = readFileSync(join(app.profile, 'sidelite.log'), 'utf8');
    for (const name of ['image', 'fetch'])
      expect(log).toContain(`refused a request of a document for “${address}/${name}”`);
    server.close();
  });
});

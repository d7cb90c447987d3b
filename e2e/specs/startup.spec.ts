// How the app starts, is joined by a second start, comes back and ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../shared/commands.ts';
import { lateLocksScript } from '../data/late-lock.ts';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { listenToShell } from '../support/shell-in-page.ts';

test.use({ isAlone: true });

interface Place {
  readonly windowId: string;
  readonly windowTitle: string;
  readonly bounds: Electron.Rectangle;
}

async function places(app: SideliteApp): Promise<Place[]> {
  const infos = await Promise.all(app.windows().map((page) => page.evaluate(() => window.sidelite.windowInfo())));
  const bounds = await Promise.all(
    app
      .windows()
      .map(async (page) => (await app.electron.browserWindow(page)).evaluate((window) => window.getBounds())),
  );
  const all = infos.map(({ windowId, windowTitle }, index) => ({ windowId, windowTitle, bounds: bounds[index]! }));
  return all.sort((a, b) => a.windowTitle.localeCompare(b.windowTitle));
}

test('one window is visible, and the host is not', async ({ app }) => {
  const visible = () =>
    app.electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((window) => [
        new URL(window.webContents.getURL()).pathname,
        window.isVisible(),
      ]),
    );
  await expect
    .poll(async () => (await visible()).sort())
    .toEqual([
      ['/host.html', false],
      ['/index.html', true],
    ]);
});

test('the menu holds every command that has a place in it and sends it to the window in front', async ({
  app,
  page,
}) => {
  const ids = await app.electron.evaluate(({ Menu }) => {
    const items = (menu: Electron.Menu | undefined | null): Electron.MenuItem[] =>
      menu?.items.flatMap((item) => [item, ...items(item.submenu)]) ?? [];
    return items(Menu.getApplicationMenu()).map((item) => item.id);
  });
  // A few are reached by their own controls and the palette only.
  for (const command of COMMANDS.filter((each) => 'menu' in each)) expect(ids).toContain(command.id);
  await page.evaluate(listenToShell);
  await page.evaluate(() => window.sidelite.setCommandStates(['help.keys'], []));
  await app.menu('help.keys');
  await expect.poll(() => page.evaluate(() => window.heard)).toContain('help.keys');
});

test('a second start opens its file in the running app and ends', async ({ app, page }) => {
  const file = makeDatabase(join(app.folder, 'second start.db'), { kind: 'every-type' });
  await page.evaluate(listenToShell);
  const executable = await app.electron.evaluate(() => process.execPath);
  const second = spawn(executable, app.commandLine([file]), { stdio: 'ignore' });
  const [exitCode] = (await once(second, 'exit')) as [number];
  expect(exitCode).toBe(0);
  await expect.poll(() => page.evaluate(() => window.heard)).toContain('second start.db');
  expect(app.windows()).toHaveLength(1);
});

test('a file on the command line reaches the window', { tag: '@smoke' }, async ({ idleApp }) => {
  const file = makeDatabase(join(idleApp.folder, 'first start.db'), { kind: 'every-type' });
  const page = await idleApp.start(file);
  await expect(page.getByText('first start').first()).toBeVisible();
});

test(
  'a file on the command line is opened by a browser that takes seconds to grant the lock',
  { tag: '@long' },
  async ({ idleApp }) => {
    idleApp.preloads = [lateLocksScript(idleApp.folder, 3000)];
    const file = makeDatabase(join(idleApp.folder, 'patient.db'), { kind: 'every-type' });
    const page = await idleApp.start(file);
    const seen = page.evaluate(async () => {
      const texts = new Set<string>();
      while (document.querySelector('[role=grid]') === null) {
        // The page that says that nothing could be started is there, but hidden, until the window replaces it.
        const alert = document.querySelector('[role=alert]');
        texts.add(alert?.checkVisibility({ checkVisibilityCSS: true }) ? alert.textContent : '');
        await new Promise(requestAnimationFrame);
      }
      return [...texts];
    });
    await expect(page.getByRole('button', { name: /^Database: patient/ })).toBeVisible({ timeout: 30_000 });
    // No other process has the library open, so there was no such message.
    expect(await seen).toEqual(['']);
  },
);

test('a key pressed before the window is connected is not lost', { tag: '@long' }, async ({ idleApp }) => {
  idleApp.preloads = [lateLocksScript(idleApp.folder, 3000)];
  const file = makeDatabase(join(idleApp.folder, 'early.db'), { kind: 'every-type' });
  const page = await idleApp.start();
  await idleApp.answerOpenDialog(file);
  // Again, because nothing seems to happen.
  for (let press = 0; press < 2; press++) await page.keyboard.press('Control+o');
  await expect(page.getByRole('button', { name: 'Open file' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Database: early/ })).toBeVisible({ timeout: 30_000 });
  await page.keyboard.press('Control+l');
  await expect(page.getByRole('row', { name: /^early/ })).toHaveCount(1);
});

test(
  'a file that was asked for survives the page that was to open it, and is in the log when nobody opens it',
  { tag: '@long' },
  async ({ idleApp }) => {
    idleApp.opensFiles = 'ask';
    const file = makeDatabase(join(idleApp.folder, 'wanted.db'), { kind: 'every-type' });
    const page = await idleApp.start(file);
    const question = page.getByRole('alertdialog', { name: 'Open “wanted.db”' });
    await expect(question).toBeVisible();
    await reload(idleApp);
    await expect(question).toBeVisible();
    await idleApp.quit();
    expect(readFileSync(join(idleApp.profile, 'sidelite.log'), 'utf8')).toContain(
      `dropped the request to open ${file}: the app quits`,
    );

    await idleApp.start(file);
    await crash(idleApp);
    await expect.poll(() => inNewPage(idleApp, chooseCopy)).toBe(true);
    await expect
      .poll(() => inNewPage(idleApp, () => document.querySelector('[aria-label^="Database: wanted"]') !== null))
      .toBe(true);
    // It is in the library, so the next page is not asked for it again.
    await crash(idleApp);
    await expect.poll(() => inNewPage(idleApp, () => document.body.textContent)).toContain('wanted');
    await expect.poll(() => inNewPage(idleApp, chooseCopy)).toBe(false);
  },
);

test(
  'a command chosen in the menu while the page is gone is carried out by the next one',
  { tag: '@long' },
  async ({ app, page }) => {
    await expect(page.getByRole('button', { name: 'Open file' }).first()).toBeVisible();
    await crash(app, 'help.keys');
    await expect
      .poll(() => inNewPage(app, () => document.querySelector('[role=dialog]')?.textContent ?? ''))
      .toContain('Keyboard shortcuts');
  },
);

/** Runs in the page. Returns false while nothing is asked. */
function chooseCopy(): boolean {
  const choices = [...document.querySelectorAll<HTMLElement>('[role=alertdialog] button')];
  const copy = choices.find(({ textContent }) => textContent === 'Library copy');
  copy?.click();
  return copy !== undefined;
}

/** Reloads through main, without asking the page. */
async function reload(app: SideliteApp): Promise<void> {
  await app.electron.evaluate(async ({ BrowserWindow }) => {
    const { webContents } = BrowserWindow.getAllWindows().find((window) =>
      window.webContents.getURL().endsWith('/index.html'),
    )!;
    const loaded = new Promise<void>((resolve) => webContents.once('did-finish-load', () => resolve()));
    webContents.reload();
    await loaded;
  });
}

/** Ends the page of the window, and chooses an entry of the menu while there is none. */
async function crash(app: SideliteApp, commandId?: string): Promise<void> {
  await app.electron.evaluate(async ({ BrowserWindow, Menu }, id) => {
    const { webContents } = BrowserWindow.getAllWindows().find((window) =>
      window.webContents.getURL().endsWith('/index.html'),
    )!;
    const gone = new Promise<void>((resolve) => webContents.once('render-process-gone', () => resolve()));
    webContents.forcefullyCrashRenderer();
    await gone;
    if (id !== undefined) Menu.getApplicationMenu()?.getMenuItemById(id)?.click();
  }, commandId);
}

/** Runs through main: the driver does not follow a window past the crash of its page. A page that goes never answers: null. */
async function inNewPage(app: SideliteApp, run: () => unknown): Promise<unknown> {
  return app.electron.evaluate(
    async ({ BrowserWindow }, [code, timeoutMs]) => {
      const { webContents } = BrowserWindow.getAllWindows().find((window) =>
        window.webContents.getURL().endsWith('/index.html'),
      )!;
      if (webContents.isCrashed()) return null;
      const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), timeoutMs));
      return Promise.race([webContents.executeJavaScript(code) as Promise<unknown>, late]);
    },
    [`(${run.toString()})()`, 2000] as const,
  );
}

test('windows come back with their places and names', async ({ app, page }) => {
  await page.evaluate(() => window.sidelite.newWindow());
  await app.window(1);
  for (const [index, opened] of app.windows().entries()) {
    const browserWindow = await app.electron.browserWindow(opened);
    await browserWindow.evaluate(
      (window, x) => window.setBounds({ x, y: 60, width: 900, height: 600 }),
      40 + 120 * index,
    );
  }
  const before = await places(app);
  expect(before.map((place) => place.windowTitle)).toEqual(['Window 1', 'Window 2']);

  await app.relaunch();
  await app.window(1);
  await expect.poll(() => places(app)).toEqual(before);
});

test('a closed window stays closed; its number is used again', { tag: '@long' }, async ({ app, page }) => {
  await page.evaluate(() => window.sidelite.newWindow());
  const second = await app.window(1);
  await second.evaluate(() => void window.sidelite.closeWindow());
  await expect.poll(() => app.windows().length).toBe(1);
  await page.evaluate(() => window.sidelite.newWindow());
  const third = await app.window(1);
  expect(await third.evaluate(async () => (await window.sidelite.windowInfo()).windowTitle)).toBe('Window 2');
});

test('closing the last window ends the app in order', async ({ app, page }) => {
  const ended = app.electron.waitForEvent('close');
  // The page may be gone before it can say that it was asked.
  await Promise.all([ended, page.evaluate(() => void window.sidelite.closeWindow()).catch(() => undefined)]);
  const again = await app.start();
  expect(await again.evaluate(async () => (await window.sidelite.windowInfo()).crashes)).toBe(0);
});

test('after a kill the next start knows, and has its windows', async ({ app, page }) => {
  const { windowId } = await page.evaluate(() => window.sidelite.windowInfo());
  await expect.poll(() => existsSync(join(app.profile, 'windows.json'))).toBe(true);
  await app.kill();
  const again = await app.start();
  expect(await again.evaluate(() => window.sidelite.windowInfo())).toMatchObject({
    windowId,
    crashes: 1,
  });
});

test('a host that crashes is started again and windows get new ports', async ({ app, page }) => {
  await expect(page.getByRole('button', { name: 'Open file' }).first()).toBeVisible();
  await page.evaluate(() => {
    window.heard = [];
    window.addEventListener('message', ({ data }: MessageEvent<{ tag?: string; generation?: number }>) => {
      if (data.tag === 'sidelite:ports') window.heard.push(`generation ${data.generation}`);
    });
  });
  await app.electron.evaluate(({ BrowserWindow }) => {
    const host = BrowserWindow.getAllWindows().find((window) => window.webContents.getURL().endsWith('/host.html'));
    host?.webContents.forcefullyCrashRenderer();
  });
  await expect.poll(() => page.evaluate(() => window.heard)).toEqual(['generation 2']);
  await expect(page.getByText('The database was restarted.')).toBeVisible();
});

test('a window that crashes comes back as itself', async ({ app, page }) => {
  const { windowId } = await page.evaluate(() => window.sidelite.windowInfo());
  const idAfter = app.electron.evaluate(async ({ BrowserWindow }) => {
    const { webContents } = BrowserWindow.getAllWindows().find((window) =>
      window.webContents.getURL().endsWith('/index.html'),
    )!;
    const reloaded = new Promise<void>((resolve) => webContents.once('did-finish-load', () => resolve()));
    webContents.forcefullyCrashRenderer();
    await reloaded;
    return (await webContents.executeJavaScript('sidelite.windowInfo().then((info) => info.windowId)')) as string;
  });
  expect(await idAfter).toBe(windowId);
});

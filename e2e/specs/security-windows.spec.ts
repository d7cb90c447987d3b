// What belongs to one window is nothing to another: files it chose, files it opened in place, copies it compares with.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { makeShop, openShop } from '../support/shop-in-place.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { joinWire } from '../support/wire-in-page.ts';
import '../support/shell-in-page.ts';

test.use({ isAlone: true });

async function newWindow(app: SideliteApp): Promise<AppWindow> {
  await app.menu('file.newWindow');
  const view = new AppWindow(await app.window(1));
  await view.connected();
  return view;
}

/** How main names a file to pages: anyone who knows the path can compute the name. */
const locationIdFor = (path: string): string => createHash('sha256').update(path).digest('hex').slice(0, 16);

/** Gets a page to the worker without the app: it asks main for ports once more. */
async function takeWire({ page }: AppWindow): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        window.addEventListener('message', ({ data, ports: [port] }: MessageEvent<{ tag?: string } | null>) => {
          if (data?.tag !== 'sidelite:ports' || !port) return;
          window.dataPort = port;
          port.start();
          resolve();
        });
        void window.sidelite.connect();
      }),
  );
  await joinWire(page);
}

/** Asks on the port that the window itself uses; the refusal as text. */
const ask = (page: Page, op: string, params: object): Promise<unknown> =>
  page.evaluate(([name, value]) => window.ask(name, value).catch((error: Error) => error.message), [
    op,
    params,
  ] as const);

const inPlace = (page: Page, file: { readonly token: string } | { readonly locationId: string }): Promise<object> =>
  page.evaluate((chosen) => window.sidelite.openInPlace(chosen), file);

test('a file that was chosen in one window is refused to another, and the log says so', async ({ app, page }) => {
  await new AppWindow(page).connected();
  const shop = makeShop(app);
  await app.answerOpenDialog(shop);
  await app.answerSaveDialog(join(app.folder, 'out.db'));
  const tokens = await page.evaluate(async () => {
    const [source] = await window.sidelite.chooseFiles();
    const sink = await window.sidelite.chooseSaveTarget('out.db');
    return { source: source!.token, sink: sink!.token };
  });
  const other = await newWindow(app);
  await takeWire(other);
  expect(await ask(other.page, 'library.import', { source: tokens.source })).toContain('no longer open');
  expect(await ask(other.page, 'library.create', { name: 'mine' })).toMatchObject({ name: 'mine' });
  const [{ id }] = (await ask(other.page, 'library.list', {})) as [{ id: string }];
  await ask(other.page, 'database.open', { database: id });
  expect(await ask(other.page, 'library.export', { database: id, sink: tokens.sink })).toContain('no longer open');
  expect(await inPlace(other.page, { token: tokens.source })).toMatchObject({ missing: true });
  const log = readFileSync(join(app.profile, 'sidelite.log'), 'utf8');
  expect(log).toMatch(/window [\w-]{36} asked for “shop\.db”, which was chosen in another one/);
  expect(log).toMatch(/asked for “out\.db”, which was chosen in another one/);
  expect(await inPlace(page, { token: tokens.source })).toMatchObject({ file: { fileName: 'shop.db' } });
});

test('a file in place is another window’s only while the library lists it', { tag: '@long' }, async ({ idleApp }) => {
  const { other: program, view } = await openShop(idleApp);
  program.close();
  const second = await newWindow(idleApp);
  await takeWire(second);
  const entries = (await ask(second.page, 'library.list', {})) as [{ id: string; source: { locationId: string } }];
  const [
    {
      id: database,
      source: { locationId },
    },
  ] = entries;
  // It is not opened here yet, so it is not copied from here either.
  expect(await second.page.evaluate((id) => window.sidelite.comparisonCopySource(id), locationId)).toBeNull();
  expect(await inPlace(second.page, { locationId })).toMatchObject({ file: { fileName: 'shop.db' } });
  await second.page.close();
  await expect.poll(() => idleApp.windows().length).toBe(1);

  const third = await newWindow(idleApp);
  await takeWire(third);
  expect(await ask(third.page, 'library.removeFile', { database })).toBeNull();
  expect(await inPlace(third.page, { locationId })).toMatchObject({ missing: true });
  expect(await third.page.evaluate((id) => window.sidelite.revealSource(id), `${locationId}0`)).toBe(false);
  // Claiming that it is on the list, or using another name, does not help either.
  const lie = {
    database,
    file: { database, fileName: 'harmless.db', displayPath: '~', locationId },
    sizeBytes: 1,
  };
  expect(await ask(third.page, 'library.addFile', lie)).toContain('not open in this window');
  expect(await inPlace(third.page, { locationId })).toMatchObject({ missing: true });

  expect(await inPlace(view.page, { locationId })).toMatchObject({ file: { fileName: 'shop.db' } });
});

test('the native engine opens for a window what was opened in that window', async ({ idleApp }) => {
  const { file, other: program, view } = await openShop(idleApp);
  program.close();
  const { windowId } = await view.page.evaluate(() => window.sidelite.windowInfo());
  const second = await newWindow(idleApp);
  // The port to the native engine: the one over which the window asks for a file in place.
  await second.page.evaluate(() => {
    const post = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (this: MessagePort, ...args: unknown[]) {
      const { op, params } = (args[0] ?? {}) as { op?: string; params?: { database?: string } };
      if (op === 'database.open' && params?.database?.startsWith('file:')) window.dataPort ??= this;
      return post.apply(this, args as [unknown]);
    };
  });
  await second.openFile(idleApp, makeShop(idleApp, 'own.db'));
  await second.opened('own.db');
  await joinWire(second.page);
  const [shop, own] = [file, join(idleApp.folder, 'own.db')].map((path) => `file:${locationIdFor(path)}`);
  expect(await ask(second.page, 'database.open', { database: own })).toMatchObject({ entry: { name: 'own.db' } });
  expect(await ask(second.page, 'database.open', { database: shop })).toContain('not open in this window');
  await ask(second.page, 'session.begin', { windowId, windowTitle: 'Window 1' });
  for (const op of ['database.open', 'compare.openComparisonCopy'])
    expect(await ask(second.page, op, { database: shop })).toContain('not open in this window');
});

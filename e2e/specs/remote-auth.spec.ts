// A server that requires a token: none, a wrong one, one that expires while a database is open, one for reading only. And certificates.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { TEST_CERTIFICATES, TEST_KEY } from '../../build/sqld/test-certificates.ts';
import type { TestCertificate } from '../../build/sqld/test-certificates.ts';
import { makeTokens } from '../../build/sqld/test-tokens.ts';
import type { TokenMaker } from '../../build/sqld/test-tokens.ts';
import { AppWindow } from '../pages/app-window.ts';
import { expect, StoryServer, test as base } from '../server-fixtures.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { killEngine } from '../support/engine-process.ts';
import { asClient, SHOP } from '../support/server.ts';

const PATIENT = { timeout: 30_000 };

interface TokenFixtures {
  readonly tokens: TokenMaker;
  /** A token for everything. */
  readonly full: string;
  /** A server with two tables that requires a token. */
  readonly guardedServer: StoryServer;
}

const test = base.extend<TokenFixtures>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs
  tokens: async ({}, use) => {
    const tokens = makeTokens();
    await use(tokens);
    tokens.remove();
  },

  full: async ({ tokens }, use) => {
    await use(tokens.token({ access: 'rw' }));
  },

  guardedServer: async ({ tokens, full }, use) => {
    const server = await StoryServer.start(tokens.args);
    await asClient(server.url, full).run(...SHOP);
    await use(server);
    await server.remove();
  },
});

/** Enters the token in the open dialog. */
async function enterToken(view: AppWindow, token: string): Promise<void> {
  await view.dialog.getByLabel('Token', { exact: true }).fill(token);
}

async function connect(view: AppWindow, { address, token }: { address: string; token: string }): Promise<void> {
  await view.connected();
  await view.command('Connect to Server');
  await view.dialog.getByLabel('Address').fill(address);
  await view.dialog.getByLabel('Name').fill('Shop');
  await enterToken(view, token);
  await view.dialog.getByRole('button', { name: 'Connect', exact: true }).click();
}

test(
  'a token that is missing, wrong, or expired is named as the reason, and another one is entered in its place',
  { tag: '@long' },
  async ({ page, tokens, full, guardedServer: server }) => {
    const view = new AppWindow(page);
    await connect(view, { address: server.url, token: '' });
    const outcome = view.dialog.getByRole('status');
    const field = view.dialog.getByLabel('Token', { exact: true });
    await expect(outcome).toHaveText('The server requires a token.', PATIENT);
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(field).toBeFocused();
    await enterToken(view, `${full.slice(0, -8)}AAAAAAAA`);
    await expect(outcome).toBeEmpty();
    await expect(field).toHaveAttribute('aria-invalid', 'false');
    await page.keyboard.press('Enter');
    await expect(outcome).toContainText('The server does not accept the token.', PATIENT);
    await enterToken(view, tokens.token({ access: 'rw', expiresInS: -1 }));
    await page.keyboard.press('Enter');
    await expect(outcome).toHaveText('The token has expired.', PATIENT);
    // Saved all the same, it is not opened, and the way back is in the message.
    await view.dialog.getByRole('button', { name: 'Save anyway' }).click();
    await expect(view.messages).toContainText('“Shop” was not opened. The token has expired.', PATIENT);
    await view.messages.getByRole('button', { name: 'Edit connection' }).click();
    await enterToken(view, full);
    await view.dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await view.opened('Shop');
    await expect(view.messages).not.toContainText('expired');
    await expect((await view.openTable('item')).cell(0, 'name')).toHaveText('ant');
  },
);

test(
  'an edit with a token that has expired is kept as it was typed, and goes on with a new token',
  { tag: '@long' },
  async ({ app, page, tokens, guardedServer: server }) => {
    const later = makeTokens();
    // The token itself says that it has expired, which the server tolerates for a minute.
    const short = tokens.token({ access: 'rw', expiresInS: 60 });
    const fresh = later.token({ access: 'rw' });
    const client = asClient(server.url, fresh);
    const view = new AppWindow(page);
    await connect(view, { address: server.url, token: short });
    await view.opened('Shop');
    await view.writeSql("SELECT 'still here' AS kept");
    await page.keyboard.press('F5');
    await expect(view.grid('Result 1').cell(0, 'kept')).toHaveText('still here', PATIENT);
    const grid = await view.openTable('item');
    await expect(grid.cell(0, 'name')).toHaveText('ant');
    // With another key, the server no longer tolerates it.
    await server.kill();
    await server.startAgain(later.args);
    expect(await asClient(server.url, short).status()).toBe(401);
    await grid.edit(0, 'name', 'emu');
    await expect(grid.editor.getByRole('alert')).toContainText('The token has expired. Nothing was changed.', PATIENT);
    expect(await client.run('SELECT name FROM item WHERE id = 1')).toEqual(['ant']);
    await expect(view.messages).toContainText('The token of “Shop” has expired.');
    await view.messages.getByRole('button', { name: 'Edit connection' }).click();
    await enterToken(view, fresh);
    await view.dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(view.dialog).toHaveCount(0, PATIENT);
    await expect(view.messages).not.toContainText('has expired');
    const typed = page.getByRole('textbox', { name: 'Edit name' });
    await expect(typed).toHaveValue('emu');
    await typed.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => client.run('SELECT name FROM item WHERE id = 1'), PATIENT).toEqual(['emu']);
    // This restarted nothing.
    await expect(view.messages).not.toContainText('restarted');
    await view.tabs.filter({ hasText: 'Query 1' }).first().click();
    await expect(view.grid('Result 1').cell(0, 'kept')).toHaveText('still here');
    // The process that has the token crashes, and leaves nothing of it either.
    await killEngine(app, 'remote');
    await expect(view.messages).toContainText('The connection to “Shop” was restarted.', PATIENT);
    await view.tabs.filter({ hasText: 'item' }).first().click();
    await expect(grid.cell(0, 'name')).toHaveText('emu', PATIENT);
    await tellsNobody(app, page, [short, fresh]);
    later.remove();
  },
);

test(
  'a token for reading browses, an edit says why it is rejected, and the connection becomes read-only',
  { tag: '@long' },
  async ({ page, tokens, full, guardedServer: server }) => {
    const view = new AppWindow(page);
    await connect(view, { address: server.url, token: tokens.token({ access: 'ro' }) });
    await view.opened('Shop');
    const grid = await view.openTable('item');
    await expect(grid.cell(1, 'name')).toHaveText('bee');
    await grid.edit(0, 'name', 'emu');
    await expect(grid.editor.getByRole('alert')).toContainText(
      'The token does not allow this. It may be for reading only. Nothing was changed.',
      PATIENT,
    );
    expect(await asClient(server.url, full).run('SELECT name FROM item WHERE id = 1')).toEqual(['ant']);
    await view.messages.getByRole('button', { name: 'Mark as read-only' }).click();
    await expect(view.database).toHaveText(/on a server, read-only/, PATIENT);
    await expect(view.messages).not.toContainText('for reading only');
    await page.getByRole('textbox', { name: 'Edit name' }).press('Escape');
    await expect(grid.editor).toHaveCount(0);
    await grid.click(0, 'name');
    await page.keyboard.press('F2');
    await expect(view.status).toContainText('read-only');
    await expect(grid.editor).toHaveCount(0);
    await expect(grid.cell(2, 'name')).toHaveText('cat');
  },
);

test(
  'the memory images of a window and of main that crash do not hold the token',
  { tag: '@long' },
  async ({ idleApp: app, full, guardedServer: server }) => {
    test.skip(process.platform === 'win32', 'A crash is made by a signal.');
    const page = await app.start();
    const view = new AppWindow(page);
    await connect(view, { address: server.url, token: full });
    await view.opened('Shop');
    const grid = await view.openTable('item');
    await expect(grid.cell(0, 'name')).toHaveText('ant', PATIENT);
    const windowPid = await (
      await app.electron.browserWindow(page)
    ).evaluate(({ webContents }) => webContents.getOSProcessId());
    process.kill(windowPid, 'SIGSEGV');
    await expect.poll(() => app.crashDumps().length, PATIENT).toBe(1);
    await app.kill('main', 'SIGSEGV');
    await expect.poll(() => app.crashDumps().length, PATIENT).toBe(2);
    const images = app.crashDumps().map((file) => readFileSync(file, 'latin1'));
    for (const image of images) expect(image.startsWith('MDMP')).toBe(true);
    expect(images.map((image) => holds(image, [full]))).toEqual([false, false]);
  },
);

test(
  'a server whose certificate is not trusted, or has expired, is not connected to, and the dialog says why',
  { tag: '@long' },
  async ({ page, full }) => {
    const view = new AppWindow(page);
    await view.connected();
    await view.command('Connect to Server');
    for (const [certificate, sentence] of [
      ['selfSigned', 'The server signed its certificate itself'],
      // Expired, and of no authority that is trusted: Electron's own TLS names the latter first, Node's the former (`network-error.test.ts`).
      ['expired', /^The certificate of the server (?:has expired|is not signed by an authority)/],
    ] as const) {
      const { url, requests, end } = await serveEncrypted(certificate);
      await view.dialog.getByLabel('Address').fill(url);
      await enterToken(view, full);
      await view.dialog.getByRole('button', { name: 'Test connection' }).click();
      const outcome = view.dialog.getByRole('status');
      await expect(outcome).toContainText(sentence, PATIENT);
      await expect(outcome).toContainText('Nothing was sent, not even the token');
      expect(requests()).toBe(0);
      await end();
    }
  },
);

async function serveEncrypted(certificate: TestCertificate) {
  let requests = 0;
  const server = createServer({ key: TEST_KEY, cert: TEST_CERTIFICATES[certificate] }, (_request, reply) => {
    requests++;
    reply.end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const end = (): Promise<unknown> => new Promise((resolve) => server.close(resolve));
  return { url: `https://127.0.0.1:${port}`, requests: () => requests, end };
}

/** The tokens are in no page, no file of the profile, settings included, no crash report, and not in the log. */
async function tellsNobody(app: SideliteApp, page: Page, secrets: readonly string[]): Promise<void> {
  const view = new AppWindow(page);
  await page.keyboard.press('Control+,');
  await app.answerSaveDialog(join(app.folder, 'settings.json'));
  await page.getByRole('button', { name: 'Export…', exact: true }).click();
  await expect(view.messages).toContainText('The settings were exported.');
  const isFound = (text: string): boolean => holds(text, secrets);
  expect(isFound(await page.content())).toBe(false);
  expect(isFound(app.readLog())).toBe(false);
  const files = filesIn(app.folder);
  expect(files.filter((file) => isFound(readFileSync(file, 'latin1')))).toEqual([]);
}

/** Looks for one byte per character, and for two. */
function holds(text: string, secrets: readonly string[]): boolean {
  const wide = secrets.map((secret) => Buffer.from(secret, 'utf16le').toString('latin1'));
  return [...secrets, ...wide].some((secret) => text.includes(secret));
}

function filesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}

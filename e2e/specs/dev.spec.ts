// `npm run dev` in a copy of the sources: what is changed there arrives in the running app.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { evaluateIn, findPage } from '../support/debugged-page.ts';

const REPOSITORY = resolve(import.meta.dirname, '..', '..');
const COPIED = [
  'renderer',
  'worker',
  'shared',
  'electron',
  'build',
  'package.json',
  'package-lock.json',
  'LICENSE',
  'tsconfig.base.json',
];
const BUNDLE = ['app', 'electron', 'native', '.bundle-stamp'].map((part) => join('dist', part));
/** Bundles, or modules one by one, on a machine that runs another app beside it. */
const START_MS = 90_000;
const WINDOW = 'app://shell/index.html';
const HOST = 'app://shell/host.html';

let folder: string;
let dev: ChildProcess;
let output: string;

test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-dev-'));
  // Keep the timestamps, which show that the bundle was built from these sources.
  for (const name of [...COPIED, ...BUNDLE])
    cpSync(join(REPOSITORY, name), join(folder, name), { recursive: true, preserveTimestamps: true });
  symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'), 'junction');
});

test.afterEach(async () => {
  const testInfo = test.info();
  if (testInfo.status !== testInfo.expectedStatus)
    await testInfo.attach('npm run dev', { body: output, contentType: 'text/plain' });
  await endDev();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function endDev(): Promise<void> {
  if (dev.exitCode !== null) return;
  const ended = once(dev, 'exit');
  dev.kill('SIGTERM');
  await ended;
}

async function startDev(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  const args = [`--user-data-dir=${join(folder, 'profile')}`, `--remote-debugging-port=${port}`];
  dev = spawn(process.execPath, [join(folder, 'build', 'dev.ts'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  output = '';
  for (const stream of [dev.stdout, dev.stderr]) stream?.on('data', (text: Buffer) => (output += text.toString()));
  return port;
}

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(join(folder, file), 'utf8');
  expect(text).toContain(from);
  writeFileSync(join(folder, file), text.replace(from, to));
}

test('a change reaches the window, the worker and the app while they run', { tag: '@long' }, async () => {
  test.setTimeout(300_000);
  const port = await startDev();
  const inPage = async (page: string, expression: string): Promise<unknown> => {
    const target = await findPage(port, page);
    return target && (await evaluateIn(target, expression));
  };
  const poll = (page: string, expression: string): ReturnType<typeof expect.poll> =>
    expect.poll(() => inPage(page, expression), { timeout: START_MS, message: `${page}: ${expression}` });
  await poll(WINDOW, 'document.querySelector(".top-bar .brand")?.textContent').toBe('Sidelite');
  await poll(HOST, 'document.readyState').toBe('complete');

  await inPage(WINDOW, 'window.marked = true');
  edit('renderer/app/top-bar.tsx', 'className="brand">Sidelite', 'className="brand">Hot');
  await poll(WINDOW, 'document.querySelector(".top-bar .brand")?.textContent').toBe('Hot');
  expect(await inPage(WINDOW, 'window.marked')).toBe(true);

  await inPage(HOST, 'window.marked = true');
  writeFileSync(
    join(folder, 'worker', 'worker.ts'),
    `${readFileSync(join(folder, 'worker', 'worker.ts'), 'utf8')}\nself.name;\nconsole.debug('changed');\n`,
  );
  await poll(HOST, 'document.readyState + String(window.marked)').toBe('completeundefined');
  expect(await inPage(WINDOW, 'window.marked')).toBe(true);

  const before = await findPage(port, WINDOW);
  edit('electron/menu.ts', 'label: `&${name}`', 'label: `&${name}!`');
  await expect
    .poll(async () => (await findPage(port, WINDOW))?.id ?? before?.id, { timeout: START_MS })
    .not.toBe(before?.id);
  await poll(WINDOW, 'document.querySelector(".top-bar .brand")?.textContent').toBe('Hot');

  await endDev();
  // The app has ended before: it would still write to its profile. Windows has no signals.
  if (process.platform !== 'win32') await expect(fetch(`http://127.0.0.1:${port}/json`)).rejects.toThrow();
});

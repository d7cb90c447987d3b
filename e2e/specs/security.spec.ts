// Every promise of the security checklist that can be asserted from outside, in the real app.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { HelloInfo } from '../../shared/protocol/index.ts';
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import '../support/shell-in-page.ts';

test.use({ isAlone: true });

const SHELL_FUNCTIONS = [
  'assistants', 'bench', 'canRememberKeys', 'changeKey', 'changeSettings', 'chooseFiles', 'chooseSaveFolder', 'chooseSaveTarget', 'chooseSystemEntry', 'closeWindow', 'comparisonCopySource', 'connect', 'contentOf', 'createComparisonCopy', 'createEncrypted', 'exportSettings', 'extensions',
  'followSources', 'forgetInPlace', 'forgetKey', 'git', 'importSettings', 'maximizeWindow', 'minimizeWindow', 'newWindow', 'onAskedToClose', 'onBeforeClose', 'onFilesDropped', 'onMenuCommand', 'onOpenRequest', 'onSettingsChanged', 'onSourceTouched', 'onWindowSize',
  'openComparisonCopy', 'openInPlace', 'printToPdf', 'readClipboard', 'remote', 'removeComparisonCopy', 'replicas', 'revealSaved', 'revealSettings', 'revealSource', 'setCommandStates', 'setTitle', 'settings', 'showDocument', 'stopTrying', 'systemMenu', 'textFiles', 'unpacked', 'windowInfo',
  'writeClipboard',
  'writeClipboardImage',
]; // prettier-ignore

test('a page is isolated, has nothing of Node or Electron, opens nothing, and may do nothing', async ({
  app,
  page,
}) => {
  await test.step('page, host and worker are cross-origin isolated', async () => {
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    const host = await app.host();
    expect(await host.evaluate(() => crossOriginIsolated)).toBe(true);
    // What the worker reports about itself on connecting; the driver's own view of workers misses some in old Chromium.
    const hello = await host.evaluate(
      () =>
        new Promise<{ info: HelloInfo }>((resolve) => {
          const [data, control] = [new MessageChannel(), new MessageChannel()];
          data.port1.onmessage = (event) => resolve(event.data);
          window.postMessage({ tag: 'sidelite:client', windowId: 'spec' }, location.origin, [
            data.port2,
            control.port2,
          ]);
        }),
    );
    expect(hello.info).toMatchObject({ crossOriginIsolated: true, engine: { kind: 'wasm' } });
  });

  await test.step('every window, the hidden one included, is sandboxed and isolated from its preload', async () => {
    const preferences = () =>
      app.electron.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().map((window) => {
          type Known = { getLastWebPreferences(): Electron.WebPreferences | null };
          const { sandbox, contextIsolation, nodeIntegration } =
            (window.webContents as unknown as Known).getLastWebPreferences() ?? {};
          return { sandbox, contextIsolation, nodeIntegration };
        }),
      );
    const safe = { sandbox: true, contextIsolation: true, nodeIntegration: false };
    await expect.poll(preferences).toEqual([safe, safe]);
  });

  await test.step('a page has the functions of the shell and nothing of Node or Electron', async () => {
    const globals = await page.evaluate(() => ({
      shell: Object.keys(window.sidelite).sort(),
      // `bench` is the one group among them.
      kinds: [
        ...new Set(Object.values({ ...window.sidelite, ...window.sidelite.bench }).map((member) => typeof member)),
      ].sort(),
      node: ['require', 'process', 'module', 'Buffer', 'global', 'electron', 'ipcRenderer'].filter(
        (name) => name in window,
      ),
    }));
    expect(globals).toEqual({ shell: SHELL_FUNCTIONS, kinds: ['function', 'object'], node: [] });
  });

  await test.step('every response carries the policy, with a nonce of its own', async () => {
    const [first, second] = await page.evaluate(async () => {
      const headersOf = async (): Promise<Record<string, string>> =>
        Object.fromEntries((await fetch('/index.html')).headers);
      return [await headersOf(), await headersOf()] as const;
    });
    const nonce = /'nonce-([^']{22,})'/;
    expect(first['content-security-policy']?.replace(nonce, "'nonce-…'").split('; ').sort()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "font-src 'self'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "img-src 'self' data: blob:",
      'media-src blob:',
      "require-trusted-types-for 'script'",
      "script-src 'self' 'wasm-unsafe-eval'",
      "style-src 'self' 'nonce-…'",
      'trusted-types default',
      "worker-src 'self'",
    ]);
    expect(nonce.exec(first['content-security-policy']!)?.[1]).not.toBe(
      nonce.exec(second['content-security-policy']!)?.[1],
    );
    expect(first).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
  });

  await test.step('no page opens windows, and no link of one reaches the system', async () => {
    await app.electron.evaluate(({ shell }) => {
      const opened: string[] = [];
      Object.assign(globalThis, { opened });
      shell.openExternal = (url) => Promise.resolve(void opened.push(url));
    });
    const results = await page.evaluate(() =>
      ['https://example.com/a', 'mailto:a@example.com', 'app://shell/index.html', 'about:blank'].map(
        (url) => window.open(url) === null,
      ),
    );
    expect(results).toEqual([true, true, true, true]);
    expect(await app.electron.evaluate(() => (globalThis as unknown as { opened: string[] }).opened)).toEqual([]);
    expect(app.windows()).toHaveLength(1);
  });

  await test.step('no permission is granted', async () => {
    const states = await page.evaluate(async () => {
      const names = [
        'geolocation',
        'notifications',
        'camera',
        'microphone',
        'clipboard-read',
        'midi',
      ] as PermissionName[];
      const queried = await Promise.all(names.map(async (name) => (await navigator.permissions.query({ name })).state));
      return [...queried, await Notification.requestPermission()];
    });
    expect(new Set(states)).toEqual(new Set(['denied']));
  });
});

test.describe('attempts that Chromium reports on the console', () => {
  test.use({
    expectedProblems:
      /Content Security Policy|requires 'Trusted|status of 40[45]|Not allowed to (load local resource|navigate)/,
  });

  test('no code runs that was not shipped, and no page reads or goes anywhere else', async ({ app, page }) => {
    await test.step('eval, new Function and inline scripts do not run', async () => {
      const outcome = await page.evaluate(
        () =>
          // Out of a timer: what the test driver evaluates by itself is exempt from the policy.
          new Promise<string[]>((resolve) =>
            setTimeout(() => {
              const inline = (): void => {
                const script = document.createElement('script');
                script.append('document.title = "inline ran"');
                document.body.append(script);
              };
              const attempts = [() => (0, eval)('1'), () => new Function('return 1')(), inline];
              resolve(
                attempts.map((attempt) => {
                  try {
                    return `ran: ${String(attempt())}`;
                  } catch (error) {
                    return (error as Error).name;
                  }
                }),
              );
            }),
          ),
      );
      expect(outcome).toEqual(['EvalError', 'EvalError', 'TypeError']);
    });

    await test.step('no text becomes markup or names a script, in the window and in the host', async () => {
      const attempts = () => {
        const outcomeOf = (attempt: () => unknown): string => {
          try {
            attempt();
            return 'done';
          } catch (error) {
            return (error as Error).name;
          }
        };
        const types = (window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): unknown } })
          .trustedTypes;
        const script = document.createElement('script');
        return [
          outcomeOf(() => (document.createElement('div').innerHTML = '<b>x</b>')),
          outcomeOf(() => document.body.insertAdjacentHTML('beforeend', '<b>x</b>')),
          outcomeOf(() => new DOMParser().parseFromString('<b>x</b>', 'text/html')),
          outcomeOf(() => (document.createElement('iframe').srcdoc = '<b>x</b>')),
          outcomeOf(() => (script.text = '1')),
          outcomeOf(() => (script.src = 'https://example.com/a.js')),
          outcomeOf(() => new Worker(URL.createObjectURL(new Blob(['1'])))),
          outcomeOf(() => types.createPolicy('default', { createHTML: (text: string) => text })),
          outcomeOf(() => types.createPolicy('another', { createHTML: (text: string) => text })),
        ];
      };
      const refused = Array.from({ length: 9 }, () => 'TypeError');
      // Out of a timer, as above.
      const outcomes = (target: Page) =>
        target.evaluate(`new Promise((resolve) => setTimeout(() => resolve((${String(attempts)})())))`);
      expect(await outcomes(page)).toEqual(refused);
      expect(await outcomes(await app.host())).toEqual(refused);
    });

    await test.step('nothing outside the served folder, and nothing but reading', async () => {
      const answers = await page.evaluate(async () => {
        const paths = [
          '/%2e%2e%2f%2e%2e%2fpackage.json',
          '/..%2felectron%2fmain.cjs',
          '/..%5cmain.cjs',
          '/nothing.js',
          '/',
          '/assets/',
        ];
        const statuses = await Promise.all(paths.map(async (path) => (await fetch(path)).status));
        return [...statuses, (await fetch('/index.html', { method: 'POST', body: 'x' })).status];
      });
      expect(answers).toEqual([404, 404, 404, 404, 404, 404, 405]);
    });

    await test.step('a page can neither leave nor be replaced', async () => {
      const address = page.url();
      for (const target of [
        'https://example.com/',
        'file:///etc/passwd',
        'app://shell/host.html',
        'data:text/html,x',
      ]) {
        await page.evaluate((href) => {
          const link = document.createElement('a');
          link.href = href;
          document.body.append(link);
          link.click();
          location.href = href;
        }, target);
      }
      await expect.poll(() => page.evaluate(() => document.readyState)).toBe('complete');
      expect(page.url()).toBe(address);
      expect(app.windows()).toHaveLength(1);
    });
  });
});

test.describe('strangers', () => {
  // The second: a page that is destroyed in the middle of its start, as the driver tells it.
  test.use({
    expectedProblems:
      /not open to this page|could not do what this window requested|^error in app:\/\/shell\/index\.html: $/,
  });

  test('main answers only the main frame of its own windows', async ({ app }) => {
    const answers = await app.electron.evaluate(
      async ({ BrowserWindow }, preload) => {
        const ask = async (address: string): Promise<string> => {
          const stranger = new BrowserWindow({ show: false, webPreferences: { sandbox: true, preload } });
          await stranger.loadURL(address);
          const answer: unknown = await stranger.webContents.executeJavaScript(
            'sidelite.windowInfo().then(() => "answered", String)',
          );
          stranger.destroy();
          return String(answer);
        };
        return [await ask('data:text/html,stranger'), await ask('app://shell/index.html')];
      },
      resolve(import.meta.dirname, '../../dist/electron/preload.cjs'),
    );
    expect(answers).toEqual([
      expect.stringContaining('could not do what this window requested'),
      expect.stringContaining('could not do what this window requested'),
    ]);
    // Main keeps what it has not answered, and why.
    const log = readFileSync(join(app.profile, 'sidelite.log'), 'utf8');
    expect(log).toContain('dropped window.info: it came from “data:text/html,stranger”');
    expect(log).toContain('dropped window.info: it came from “app://shell/index.html”');
  });
});

// What a compromised page can ask for, and does not get.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { answerQuestions, questionsAsked } from '../support/message-boxes.ts';
import { forge } from '../support/forged-message.ts';
import { AppWindow } from '../pages/app-window.ts';
import '../support/shell-in-page.ts';

test.use({ isAlone: true });

test('a page neither gets nor saves a file by itself, and starts nothing', async ({ app, page }) => {
  await test.step('only a drop that the browser vouches for brings files', async () => {
    const view = new AppWindow(page);
    await view.connected();
    const real = join(app.folder, 'real.txt');
    writeFileSync(real, '');
    await page.evaluate(() => {
      window.heard = [];
      window.sidelite.onFilesDropped((files) =>
        window.heard.push(...files.map(({ name, file }) => `${name} ${file === null ? 'no file' : 'a file'}`)),
      );
      const data = new DataTransfer();
      const disguised = new File(['x'], 'passwd');
      Object.defineProperty(disguised, 'path', { value: '/etc/passwd' });
      data.items.add(disguised);
      for (const type of ['dragenter', 'dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    });
    await view.drop(real);
    // The real drop came later, so a made-up one would have been heard before it.
    await expect.poll(() => page.evaluate(() => window.heard)).toEqual(['real.txt a file']);
  });

  await test.step('what is no file on disk is not opened, whoever names it', async () => {
    await new AppWindow(page).connected();
    const socket = createServer();
    const path = join(app.folder, 'socket');
    await new Promise<void>((resolve) => socket.listen(path, resolve));
    const wrong = [path, '/dev/zero', 'relative.db', '/etc/passwd\0.db', join(app.folder, 'nothing.db'), 7, null];
    expect(await forge(app, 'file.dropped', wrong)).toEqual(wrong.map(() => null));
    expect(await forge(app, 'file.dropped', '/etc/passwd')).toEqual([]);
    socket.close();
  });

  await test.step('a page saves no file by itself', async () => {
    await new AppWindow(page).connected();
    await app.electron.evaluate(({ session }) => {
      const downloads: unknown[] = [];
      Object.assign(globalThis, { downloads });
      session.defaultSession.on('will-download', (event, item) => {
        downloads.push([item.getFilename(), event.defaultPrevented]);
        item.cancel();
      });
    });
    for (const address of ['blob', 'data:text/plain,x', 'app://shell/index.html'])
      await page.evaluate((href) => {
        const link = document.createElement('a');
        link.href = href === 'blob' ? URL.createObjectURL(new Blob(['x'])) : href;
        link.download = 'planted.sh';
        link.click();
      }, address);
    await expect
      .poll(() => app.electron.evaluate(() => (globalThis as unknown as { downloads: unknown[] }).downloads))
      .toEqual([1, 2, 3].map(() => ['planted.sh', true]));
    expect(readFileSync(join(app.profile, 'sidelite.log'), 'utf8')).toContain('refused the download of “planted.sh”');
  });

  await test.step('a window that does not measure starts and opens nothing', async () => {
    await new AppWindow(page).connected();
    const answers = await page.evaluate(async () => [
      await window.sidelite.bench.startApp({ profile: 'x', comparisonCopy: 'x', way: 'copy', cold: false }),
      await window.sidelite.bench.openWindow(),
    ]);
    expect(answers).toEqual([
      { why: expect.stringContaining('Only the window that runs the benchmark') },
      expect.stringContaining('Only the window that runs the benchmark'),
    ]);
  });
});

test.describe('a drop that nobody has made', () => {
  test.use({ expectedProblems: /Not allowed to load local resource/ });

  test('main opens without a question only files that Chromium has seen dropped', async ({ app, page }) => {
    const view = new AppWindow(page);
    await view.connected();
    await answerQuestions(app, 1);
    // An address that no drag has brought does not count as the report of a drop.
    expect(await page.evaluate(() => window.open('file:///etc/passwd'))).toBeNull();
    expect(await forge(app, 'file.dropped', ['/etc/passwd'])).toBeNull();
    const asked = await questionsAsked(app);
    const question = expect.stringMatching(/^Did you drop “passwd” on Window 1\?\n[^]*\/etc\/passwd$/);
    expect(asked).toEqual([question]);
    expect(readFileSync(join(app.profile, 'sidelite.log'), 'utf8')).toContain('Chromium reported no such drop');

    // On top of an editor, which would take the text of a drop, and two at once.
    const names = ['dropped one.sql', 'beside.sql'];
    const paths = names.map((name) => join(app.folder, name));
    for (const path of paths) writeFileSync(path, '-- text');
    await page.evaluate(() => {
      window.heard = [];
      window.sidelite.onFilesDropped((files) =>
        window.heard.push(...files.map(({ name, file }) => `${name} ${file === null ? 'no file' : 'a file'}`)),
      );
    });
    await view.openFile(app, makeDatabase(join(app.folder, 'own.db'), { kind: 'sql', sql: 'CREATE TABLE t (a)' }));
    await view.opened('own');
    await view.writeSql('SELECT 1;');
    await view.dropOn(view.editor, ...paths);
    await expect.poll(() => page.evaluate(() => window.heard)).toEqual(names.map((name) => `${name} a file`));
    await expect(view.editor).toHaveText('SELECT 1;');
    expect(app.windows()).toHaveLength(1);
    expect(await questionsAsked(app)).toHaveLength(asked.length);

    // A link of another program is not taken, and the window does not look as if it were.
    await page.evaluate(() =>
      window.addEventListener('dragover', ({ defaultPrevented, dataTransfer }) =>
        window.heard.push(`${String(defaultPrevented)} ${dataTransfer!.dropEffect}`),
      ),
    );
    await view.dragLink('https://example.com/');
    await expect.poll(() => page.evaluate(() => window.heard.at(-1))).toBe('true none');
    // The report of that drop is used up.
    expect(await forge(app, 'file.dropped', paths)).toBeNull();
    await answerQuestions(app, 0);
    expect(await forge(app, 'file.dropped', paths)).toEqual(
      names.map((fileName) => expect.objectContaining({ fileName })),
    );
  });
});

test('the clipboard is read by the window a person works in, and by no script', async ({ app, page }) => {
  await app.electron.evaluate(({ clipboard }) => clipboard.writeText('secret'));
  const read = (): Promise<string | null> => page.evaluate(() => window.sidelite.readClipboard());
  expect(await read()).toBeNull();
  await page.evaluate(() => {
    for (const type of ['keydown', 'pointerdown']) document.body.dispatchEvent(new Event(type, { bubbles: true }));
  });
  expect(await read()).toBeNull();
  const pasted = await page.evaluate(() => {
    const field = document.createElement('textarea');
    document.body.append(field);
    field.focus();
    const done = document.execCommand('paste');
    const { value } = field;
    field.remove();
    return [done, value];
  });
  expect(pasted).toEqual([false, '']);
  expect(await page.evaluate(() => navigator.clipboard.readText().catch((error: Error) => error.name))).toBe(
    'NotAllowedError',
  );

  await page.keyboard.press('Shift');
  await expect.poll(read).toBe('secret');
  // Another window is in front.
  await app.menu('file.newWindow');
  await app.window(1);
  const isFocused = (): Promise<boolean> =>
    app.electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()
        .filter((window) => window.webContents.getURL().startsWith('app://shell/index.html'))
        .sort((one, other) => one.id - other.id)[0]!
        .isFocused(),
    );
  await expect.poll(isFocused).toBe(false);
  expect(await read()).toBeNull();
  expect(await forge(app, 'clipboard.read', undefined)).toBeNull();
});

test.describe('addresses', () => {
  test.use({ expectedProblems: /Failed to load URL|Content Security Policy|ERR_/ });

  test('a redirect is not followed, and a sub-frame gets nothing', async ({ app, page }) => {
    await test.step('a redirect is not followed', async () => {
      await new AppWindow(page).connected();
      const asked: string[] = [];
      const server = createServer((request, response) => {
        asked.push(request.url!);
        if (request.url === '/begin') response.writeHead(302, { location: '/end' }).end();
        else response.end('arrived');
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/begin`;
      const outcome = await app.electron.evaluate(async ({ BrowserWindow }, url) => {
        // In a session of its own: in that of the app’s pages the first address would not be asked, either.
        const stranger = new BrowserWindow({ show: false, webPreferences: { sandbox: true, partition: 'stranger' } });
        const result = await stranger.loadURL(url).then(
          () => 'loaded',
          () => 'refused',
        );
        stranger.destroy();
        return result;
      }, address);
      server.close();
      expect([outcome, asked]).toEqual(['refused', ['/begin']]);
      expect(await page.evaluate((url) => fetch(url).catch((error: Error) => error.name), address)).toBe('TypeError');
      expect(asked).toHaveLength(1);
    });

    await test.step('a sub-frame has nothing of the shell, and main does not listen to it', async () => {
      await new AppWindow(page).connected();
      const inside = await page.evaluate(async () => {
        const load = (set: (frame: HTMLIFrameElement) => void): Promise<HTMLIFrameElement> =>
          new Promise((resolve) => {
            const frame = document.createElement('iframe');
            frame.onload = () => resolve(frame);
            set(frame);
            document.body.append(frame);
          });
        const own = await load((frame) => (frame.name = 'empty'));
        const shell = await load((frame) => (frame.src = 'app://shell/index.html'));
        return [typeof own.contentWindow!.sidelite, shell.contentDocument === null ? 'refused' : 'loaded'];
      });
      expect(inside).toEqual(['undefined', 'refused']);
      for (const channel of ['window.info', 'clipboard.read', 'dialog.chooseFiles', 'file.openInPlace'])
        expect(await forge(app, channel, {}, { from: 'sub-frame' })).toEqual({
          refused: expect.stringContaining('not open to this page'),
        });
    });
  });
});

test('what a second start says is read with care', async ({ app, page }) => {
  const view = new AppWindow(page);
  await view.connected();
  const listed = JSON.stringify({ request: 7 });
  await app.electron.evaluate(({ app: main }, request) => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const strange: unknown[] = [
      undefined, null, 7, 'text', [], {}, { request: null }, { request: '{' }, { request: '{"length": 9}' }, { request },
      { request: deep }, { request: '[null, 7, {}, ["/etc/passwd"], "", "/a.db", {"path": 7, "view": null}]' },
      { request: JSON.stringify(['relative.db', '-', '/a\0b', `/${'x'.repeat(100_000)}`].map((path) => ({ path, view: null }))) },
      { request: '[{"path": "/a.db"}, {"path": "/a.db", "view": {"table": ["t"], "where": "", "readOnly": false}}]' }, { get request(): string { throw new Error('boom'); } },
    ]; // prettier-ignore
    for (const data of strange)
      main.emit('second-instance', { preventDefault: () => undefined }, ['--open', '\0'], '/', data);
  }, listed);
  const file = makeDatabase(join(app.folder, 'second.db'), { kind: 'sql', sql: 'CREATE TABLE t (a, b, c)' });
  await app.electron.evaluate(
    ({ app: main }, request) => {
      main.emit('second-instance', { preventDefault: () => undefined }, [], '/', { request });
    },
    JSON.stringify([{ path: file, view: null }]),
  );
  await view.opened('second');
  await expect(view.dialog).toHaveCount(0);
  await expect(view.messages).not.toContainText(/not|gone/);
  expect(app.windows()).toHaveLength(1);
});

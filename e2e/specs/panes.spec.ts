// One part of the window fails: the others keep working, it says so, and it can be shown again. And how a crashed window comes back.
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { makeHostile } from '../data/hostile.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { keepState } from '../support/kept-state.ts';

const TABLES = `
  CREATE TABLE log (id INTEGER PRIMARY KEY, text TEXT); INSERT INTO log (text) VALUES ('first'), ('second');
  CREATE TABLE pictures (id INTEGER PRIMARY KEY, data); INSERT INTO pictures (data) VALUES ('no picture'),
    (X'89504E470D0A1A0A0000000D494844520000000100000001080200000090');`;

const open = async (app: SideliteApp, page: Page): Promise<AppWindow> => {
  const view = new AppWindow(page);
  await view.openFile(app, makeDatabase(join(app.folder, 'log.db'), { kind: 'sql', sql: TABLES }));
  await view.opened('log');
  return view;
};

test.describe('a part of the window fails', () => {
  // Each is logged, once, so that nothing fails unseen.
  test.use({ expectedProblems: /cannot be shown: Error: broken for the test/ });

  test('the others keep working, it says so, and it can be shown again', async ({ app, page }) => {
    const view = await open(app, page);

    await test.step('the details', async () => {
      const grid = await view.openTable('pictures');
      await page.evaluate(() => {
        // Each time: what the grid learns a moment later of the selected cell shows it again.
        const make = URL.createObjectURL;
        URL.createObjectURL = () => {
          throw new Error('broken for the test');
        };
        Object.assign(window, { mend: () => (URL.createObjectURL = make) });
      });
      await grid.click(1, 'data');
      const alert = page.getByRole('alert').filter({ hasText: 'The details cannot be shown' });
      await expect(alert).toContainText('Error: broken for the test');
      await expect.poll(() => app.problems.length).toBeGreaterThan(0);
      const other = app.problems.filter((text) => !text.includes('The details cannot be shown: Error: broken for the'));
      expect(other).toEqual([]);
      await page.evaluate(() => (window as unknown as { mend(): void }).mend());
      // The rest of the window works.
      await grid.edit(0, 'data', 'still edited');
      await expect(grid.cell(0, 'data')).toHaveText('still edited');
      // Shown again by what is selected next, or when asked.
      await expect(page.getByRole('complementary', { name: 'Details' })).toBeVisible();
      await expect(alert).toHaveCount(0);
    });

    await test.step('a tab, because its grid cannot be painted', async () => {
      const grid = await view.openTable('log');
      await grid.click(0, 'text');
      await page.evaluate(() => {
        const { prototype } = CanvasRenderingContext2D;
        const paint = prototype.fillText;
        prototype.fillText = function fillText(...args) {
          if (args[0] === 'second') throw new Error('broken for the test');
          paint.apply(this, args);
        };
        Object.assign(window, { mend: () => (prototype.fillText = paint) });
      });
      // Paints it, unless something else already has.
      await page.keyboard.press('ArrowDown');
      const alert = page.getByRole('alert').filter({ hasText: 'This tab cannot be shown' });
      await expect(alert).toContainText('Error: broken for the test');
      // Another tab, the tree and SQL keep working.
      await view.runSql("SELECT 'alive' AS state");
      await expect(view.grid('Rows of result 1').cell(0, 'state')).toHaveText('alive');
      await view.tabs.filter({ hasText: 'log' }).click();
      await expect(alert).toBeVisible();
      await page.evaluate(() => (window as unknown as { mend(): void }).mend());
      await alert.getByRole('button', { name: 'Reload this pane' }).click();
      await expect(view.grid('Rows of log').cell(1, 'text')).toHaveText('second');
    });

    await test.step('the list of objects and a dialog', async () => {
      await page.evaluate(() => {
        const { filter, sort } = Array.prototype;
        const isBroken = (list: readonly unknown[]): string | null => {
          if (list[0] instanceof Node) return null;
          const [first] = list as readonly { kind?: string; id?: string; sql?: string | null }[];
          const { broken } = window as unknown as { broken: string };
          if (broken === 'tree' && first?.kind === 'table' && 'sql' in first) return broken;
          return broken === 'dialog' && first?.id !== undefined && 'title' in first ? broken : null;
        };
        Array.prototype.sort = function broken(this: unknown[], compare) {
          if (isBroken(this)) throw new Error('broken for the test');
          return sort.call(this, compare);
        } as typeof sort;
        Array.prototype.filter = function broken(this: unknown[], ...args: unknown[]) {
          if (isBroken(this) === 'dialog') throw new Error('broken for the test');
          return filter.apply(this, args as never);
        } as typeof filter;
      });
      const breakIt = (broken: string): Promise<unknown> =>
        page.evaluate((what) => Object.assign(window, { broken: what }), broken);
      // It breaks on the key press and not before: the list is drawn for other reasons too, and would take the field with it.
      await page.evaluate(() =>
        window.addEventListener('input', () => Object.assign(window, { broken: 'tree' }), {
          capture: true,
          once: true,
        }),
      );
      await page.getByRole('searchbox', { name: /Find table/ }).fill('l');
      const alert = page.getByRole('alert').filter({ hasText: 'The list of objects cannot be shown' });
      await expect(alert).toBeVisible();
      await expect(view.grid('Rows of log').cell(0, 'text')).toHaveText('first');
      await breakIt('');
      await alert.getByRole('button', { name: 'Reload this pane' }).click();
      await expect(view.treeItem('log')).toBeVisible();
      await breakIt('dialog');
      await page.keyboard.press('F1');
      await expect(view.dialog).toContainText('The help cannot be shown');
      await breakIt('');
      await view.dialog.getByRole('button', { name: 'Close' }).click();
      await expect(view.dialog).toHaveCount(0);
      await page.keyboard.press('F1');
      await expect(view.dialog).toContainText('Keyboard shortcuts');
    });
  });
});

/** A page that crashed is lost to the driver, also when it is loaded again: the window is asked through main. */
class CrashedWindow {
  readonly #app: SideliteApp;

  constructor(app: SideliteApp) {
    this.#app = app;
  }

  async crash(): Promise<void> {
    await this.#app.electron.evaluate(({ webContents }) =>
      webContents
        .getAllWebContents()
        .find((contents) => contents.getURL().startsWith('app://shell/index.html'))!
        .forcefullyCrashRenderer(),
    );
  }

  /** Text of the first element that matches; '' while there is none. */
  async text(selector: string): Promise<string> {
    return (await this.#run(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? ''`)) as string;
  }

  async click(selector: string): Promise<void> {
    await expect.poll(() => this.text(selector)).not.toBe('');
    const at = (await this.#run(
      `(({ x, y, width, height }) => ({ x: Math.round(x + Math.min(width / 2, 40)), y: Math.round(y + height / 2) }))(document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`,
    )) as { x: number; y: number };
    await this.#app.electron.evaluate(({ webContents }, { x, y }) => {
      const contents = webContents
        .getAllWebContents()
        .find((each) => each.getURL().startsWith('app://shell/index.html'))!;
      for (const type of ['mouseDown', 'mouseUp'] as const)
        contents.sendInputEvent({ type, x, y, button: 'left', clickCount: 1 });
    }, at);
  }

  /** '' while there is no page: what is asked of one that dies is never answered. */
  #run(script: string): Promise<unknown> {
    return this.#app.electron.evaluate(
      ({ webContents }, [code, timeoutMs]) =>
        Promise.race([
          webContents
            .getAllWebContents()
            .find((contents) => contents.getURL().startsWith('app://shell/index.html'))!
            .executeJavaScript(code) as Promise<unknown>,
          new Promise((resolve) => setTimeout(() => resolve(''), timeoutMs)),
        ]),
      [script, 2000] as const,
    );
  }
}

const CELL = (row: number, column: string): string => `[role=gridcell][data-row="${row}"][data-column="${column}"]`;
const DETAILS = 'aside.details';
const MESSAGES = '[role=region][aria-label=Messages]';
const PATIENT = { timeout: 30_000 };

test(
  'a window that crashed comes back without its cell, and after a second crash without its tab',
  { tag: '@long' },
  async ({ idleApp }) => {
    test.setTimeout(120_000);
    const view = new AppWindow(await idleApp.start(makeHostile(join(idleApp.folder, 'hostile.db'))));
    await view.opened('hostile');
    const details = view.page.getByRole('complementary', { name: 'Details' });
    await expect(details).toContainText('cells 1');
    await view.grid('Rows of cells').click(0, 'value');
    await expect(details).toContainText('JSON');
    // Kept some time after it was opened.
    await keepState(view.page);

    const again = new CrashedWindow(idleApp);
    await again.crash();
    await expect.poll(() => again.text(MESSAGES), PATIENT).toContain('Nothing that was running was restarted');
    await expect.poll(() => again.text(CELL(1, 'what'))).toBe('3 MB of nested objects');
    await expect.poll(() => again.text(DETAILS)).toContain('Select a cell to see its full value here.');
    // The user decides.
    await again.click(CELL(0, 'value'));
    await expect.poll(() => again.text(DETAILS)).toContain('JSON');

    await again.crash();
    await expect.poll(() => again.text(MESSAGES), PATIENT).toContain('stopped more than once');
    await expect.poll(() => again.text('main')).toContain('Select a table');
    await again.click('[role=tab]');
    await expect.poll(() => again.text(CELL(0, 'what'))).toBe('60 KB of nested brackets');
    await expect.poll(() => again.text(DETAILS)).toContain('Select a cell to see its full value here.');
  },
);

test(
  'an app that was killed comes back without its cell, one that ended in order with it',
  { tag: '@long' },
  async ({ idleApp }) => {
    const view = new AppWindow(await idleApp.start(makeHostile(join(idleApp.folder, 'hostile.db'))));
    await view.opened('hostile');
    await expect(view.page.getByRole('complementary', { name: 'Details' })).toContainText('cells 1');
    await keepState(view.page);
    await idleApp.kill();

    const killed = new AppWindow(await idleApp.start());
    await expect(killed.messages).toContainText('Your tabs were restored. Nothing that was running', PATIENT);
    await expect(killed.grid('Rows of cells').cell(0, 'what')).toHaveText('60 KB of nested brackets');
    await expect(killed.page.getByRole('complementary', { name: 'Details' })).toContainText('Select a cell');

    const ended = new AppWindow(await idleApp.relaunch());
    await ended.opened('hostile');
    await expect(ended.page.getByRole('complementary', { name: 'Details' })).toContainText('cells 1', PATIENT);
    await expect(ended.messages).not.toContainText('stopped');
  },
);

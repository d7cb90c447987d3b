// The parts of a window as the user names them, for specs.
import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import type { SideliteApp } from '../sidelite-app.ts';
import type { TestedApp } from '../tested-app.ts';
import { writeClipboard } from '../support/clipboard.ts';
import { boxOf } from '../support/settled.ts';
import { GridPage } from './grid-page.ts';

/** Shell commands and rows both take a moment on a busy two-core machine. */
const PATIENT = { timeout: 30_000 };

export class AppWindow {
  readonly page: Page;
  readonly tree: Locator;
  readonly tabs: Locator;
  readonly status: Locator;
  readonly messages: Locator;
  readonly dialog: Locator;
  readonly editor: Locator;

  constructor(page: Page) {
    this.page = page;
    this.tree = page.getByRole('tree', { name: 'Database objects' });
    // The list owns its tabs, but does not contain them.
    this.tabs = page.locator('.tab-strip').getByRole('tab');
    this.status = page.getByRole('contentinfo', { name: 'Status' });
    this.messages = page.getByRole('region', { name: 'Messages' });
    this.dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
    this.editor = page.getByRole('textbox', { name: 'SQL' });
  }

  get database(): Locator {
    return this.page.getByRole('button', { name: /^Database: / });
  }

  treeItem(name: string): Locator {
    return this.tree.getByRole('treeitem', { name: new RegExp(`^${escape(name)}(\\b|$|,| )`) }).first();
  }

  /** Opens a file through File, Open and the (answered) dialog. */
  async openFile(app: TestedApp, path: string): Promise<void> {
    await this.connected();
    await app.answerOpenDialog(path);
    await this.page.keyboard.press('Control+o');
  }

  /** Drops files from the file manager onto the middle of the window: a drop that the browser vouches for. */
  async drop(...files: string[]): Promise<void> {
    const { width, height } = await this.page.evaluate(() => ({ width: innerWidth, height: innerHeight }));
    await this.#dropAt({ x: width / 2, y: height / 2 }, files);
  }

  /** The same onto something in it. */
  async dropOn(target: Locator, ...files: string[]): Promise<void> {
    const box = await boxOf(target);
    await this.#dropAt({ x: box.x + box.width / 2, y: box.y + box.height / 2 }, files);
  }

  async #dropAt(place: { readonly x: number; readonly y: number }, files: string[]): Promise<void> {
    const devTools = await this.page.context().newCDPSession(this.page);
    const what = { ...place, data: { items: [], files, dragOperationsMask: 1 } };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await devTools.send('Input.dispatchDragEvent', { type, ...what });
    await devTools.detach();
  }

  /** Drags a link from another program over the top of the window. */
  async dragLink(url: string): Promise<void> {
    const width = await this.page.evaluate(() => innerWidth);
    const devTools = await this.page.context().newCDPSession(this.page);
    const items = [{ mimeType: 'text/uri-list', data: url }];
    const what = { x: width / 2, y: 1, data: { items, dragOperationsMask: 1 } };
    for (const type of ['dragEnter', 'dragOver', 'dragCancel'] as const)
      await devTools.send('Input.dispatchDragEvent', { type, ...what });
    await devTools.detach();
  }

  async connected(): Promise<void> {
    await expect(this.status).toContainText('SQLite 3', PATIENT);
  }

  /** Waits until the database is open and rows of its first table are there. */
  async opened(name: string): Promise<void> {
    await expect(this.database).toHaveText(new RegExp(`^${escape(name)}`), PATIENT);
  }

  /** Copies the database of a server: the copy is called “… 2” and is in front afterwards. */
  async copyIntoLibrary(name: string): Promise<void> {
    await this.page.keyboard.press('Control+l');
    await this.page.getByRole('row', { name, exact: true }).click({ button: 'right' });
    await this.page.getByRole('menuitem', { name: 'Copy into library…' }).click();
    await this.dialog.getByRole('button', { name: 'Copy' }).click();
    await this.opened(`${name} 2`);
  }

  grid(name: string | RegExp = /^Rows of /): GridPage {
    return new GridPage(this.page, this.page.getByRole('grid', { name }));
  }

  async openTable(name: string): Promise<GridPage> {
    const search = this.page.getByRole('searchbox', { name: /Find table/ });
    await search.fill(name);
    await this.treeItem(name).dblclick();
    const grid = this.grid(`Rows of ${name}`);
    // The focus follows the double click a moment later: emptying the field is a key press, and would go to the grid.
    await expect(grid.root).toBeFocused(PATIENT);
    await search.fill('');
    return grid;
  }

  /** A second window of the app, with the same database open. */
  async secondWindow(app: SideliteApp, database: string): Promise<AppWindow> {
    await this.page.keyboard.press('Control+n');
    const second = new AppWindow(await app.window(1));
    await second.openFromLibrary(database);
    return second;
  }

  async openFromLibrary(name: string): Promise<void> {
    await this.connected();
    await this.page.keyboard.press('Control+l');
    await this.page.getByRole('row', { name, exact: true }).dblclick();
    await this.opened(name);
  }

  /** Opens an SQL tab with the text in it. */
  async writeSql(sql: string): Promise<void> {
    await this.page.keyboard.press('Control+t');
    await expect(this.editor).toBeFocused();
    await writeClipboard(this.page, sql);
    await this.page.keyboard.press('Control+v');
    await expect(this.editor).toContainText(sql.slice(-20).trim());
  }

  /** Opens an SQL tab, runs the text and waits until it has ended. */
  async runSql(sql: string): Promise<void> {
    await this.writeSql(sql);
    await this.page.keyboard.press('F5');
    await expect(this.page.getByRole('tablist', { name: 'Results' })).toBeVisible(PATIENT);
    // The button to stop it comes only after a moment, and says nothing of what has just begun.
    const bar = this.page.getByRole('toolbar', { name: 'Query' });
    await expect(bar.getByRole('button', { name: /^Run all/, disabled: true })).toHaveCount(0, PATIENT);
  }

  /** The focus follows a tab two frames later: it would be taken from what a script has focused until then. */
  async focusSettled(): Promise<void> {
    await this.page.evaluate(threeFrames);
  }

  /** Backs up the database into the file, and waits until that is done. */
  async backUpTo(app: TestedApp, file: string): Promise<void> {
    await app.answerSaveDialog(file);
    await this.backUp();
    await expect(this.messages).toContainText('was backed up');
  }

  /** Backs up the database into the file that the dialog was answered with. */
  async backUp(): Promise<void> {
    await this.command('Back Up Now…');
    await this.dialog.getByRole('button', { name: 'Choose file…' }).click();
  }

  /** Runs a command from the palette, and returns when it has begun. */
  async command(title: string): Promise<void> {
    const field = this.page.getByPlaceholder(/Go to anything|command/);
    await this.page.keyboard.press('Control+p');
    await field.fill(title);
    await this.page
      .getByRole('option', { name: new RegExp(escape(title)) })
      .first()
      .click();
    // It begins when the dialog is gone and has given the focus back, or two frames later: a key or a click would overtake it.
    await field.waitFor({ state: 'detached' });
    // The command may have closed the window or loaded the page again.
    await this.page.evaluate(threeFrames).catch(() => undefined);
  }
}

/** Runs in the page. */
async function threeFrames(): Promise<void> {
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

// The diagram of a schema: laid out, moved, searched, walked by keyboard, counted, followed and exported, on both engines.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { makeDatabase } from '../data/make-database.ts';
import { randomSchema } from '../data/schemas.ts';
import { findings } from '../findings.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { DiagramPage } from '../pages/diagram-page.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { readClipboard } from '../support/clipboard.ts';
import { keepState } from '../support/kept-state.ts';
import { boxOf, settled } from '../support/settled.ts';

const SHOP = `
  CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, referred_by INTEGER REFERENCES customer (id));
  CREATE TABLE "order" (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer (id) ON DELETE CASCADE);
  CREATE TABLE order_line (order_id INTEGER NOT NULL REFERENCES "order" (id), line INTEGER NOT NULL, PRIMARY KEY (order_id, line)) WITHOUT ROWID;
  CREATE TABLE note (id INTEGER PRIMARY KEY, customer_id INTEGER, body TEXT);
  CREATE TABLE lonely (body TEXT);
  CREATE VIEW buyers AS SELECT * FROM customer;
  INSERT INTO customer (id, name) VALUES (1, 'Ada'), (2, 'Bea'), (3, 'Cid');
  INSERT INTO "order" (customer_id) VALUES (1), (1), (2);
  INSERT INTO note (customer_id) VALUES (1), (9), (NULL);`;

async function open(app: SideliteApp, sql: string, name = 'shop'): Promise<{ view: AppWindow; diagram: DiagramPage }> {
  const view = new AppWindow(await app.start(makeDatabase(join(app.folder, `${name}.db`), { kind: 'sql', sql })));
  await view.opened(name);
  await view.command('Show Diagram');
  return { view, diagram: new DiagramPage(view.page) };
}

test('tables, declared and likely keys, their rows, and a schema that changes', async ({ idleApp }) => {
  const { view, diagram } = await open(idleApp, SHOP);
  const placesOf = async () => ({ lonely: await diagram.placeOf('lonely'), order: await diagram.placeOf('order') });

  await test.step('a table is found, keys are drawn, and their rows counted', async () => {
    await diagram.shows(5, 4);
    await expect(diagram.list).toBeFocused();
    await view.page.keyboard.press('Control+f');
    await expect(diagram.search).toBeFocused();
    await diagram.search.fill('lonely');
    await expect(diagram.bar).toContainText('1 found');
    await view.page.keyboard.press('Enter');
    await expect(diagram.current).toContainText('lonely, table');
    await view.page.keyboard.press('Escape');
    await expect(diagram.list).toBeFocused();
    await view.page.keyboard.press('0');
    await expect(diagram.table('order')).toContainText('customer_id');
    await expect(diagram.page.locator('[data-origin="likely"]')).toHaveCount(1);
    await expect(diagram.table('buyers')).toHaveCount(0);
    await diagram.table('note').click();
    await diagram.strip.getByRole('button', { name: /^Check values of note/ }).click();
    await expect(diagram.strip).toContainText('1 of 3 rows with a value that does not exist in customer');
    await diagram.table('order').click();
    await diagram.strip.getByRole('button', { name: /^Count rows of order \(customer_id\)/ }).click();
    await expect(diagram.strip).toContainText('0 to 2 rows for each of 3 rows, 1 on average; every value exists');
    expect(await findings(view.page, 'diagram', 'light')).toEqual([]);
  });

  await test.step('a table that was moved stays, with a new one beside it and when the window is loaded again', async () => {
    const laidOut = await settled(placesOf);
    await diagram.dragBy('lonely', 60, 40);
    await expect.poll(placesOf).not.toEqual(laidOut);
    const places = await settled(placesOf);
    await view.runSql('CREATE TABLE tag (id INTEGER PRIMARY KEY, note_id INTEGER REFERENCES note (id));');
    await view.tabs.filter({ hasText: 'Diagram' }).click();
    await diagram.shows(6, 5);
    await expect(diagram.table('tag')).toBeVisible();
    await expect.poll(placesOf).toEqual(places);
    await keepState(view.page);
    await view.page.reload();
    await diagram.shows(6, 5);
    await expect.poll(async () => (await placesOf()).lonely).toBe(places.lonely);
  });

  await test.step('it is opened from the tree, of a table and of the database', async () => {
    await view.treeItem('order').click({ button: 'right' });
    await view.page.getByRole('menuitem', { name: 'Show in diagram' }).click();
    await diagram.shows(3, 3);
    await view.treeItem('Tables').click({ button: 'right' });
    await view.page.getByRole('menuitem', { name: 'Show diagram', exact: false }).click();
    await diagram.shows(6, 5);
  });
});

test(
  'tables that were moved are where they were after a restart; Lay out again resets them',
  { tag: '@long' },
  async ({ idleApp }) => {
    idleApp.opensFiles = 'in-place';
    const { diagram } = await open(idleApp, SHOP);
    await diagram.shows(5, 4);
    const before = await settled(() => diagram.placeOf('order'));
    await diagram.dragBy('order', 90, 70);
    await expect.poll(() => diagram.placeOf('order')).not.toBe(before);
    const moved = await settled(() => diagram.placeOf('order'));

    const again = new DiagramPage(await idleApp.relaunch());
    await again.shows(5, 4);
    await expect(again.table('order')).toHaveAttribute('transform', moved);
    await again.page.getByRole('button', { name: 'Lay out again' }).click();
    await expect(again.table('order')).toHaveAttribute('transform', before);
    const third = new DiagramPage(await idleApp.relaunch());
    await third.shows(5, 4);
    await expect(third.table('order')).toHaveAttribute('transform', before);
  },
);

test(
  'another program changes the schema of a file in place: the diagram follows',
  { tag: '@long' },
  async ({ idleApp }) => {
    idleApp.opensFiles = 'in-place';
    const { diagram } = await open(idleApp, SHOP);
    await diagram.shows(5, 4);
    const file = new Sqlite(join(idleApp.folder, 'shop.db'));
    file.exec(
      'ALTER TABLE lonely RENAME TO company; ALTER TABLE company ADD COLUMN customer_id INTEGER REFERENCES customer;',
    );
    file.close();
    await diagram.shows(5, 5);
    await expect(diagram.table('company')).toContainText('customer_id');
  },
);

test(
  'by keyboard: along relations, through all tables, moved, opened, the menu, around a table',
  { tag: '@long' },
  async ({ idleApp }) => {
    const { view, diagram } = await open(idleApp, SHOP);
    const { keyboard } = view.page;
    await diagram.shows(5, 4);
    await expect(diagram.list).toBeFocused();
    await keyboard.press('Home');
    const seen = new Set<string>();
    const goOn = async (): Promise<void> => {
      const left = (await diagram.current.textContent())!;
      await keyboard.press('PageDown');
      await expect(diagram.current).not.toHaveText(left);
    };
    for (let step = 0; step < 5; step++) {
      seen.add((await diagram.current.textContent())!.split(',')[0]!);
      await goOn();
    }
    expect([...seen].sort()).toEqual(['customer', 'lonely', 'note', 'order', 'order_line']);

    while (!(await diagram.current.textContent())!.startsWith('order_line,')) await goOn();
    await keyboard.press('ArrowLeft');
    await expect(diagram.current).toHaveText('order, table, 2 columns. Refers to customer. Referred to by order_line.');
    await keyboard.press('ArrowLeft');
    await expect(diagram.current).toContainText('customer, table, 3 columns. Refers to customer.');
    const before = await diagram.placeOf('customer');
    await keyboard.press('Alt+ArrowDown');
    await expect.poll(() => diagram.placeOf('customer')).not.toBe(before);

    await keyboard.press('Shift+F10');
    await view.page.getByRole('menuitem', { name: 'Show tables one step away', exact: true }).click();
    await diagram.shows(3, 3);
    await view.page.getByRole('combobox', { name: 'Related tables' }).selectOption('2');
    await diagram.shows(4, 4);
    await diagram.list.focus();
    await keyboard.press('Enter');
    await expect(view.grid('Rows of customer').root).toBeFocused();
  },
);

test(
  'search goes to tables and columns, zoom goes by keys, buttons and wheel, the list says the same in words',
  { tag: '@long' },
  async ({ idleApp }) => {
    const { view, diagram } = await open(idleApp, randomSchema({ tables: 35, keys: 50 }), 'many');
    const { page } = view;
    await expect(diagram.list).toHaveAccessibleName(/^Diagram: 35 tables, 50 relations$/);
    await page.keyboard.press('Control+f');
    await expect(diagram.search).toBeFocused();
    await diagram.search.fill('album_');
    await expect(diagram.bar).toContainText('2 found');
    await page.keyboard.press('Enter');
    await expect(diagram.bar).toContainText('1 of 2');
    await expect(diagram.current).toContainText('album_');
    await diagram.search.fill('nothing like it');
    await expect(diagram.bar).toContainText('No matches');
    await page.keyboard.press('Escape');
    await expect(diagram.list).toBeFocused();

    await page.keyboard.press('0');
    const fitted = await settled(() => diagram.zoomPercent());
    await page.keyboard.press('+');
    await expect.poll(() => diagram.zoomPercent()).toBeGreaterThan(fitted);
    await page.getByRole('button', { name: 'Fit to window' }).click();
    await expect.poll(() => diagram.zoomPercent()).toBe(fitted);
    const surface = await boxOf(page.locator('.diagram-surface'));
    await page.mouse.move(surface.x + surface.width / 2, surface.y + surface.height / 2);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -120);
    await page.keyboard.up('Control');
    await expect.poll(() => diagram.zoomPercent()).toBeGreaterThan(fitted);
    const world = page.locator('.diagram-picture > g');
    const at = await settled(() => world.getAttribute('transform'));
    await page.mouse.wheel(0, 200);
    await expect.poll(() => world.getAttribute('transform')).not.toBe(at);

    // A layout that is asked for while another is made takes its place.
    for (let time = 0; time < 3; time++) await diagram.bar.getByRole('button', { name: 'Lay out again' }).click();
    await diagram.shows(35, 50);
    await expect(page.getByRole('alert')).toHaveCount(0);

    await page.getByRole('button', { name: 'Show as list' }).click();
    const list = page.getByRole('region', { name: 'Tables and relations' });
    await expect(list.getByRole('table', { name: 'Tables' }).getByRole('row')).toHaveCount(36);
    await expect(list.getByRole('table', { name: 'Relations' }).getByRole('row')).toHaveCount(51);
    expect(await findings(page, 'diagram-list', 'light')).toEqual([]);
  },
);

test(
  'saved as SVG, PNG and Mermaid, and copied; a likely key becomes SQL that nobody has run',
  { tag: '@long' },
  async ({ idleApp }) => {
    const { view, diagram } = await open(idleApp, SHOP);
    const { page } = view;
    await diagram.shows(5, 4);
    const save = async (label: string, file: string): Promise<Buffer> => {
      const path = join(idleApp.folder, file);
      await idleApp.answerSaveDialog(path);
      await page.getByRole('button', { name: 'Export diagram' }).click();
      await page.getByRole('menuitem', { name: label }).first().click();
      await expect(view.messages).toContainText(`The diagram was saved to ${file}`);
      return readFileSync(path);
    };
    const svg = (await save('SVG…', 'shop.svg')).toString();
    expect(svg).toContain('>order_line</text>');
    expect(svg).not.toMatch(/script|style=|href|var\(/);
    const png = await save('PNG…', 'shop.png');
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(png.readUInt32BE(16)).toBeGreaterThan(600);
    expect((await save('Mermaid…', 'shop.mmd')).toString()).toContain('erDiagram\n    t1["customer"] {');
    await page.getByRole('button', { name: 'Export diagram' }).click();
    await page.getByRole('menuitem', { name: 'Copy as Mermaid' }).click();
    await expect.poll(() => readClipboard(page)).toContain('erDiagram');

    await diagram.table('note').click();
    await diagram.strip.getByRole('button', { name: 'Show as SQL: note (customer_id)' }).click();
    await expect(view.editor).toContainText('FOREIGN KEY ("customer_id") REFERENCES "customer" ("id")');
    await expect(page.getByRole('tablist', { name: 'Results' })).toHaveCount(0);
  },
);

test(
  'hostile names are text, 2,000 columns are folded, keys to nowhere are named, an empty database says so',
  { tag: '@long' },
  async ({ idleApp }) => {
    const wide = Array.from({ length: 1999 }, (_, at) => `c${at}`).join(', ');
    const { view, diagram } = await open(
      idleApp,
      `CREATE TABLE "<script>alert(1)</script>" (id INTEGER PRIMARY KEY, "<img src=x onerror=alert(1)>" TEXT REFERENCES gone);
     CREATE TABLE "\u202efdp.exe" ("a\nb" TEXT); CREATE TABLE "%%{init}%%""];" (x); CREATE TABLE wide (id INTEGER PRIMARY KEY, ${wide});`,
      'hostile',
    );
    const { page } = view;
    await diagram.shows(4, 0);
    await expect(page.locator('.diagram-picture script, .diagram-picture img')).toHaveCount(0);
    await expect(page.locator('.diagram-picture')).toContainText('[U+202E]');
    await expect(page.getByText('One foreign key refers to a table or column that does not exist.')).toBeVisible();
    await expect(diagram.table('wide').locator('text', { hasText: '1,999 more' })).toHaveCount(1);
    await diagram.table('wide').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Show all columns' }).click();
    await expect(diagram.table('wide').locator('text', { hasText: 'Show keys only' })).toHaveCount(1);
    await diagram.bar.getByRole('button', { name: 'Show as list' }).click();
    await expect(page.getByRole('region', { name: 'Tables and relations' })).toContainText('There is no table “gone”.');

    const target = join(idleApp.folder, 'hostile.svg');
    await idleApp.answerSaveDialog(target);
    await page.getByRole('button', { name: 'Export diagram' }).click();
    await page.getByRole('menuitem', { name: 'SVG…' }).click();
    await expect(view.messages).toContainText('The diagram was saved');
    expect(readFileSync(target, 'utf8')).not.toMatch(/<script|<img|\u202e/);

    await view.command('New Database');
    await view.dialog.getByRole('button', { name: 'Create' }).click();
    await view.opened('Untitled');
    await view.command('Show Diagram');
    await expect(page.getByText('This database has no tables.')).toBeVisible();
  },
);

test(
  'axe finds nothing in dark, in the picture with a table chosen, nor in the list',
  { tag: '@long' },
  async ({ idleApp }) => {
    const { view, diagram } = await open(idleApp, SHOP);
    await view.page.emulateMedia({ colorScheme: 'dark' });
    await expect(view.page.locator('html[data-theme=dark]')).toBeAttached();
    await diagram.table('note').click();
    await expect(diagram.strip).toBeVisible();
    expect(await findings(view.page, 'diagram', 'dark')).toEqual([]);
    await diagram.bar.getByRole('button', { name: 'Show as list' }).click();
    await expect(view.page.getByRole('region', { name: 'Tables and relations' })).toBeVisible();
    expect(await findings(view.page, 'diagram-list', 'dark')).toEqual([]);
  },
);

// Opening the designer, laying out a diagram, and completing names, in a database of many tables: from the key or click to the frame that
// shows it.
import type { AppWindow } from '../pages/app-window.ts';
import { withDatabase } from './apps.ts';
import { timeUntil } from './in-page.ts';
import { quietMoment } from './machine.ts';
import type { Report } from './report.ts';

const FEW = 5;
const MANY = 500;
const ROUNDS = 15;
const DIAGRAM_TABLES = 60;
const DIAGRAM_KEYS = 90;
const SQL_LINES = 5_000;
const DESIGNER_PARTS = { form: '[aria-label="Name of the table"]', SQL: '.design-sql .cm-line' } as const;

export async function measureSchema(report: Report): Promise<void> {
  for (const tables of [FEW, MANY]) {
    await withTables(tables, 0, async (view) => {
      const times: Record<keyof typeof DESIGNER_PARTS, number[]> = { form: [], SQL: [] };
      for (let round = 0; round < ROUNDS; round++)
        for (const part of ['form', 'SQL'] as const)
          times[part].push(await openDesigner(view, `table_${(round % FEW) + 1}`, DESIGNER_PARTS[part]));
      report.add(`designer, ${tables} tables: first time`, 'ms', times.form.splice(0, 1));
      report.add(`designer, ${tables} tables: from the click to its form`, 'ms', times.form);
      report.add(`designer, ${tables} tables: from the click to its SQL`, 'ms', times.SQL);
    });
  }
  await withTables(DIAGRAM_TABLES, DIAGRAM_KEYS, (view) => measureDiagram(report, view));
  await withTables(MANY, 0, (view) => measureCompletion(report, view));
}

const withTables = (tables: number, keys: number, body: (view: AppWindow) => Promise<void>): Promise<void> =>
  withDatabase('library', 'many', schemaOf(tables, keys), async (_app, view) => {
    await view.opened('many');
    await body(view);
  });

/** Tables of eight columns; the keys lead from each table to some before it. */
function schemaOf(tables: number, keys: number): string {
  const sql: string[] = [];
  for (let table = 1; table <= tables; table++) {
    const columns = ['id INTEGER PRIMARY KEY', 'name TEXT NOT NULL', 'price REAL', 'at TEXT', 'note TEXT', 'n INT'];
    for (let key = table; key <= keys; key += tables)
      if (table > 1) columns.push(`ref_${key} INT REFERENCES table_${1 + ((key * 7) % (table - 1))} (id)`);
    sql.push(`CREATE TABLE table_${table} (${columns.join(', ')})`);
  }
  return sql.join(';\n');
}

async function openDesigner({ page, tabs }: AppWindow, table: string, selector: string): Promise<number> {
  await quietMoment();
  await page.getByRole('treeitem', { name: table, exact: false }).first().click({ button: 'right' });
  const item = page.getByRole('menuitem', { name: 'Design table' });
  await page.evaluate(timeUntil, { event: 'click', selector });
  await item.click();
  const took = await page.evaluate(() => window.timed!);
  await page.keyboard.press('Control+w');
  await tabs.filter({ hasText: 'Design' }).waitFor({ state: 'detached' });
  return took;
}

async function measureDiagram(report: Report, view: AppWindow): Promise<void> {
  const { page } = view;
  const times: number[] = [];
  const frames: number[] = [];
  for (let round = 0; round < 5; round++) {
    await quietMoment();
    await page.keyboard.press('Escape');
    await page.evaluate(timeUntil, { event: 'keydown', selector: `[data-diagram-table="table_${DIAGRAM_TABLES}"]` });
    await page.keyboard.press('Control+Shift+d');
    times.push(await page.evaluate(() => window.timed!));
    frames.push(await page.evaluate(() => window.longestFrame!));
    await page.keyboard.press('Control+w');
    await page.locator('[data-diagram-table]').first().waitFor({ state: 'detached' });
  }
  report.add(`diagram, ${DIAGRAM_TABLES} tables: from the key to the picture`, 'ms', times);
  report.add(`diagram, ${DIAGRAM_TABLES} tables: longest frame meanwhile`, 'ms', frames);
}

async function measureCompletion(report: Report, view: AppWindow): Promise<void> {
  const { page } = view;
  const line = (number: number): string =>
    `SELECT t.id, t.name FROM table_${1 + (number % MANY)} AS t WHERE t.price > ${number};`;
  const text = Array.from({ length: SQL_LINES }, (_, number) => line(number)).join('\n');
  await view.writeSql(`${text}\nSELECT t. FROM table_77 AS t;`);
  await page.keyboard.press('Control+End');
  for (let step = 0; step < ' FROM table_77 AS t;'.length; step++) await page.keyboard.press('ArrowLeft');
  const times: number[] = [];
  for (let round = 0; round < 40; round++) {
    await quietMoment();
    await page.evaluate(timeUntil, { event: 'keydown', selector: '.cm-tooltip-autocomplete li' });
    await page.keyboard.press('n');
    times.push(await page.evaluate(() => window.timed!));
    await page.keyboard.press('Escape');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Escape');
    await page.locator('.cm-tooltip-autocomplete').waitFor({ state: 'detached' });
  }
  report.add(`completion, ${SQL_LINES} lines, ${MANY} tables: from the key to the list`, 'ms', times.slice(1));
}

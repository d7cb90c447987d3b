// Millions of rows on their way out as CSV, from the library and in place, beside `sqlite3 -csv`: both write the same rows.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { AppWindow } from '../pages/app-window.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { LONG, numberOf, secondsOf, STORAGES, withApp, withFolder } from './apps.ts';
import type { Storage } from './apps.ts';
import { quietMoment } from './machine.ts';
import type { Report } from './report.ts';

const ROWS = numberOf('SIDELITE_EXPORT_ROWS', 10_000_000);
const ROUNDS = numberOf('SIDELITE_EXPORT_ROUNDS', 3);

/** Text that both programs put into quotes or neither does: `sqlite3` quotes each text with a space. */
const SQL = `CREATE TABLE made (id INTEGER PRIMARY KEY, word TEXT, price REAL, quantity INTEGER, note TEXT, day TEXT, ref INTEGER);
  INSERT INTO made WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${ROWS})
  SELECT i, 'word' || (i * 7919 % 50000), i % 40000 * 0.25, i % 100, CASE i % 5 WHEN 0 THEN 'a, "b" of ' || i ELSE 'plain' || i END,
    date(i % 20000), CASE i % 10 WHEN 0 THEN NULL ELSE i * 31 END FROM n;`;

export async function measureExport(report: Report): Promise<void> {
  await withFolder(async (folder) => {
    const database = makeDatabase(join(folder, 'made.db'), { kind: 'sql', sql: SQL });
    await withApp('in place', (inPlace) =>
      withApp('library', (library) => inTurns(report, folder, database, { 'in place': inPlace, library })),
    );
  });
}

/** The load of the machine is that of each round. */
async function inTurns(
  report: Report,
  folder: string,
  database: string,
  apps: Readonly<Record<Storage, SideliteApp>>,
): Promise<void> {
  const views = { 'in place': await opened(apps['in place'], database), library: await opened(apps.library, database) };
  const shell: number[] = [];
  const seconds: Record<Storage, number[]> = { 'in place': [], library: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const output = join(folder, 'shell.csv');
    shell.push(await secondsOf(() => exportInShell(database, output)));
    const expected = await digestOf(output);
    for (const storage of STORAGES) {
      const target = join(folder, 'made.csv');
      seconds[storage].push(await exportInApp(apps[storage], views[storage], target));
      expect(await digestOf(target)).toBe(expected);
      rmSync(target);
    }
    rmSync(output);
  }
  report.add('export: sqlite3 -csv', 's', shell);
  for (const storage of STORAGES) {
    report.add(`export, ${storage}`, 's', seconds[storage]);
    report.addRatio(`export, ${storage} over sqlite3`, seconds[storage], shell);
  }
}

async function opened(app: SideliteApp, database: string): Promise<AppWindow> {
  const view = new AppWindow(await app.start(database));
  await view.openTable('made');
  return view;
}

function exportInShell(database: string, output: string): void {
  const file = openSync(output, 'w');
  const args = ['-readonly', '-csv', '-header', database, 'SELECT * FROM made'];
  const { status } = spawnSync('sqlite3', args, { stdio: ['ignore', file, 'inherit'] });
  closeSync(file);
  expect(status).toBe(0);
}

async function exportInApp(app: SideliteApp, view: AppWindow, target: string): Promise<number> {
  await quietMoment();
  await view.page.keyboard.press('Control+e');
  await app.answerSaveDialog(target);
  const button = view.dialog.getByRole('button', { name: 'Export to file…' });
  await expect(button).toBeEnabled();
  const seconds = await secondsOf(async () => {
    await button.click();
    await expect(view.messages).toContainText('exported to made.csv', LONG);
  });
  await view.messages.getByRole('button', { name: 'Dismiss' }).first().click();
  return seconds;
}

/** `sqlite3` ends lines with CR LF. */
async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { encoding: 'latin1', highWaterMark: 1 << 22 }))
    hash.update((chunk as string).replaceAll('\r', ''), 'latin1');
  return hash.digest('hex');
}

// Millions of rows on their way out as CSV, from the library and in place, beside `sqlite3 -csv`: both write the same rows.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { AppWindow } from '../pages/app-window.ts';
import { SideliteApp } from '../sidelite-app.ts';
import { quietMoment } from './machine.ts';
import type { Report } from './report.ts';

const ROWS = Number(process.env['SIDELITE_EXPORT_ROWS'] ?? 10_000_000);
const ROUNDS = Number(process.env['SIDELITE_EXPORT_ROUNDS'] ?? 3);
const LONG = { timeout: 900_000 };
const PLACES = ['in place', 'library'] as const;

/** Text that both programs put into quotes or neither does: `sqlite3` quotes each text with a space. */
const SQL = `CREATE TABLE made (id INTEGER PRIMARY KEY, word TEXT, price REAL, quantity INTEGER, note TEXT, day TEXT, ref INTEGER);
  INSERT INTO made WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${ROWS})
  SELECT i, 'word' || (i * 7919 % 50000), i % 40000 * 0.25, i % 100, CASE i % 5 WHEN 0 THEN 'a, "b" of ' || i ELSE 'plain' || i END,
    date(i % 20000), CASE i % 10 WHEN 0 THEN NULL ELSE i * 31 END FROM n;`;

interface OpenApp {
  readonly app: SideliteApp;
  readonly view: AppWindow;
}

export async function measureExport(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sidelite-export-'));
  const apps = new Map<string, OpenApp>();
  try {
    const database = makeDatabase(join(folder, 'made.db'), { kind: 'sql', sql: SQL });
    for (const place of PLACES) apps.set(place, await openIn(place, database));
    const shell: number[] = [];
    const seconds = new Map<string, number[]>();
    // All in turns: the load of the machine is that of each round.
    for (let round = 0; round < ROUNDS; round++) {
      const output = join(folder, 'shell.csv');
      shell.push(exportInShell(database, output));
      const expected = await digestOf(output);
      for (const [place, open] of apps) {
        const target = join(folder, 'made.csv');
        seconds.set(place, [...(seconds.get(place) ?? []), await exportInApp(open, target)]);
        expect(await digestOf(target)).toBe(expected);
        rmSync(target);
      }
      rmSync(output);
    }
    report.add('export: sqlite3 -csv', 's', shell);
    for (const [place, taken] of seconds) {
      report.add(`export, ${place}`, 's', taken);
      report.add(
        `export, ${place} over sqlite3`,
        'x',
        taken.map((s, round) => s / shell[round]!),
      );
    }
  } finally {
    for (const { app } of apps.values()) await app.dispose();
    rmSync(folder, { recursive: true });
  }
}

async function openIn(place: (typeof PLACES)[number], database: string): Promise<OpenApp> {
  const app = new SideliteApp();
  app.opensFiles = place === 'in place' ? 'in-place' : 'copy';
  const view = new AppWindow(await app.start(database));
  await view.openTable('made');
  return { app, view };
}

/** In seconds. */
function exportInShell(database: string, output: string): number {
  const file = openSync(output, 'w');
  const began = performance.now();
  const { status } = spawnSync('sqlite3', ['-readonly', '-csv', '-header', database, 'SELECT * FROM made'], {
    stdio: ['ignore', file, 'inherit'],
  });
  const seconds = (performance.now() - began) / 1000;
  closeSync(file);
  expect(status).toBe(0);
  return seconds;
}

async function exportInApp({ app, view }: OpenApp, target: string): Promise<number> {
  await quietMoment();
  await view.page.keyboard.press('Control+e');
  await app.answerSaveDialog(target);
  const button = view.dialog.getByRole('button', { name: 'Export to file…' });
  await expect(button).toBeEnabled();
  const began = performance.now();
  await button.click();
  await expect(view.messages).toContainText('exported to made.csv', LONG);
  const seconds = (performance.now() - began) / 1000;
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

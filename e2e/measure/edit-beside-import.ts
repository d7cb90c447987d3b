// A cell is changed while another window imports a large file into another database, in the library and in place: from the key to the pixels.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { AppWindow } from '../pages/app-window.ts';
import { ImportPage } from '../pages/import-page.ts';
import { SideliteApp } from '../sidelite-app.ts';
import { editSeveral } from './edit.ts';
import { startWatch } from './in-page.ts';
import { quietMoment } from './machine.ts';
import type { Report } from './report.ts';
import { writeRows } from './rows.ts';

const MEGABYTES = Number(process.env['SIDELITE_CSV_MEGABYTES'] ?? 1000);
const ROUNDS = Number(process.env['SIDELITE_CSV_ROUNDS'] ?? 3);
const ROWS = 100_000;
const LONG = { timeout: 900_000 };
/** With a write-ahead log the commit of an import has a checkpoint, and without one it has none. */
const PLACES = ['in place', 'in place, WAL', 'library'] as const;

export async function measureEditBesideImport(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sidelite-beside-'));
  try {
    const file = join(folder, 'rows.csv');
    const rows = writeRows(file, MEGABYTES * 1e6);
    for (let round = 0; round < ROUNDS; round++)
      for (const place of PLACES)
        for (const begins of ['counted', 'at once'] as const) await measureIn(place, begins, { report, file, rows });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measureIn(
  place: (typeof PLACES)[number],
  begins: 'counted' | 'at once',
  { report, file, rows }: { readonly report: Report; readonly file: string; readonly rows: number },
): Promise<void> {
  const app = new SideliteApp();
  app.opensFiles = place === 'library' ? 'copy' : 'in-place';
  try {
    const page = await app.start(makeDatabase(join(app.folder, 'big.db'), { kind: 'big', rows: ROWS }));
    const view = new AppWindow(page);
    await view.opened('big');
    const grid = await view.openTable('big');
    await page.evaluate(startWatch);
    await page.evaluate(() => window.sidelite.newWindow());
    const other = new AppWindow(await app.window(1));
    const mode = place === 'in place, WAL' ? 'wal' : 'delete';
    const sql = `PRAGMA journal_mode = ${mode}; CREATE TABLE t (a);`;
    const target = makeDatabase(join(app.folder, 'target.db'), { kind: 'sql', sql });
    await other.openFile(app, target);
    await other.opened('target');
    const importing = new ImportPage(other);
    await importing.choose(app, other, file);
    await expect(importing.importButton(begins === 'counted' ? rows.toLocaleString('en-US') : undefined)).toBeVisible(
      LONG,
    );
    if (begins === 'counted') await quietMoment();
    const [before] = begins === 'counted' ? await editSeveral({ page, grid }, [page], 'before') : [[]];
    await importing.importButton().click();
    const stop = importing.bar.getByRole('button', { name: 'Stop' });
    await expect(stop).toBeVisible();
    // Until its end: what comes last may take the longest without a pause.
    const [beside] = await editSeveral({ page, grid }, [page], 'beside', () => stop.isVisible());
    await expect(importing.result).toContainText(`${rows.toLocaleString('en-US')} rows added`, LONG);
    if (before!.length > 0) report.add(`edit, ${place}: key to pixels before an import`, 'ms', before!);
    report.add(`edit, ${place}: key to pixels beside an import into another database (${begins})`, 'ms', beside!);
  } finally {
    await app.dispose();
  }
}

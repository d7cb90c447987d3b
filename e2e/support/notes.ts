// A table of notes, more rows than are on screen, opened in a window.
import { join } from 'node:path';
import { makeDatabase } from '../data/make-database.ts';
import { AppWindow } from '../pages/app-window.ts';
import type { GridPage } from '../pages/grid-page.ts';
import type { SideliteApp } from '../sidelite-app.ts';

/** How many rows it has. */
export const NOTES = 400;

const TABLE = `
  CREATE TABLE note (id INTEGER PRIMARY KEY, a TEXT, b TEXT, c TEXT, theirs TEXT);
  WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ${NOTES})
  INSERT INTO note SELECT i, 'a' || i, 'b' || i, 'c' || i, '' FROM n;
`;

export async function openNotes(app: SideliteApp): Promise<{ view: AppWindow; grid: GridPage }> {
  const view = new AppWindow(await app.start(makeDatabase(join(app.folder, 'note.db'), { kind: 'sql', sql: TABLE })));
  return { view, grid: await view.openTable('note') };
}

// A database of songs, for specs that export it, and the parts of the dialog that exports.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { expect } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import type { SideliteApp } from '../sidelite-app.ts';

const SQL = `CREATE TABLE song (id INTEGER PRIMARY KEY, title TEXT, seconds REAL, cover BLOB);
  INSERT INTO song VALUES (1, 'Ant', 2.0, X'00FF'), (2, '', NULL, NULL), (3, 'Bee, "live"', 9e999, X'01'), (9007199254740993, NULL, -0.5, X'');
  CREATE TABLE band (name TEXT); INSERT INTO band VALUES ('The Ants');
  CREATE VIRTUAL TABLE lyric USING fts5(line); INSERT INTO lyric VALUES ('walking home'); PRAGMA user_version = 7;`;

export async function openSongs(app: SideliteApp): Promise<AppWindow> {
  const file = makeDatabase(join(app.folder, 'songs.db'), { kind: 'sql', sql: SQL });
  const view = new AppWindow(await app.start(file));
  await view.opened('songs');
  return view;
}

/** Exports through the dialog into a file of the test, and returns its content. */
export async function exportTo(app: SideliteApp, view: AppWindow, name: string): Promise<string> {
  const target = join(app.folder, name);
  await app.answerSaveDialog(target);
  await view.dialog.getByRole('button', { name: 'Export to file…' }).click();
  await expect(view.messages).toContainText(`exported to ${name}`);
  expect(readdirSync(app.folder).filter((file) => file.includes('.part'))).toEqual([]);
  return readFileSync(target, 'utf8');
}

export const preview = (view: AppWindow): Locator => view.dialog.getByRole('region', { name: 'Preview' });
export const format = (view: AppWindow, name: string): Locator => view.dialog.getByRole('radio', { name, exact: true });

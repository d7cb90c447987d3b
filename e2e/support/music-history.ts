// A database of music with cascades, triggers and full-text search in the library: opened, and read back from an export.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import type { TestedApp } from '../tested-app.ts';
import { AppWindow } from '../pages/app-window.ts';
import { contentsOf, integrityOf } from './compare-results.ts';
import type { Contents } from './compare-results.ts';
import { HistoryPage } from '../pages/history-page.ts';

export const MUSIC = `
  CREATE TABLE artist (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
  CREATE TABLE album (id INTEGER PRIMARY KEY, artist INTEGER NOT NULL REFERENCES artist ON DELETE CASCADE, title TEXT, price REAL);
  CREATE TABLE track (album INTEGER REFERENCES album ON DELETE CASCADE, number INTEGER, name TEXT, PRIMARY KEY (album, number)) WITHOUT ROWID;
  CREATE TABLE gone (what TEXT);
  CREATE TRIGGER album_gone AFTER DELETE ON album BEGIN INSERT INTO gone VALUES ('album ' || old.title); END;
  CREATE TRIGGER track_gone AFTER DELETE ON track BEGIN INSERT INTO gone VALUES ('track ' || old.name); END;
  INSERT INTO artist VALUES (1, 'Ada'), (2, 'Bo'), (3, 'Cy');
  INSERT INTO album VALUES (10, 1, 'First', 1.5), (11, 1, 'Second', 2.5), (12, 2, 'Third', 3.5);
  INSERT INTO track VALUES (10, 1, 'a'), (10, 2, 'b'), (11, 1, 'c'), (12, 1, 'd');
  CREATE VIRTUAL TABLE note USING fts5(title, body);
  INSERT INTO note VALUES ('one', 'the quick brown fox'), ('two', 'a lazy dog');
`;

export async function openMusic(app: TestedApp, name = 'music'): Promise<{ view: AppWindow; history: HistoryPage }> {
  const view = new AppWindow(await app.start(musicFile(app, name)));
  await view.opened(name);
  return { view, history: new HistoryPage(view.page) };
}

export const musicFile = (app: TestedApp, name: string): string =>
  makeDatabase(join(app.folder, `${name}.db`), { kind: 'sql', sql: MUSIC });

let exports = 0;

/** Everything in the database as another SQLite reads it, which finds it sound. */
export async function stored(app: TestedApp, view: AppWindow): Promise<Contents> {
  return contentsOf(await exported(app, view));
}

export async function exported(app: TestedApp, view: AppWindow): Promise<string> {
  const name = `export-${++exports}.db`;
  await app.answerSaveDialog(join(app.folder, name));
  await view.backUp();
  // A browser names the file itself, so there the message may be that of an earlier export; its file is what is waited for.
  await expect(view.messages).toContainText(new RegExp(`was backed up to (${name}|music [-\\d ]+\\.sqlite)`));
  const file = join(app.folder, name);
  // A browser keeps saving after the app has handed the bytes over.
  await expect.poll(() => existsSync(file)).toBe(true);
  expect(integrityOf(file)).toBe('ok');
  return file;
}

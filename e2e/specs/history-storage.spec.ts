// The history of a database in the library's own files: after a restart and a kill.
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { joinWire } from '../support/wire-in-page.ts';

const TABLE = `CREATE TABLE log (id INTEGER PRIMARY KEY, text TEXT); INSERT INTO log (text) VALUES ('first'), ('second');
  CREATE TABLE wide (v); INSERT INTO wide SELECT randomblob(5000) FROM log, log, log, log, log, log;`;

async function ask<T>(page: Page, op: string, params: object = {}): Promise<T> {
  const answer = await page.evaluate(
    async ([operation, rest]) => {
      const [entry] = (await window.ask('library.list', {})) as { id: string }[];
      return window.ask(operation, { database: entry!.id, ...rest });
    },
    [op, params] as const,
  );
  return answer as T;
}

interface State {
  readonly undo: { readonly title: string } | null;
  readonly redo: { readonly title: string } | null;
  readonly steps: number;
}

/** The tables with their columns, and all texts: from a read of the schema and a dry run that deletes everything. */
async function content(page: Page): Promise<unknown> {
  const { objects } = await ask<{ objects: { name: string }[] }>(page, 'schema.get');
  await ask(page, 'dryRun.start', { sql: 'DELETE FROM log' });
  const { rows } = await ask<{ rows: { before: unknown }[] }>(page, 'dryRun.rows', { start: 0, count: 100 });
  await ask(page, 'dryRun.finish', { keep: false });
  return { tables: objects.map(({ name }) => name).sort(), rows: rows.map(({ before }) => before) };
}

async function start(page: Page): Promise<Page> {
  await new AppWindow(page).opened('log');
  await joinWire(page);
  return page;
}

test(
  'edits, scripts, schema changes and VACUUM are undone and redone, after a restart and after a kill',
  { tag: '@long' },
  async ({ idleApp }) => {
    let page = await start(
      await idleApp.start(makeDatabase(join(idleApp.folder, 'log.db'), { kind: 'sql', sql: TABLE })),
    );
    const contents = [await content(page)];
    for (const sql of [
      "UPDATE log SET text = 'changed' WHERE id = 1",
      "CREATE TABLE more (v); INSERT INTO more VALUES (1); ALTER TABLE log ADD COLUMN extra DEFAULT 'e'",
      'BEGIN; DELETE FROM wide; DELETE FROM log WHERE id = 2; COMMIT',
      'VACUUM',
    ]) {
      await ask(page, 'query.run', { sql });
      contents.push(await content(page));
    }
    page = await start(await idleApp.relaunch());
    for (const expected of contents.slice(0, -1).reverse()) {
      await ask(page, 'history.undo');
      expect(await content(page)).toEqual(expected);
    }
    expect(await ask<State>(page, 'history.state')).toMatchObject({ undo: null, steps: 4 });
    await idleApp.kill();
    page = await start(await idleApp.start());
    for (const expected of contents.slice(1)) {
      await ask(page, 'history.redo');
      expect(await content(page)).toEqual(expected);
    }
    expect(await ask<State>(page, 'history.state')).toMatchObject({ redo: null, undo: { title: 'VACUUM' } });
    expect(await ask(page, 'database.check', { kind: 'integrity' })).toEqual({ messages: [], unchecked: [] });
  },
);

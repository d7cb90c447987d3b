// Makes, copies, renames and deletes databases without pause while the app is about to be killed.
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import type { LibraryEntry } from '../../shared/protocol/library.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import { joinWire } from '../support/wire-in-page.ts';

/** `refused` has the sentence as its name. */
type Event = 'made' | 'leaving' | 'gone' | 'refused';

declare global {
  interface Window {
    /** Tells the test, which outlives the window. */
    tell(event: Event, id: DatabaseId, name: string): Promise<void>;
  }
}

/** Expected content of the library, by what was acknowledged. */
export class Expected {
  /** Names by id. */
  readonly there = new Map<DatabaseId, string>();
  /** Asked to be deleted, not answered: there as a whole, or not. */
  readonly leaving = new Set<DatabaseId>();
  readonly gone = new Set<DatabaseId>();
  readonly refusals: string[] = [];
  changes = 0;

  note(event: Event, id: DatabaseId, name: string): void {
    if (event === 'refused') {
      this.refusals.push(name);
      return;
    }
    if (event === 'made') this.there.set(id, name);
    else if (event === 'leaving') {
      this.there.delete(id);
      this.leaving.add(id);
    } else {
      this.leaving.delete(id);
      this.gone.add(id);
    }
    if (event !== 'leaving') this.changes++;
  }

  /** Problems of the library as it is now; empty if there are none. What exists is known from then on. */
  compare(entries: readonly LibraryEntry[]): string[] {
    const wrong: string[] = [];
    const ids = new Set(entries.map(({ id }) => id));
    for (const [id, name] of this.there) if (!ids.has(id)) wrong.push(`${name} is lost`);
    for (const { id, name } of entries) {
      if (this.gone.has(id)) wrong.push(`${name} is back`);
      if (name === 'Recovered') wrong.push('a file is there that nobody knows');
    }
    // One request was under way: at most what it makes is there unannounced.
    const unknown = entries.filter(({ id }) => !this.there.has(id) && !this.leaving.has(id));
    if (unknown.length > 1) wrong.push(`${unknown.length} databases too many`);
    this.leaving.clear();
    this.there.clear();
    for (const { id, name } of entries) this.there.set(id, name);
    return wrong;
  }
}

export async function startHousekeeping(page: Page, expected: Expected): Promise<void> {
  await page.exposeFunction('tell', (event: Event, id: DatabaseId, name: string) => expected.note(event, id, name));
  await page.evaluate(keepHouse);
}

/** The library, every database of it opened once. */
export async function visitLibrary(page: Page): Promise<readonly LibraryEntry[]> {
  await expect(page.getByRole('contentinfo', { name: 'Status' })).toContainText('SQLite 3');
  await joinWire(page);
  return await page.evaluate(async () => {
    const entries = (await window.ask('library.list', {})) as LibraryEntry[];
    for (const { id } of entries) {
      await window.ask('database.open', { database: id });
      await window.ask('query.run', { database: id, sql: 'SELECT * FROM sqlite_schema' });
    }
    return entries;
  });
}

/** Runs in the page. */
async function keepHouse(): Promise<void> {
  const ask = async <T>(op: string, params: object): Promise<T> => (await window.ask(op, params)) as T;
  const remove = async ({ id, name }: LibraryEntry): Promise<void> => {
    await window.tell('leaving', id, name);
    await ask('library.delete', { database: id });
    await window.tell('gone', id, name);
  };
  const entries = await ask<LibraryEntry[]>('library.list', {});
  const original = entries.find(({ name }) => name === 'log')!;
  const work = async (): Promise<void> => {
    for (const { id } of entries) if (id !== original.id) await ask('database.close', { database: id });
    for (;;) {
      const made = await ask<LibraryEntry>('library.create', { name: 'made' });
      await window.tell('made', made.id, made.name);
      const copy = await ask<LibraryEntry>('library.duplicate', { database: original.id, name: 'copy' });
      await window.tell('made', copy.id, copy.name);
      await ask('library.rename', { database: copy.id, name: `renamed ${copy.id}` });
      await remove(made);
      await remove(copy);
    }
  };
  // Ends with the connection.
  work().catch((error: Error) => window.tell('refused', original.id, error.message));
}

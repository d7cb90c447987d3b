// Typing faster than edits are stored: what is typed and kept arrives, in its own cell, whatever happens around it.
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { seeded } from '../data/seeded.ts';
import { expect, test } from '../fixtures.ts';
import type { AppWindow } from '../pages/app-window.ts';
import type { GridPage } from '../pages/grid-page.ts';
import { query } from '../support/compare-results.ts';
import { NOTES, openNotes } from '../support/notes.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { joinWire } from '../support/wire-in-page.ts';
import { readClipboard, writeClipboard } from '../support/clipboard.ts';

/** `FAST_EDITS_SEEDS=1,2,3` runs others, `FAST_EDITS_STEPS=300` longer ones. */
const SEEDS = (process.env.FAST_EDITS_SEEDS ?? '1').split(',').map(Number);
const STEPS = Number(process.env.FAST_EDITS_STEPS ?? (process.env.SIDELITE_LONG ? 60 : 20));
const COLUMNS = ['a', 'b', 'c'] as const;
/** Rows on screen without scrolling. */
const ROWS_TO_CLICK = 12;
type Random = () => number;

/** Records what was typed, and what the table must hold after it. */
class Typist {
  readonly log: string[] = [];
  readonly expected = new Map<number, string[]>();
  readonly #page: Page;
  readonly #grid: GridPage;
  /** Rows stay where they are: they can be clicked by position. */
  readonly #clicks: boolean;
  readonly #random: Random;
  readonly #done: { id: number; place: number; before: string }[] = [];
  #row = 1;
  #place = 0;
  #count = 0;

  constructor(grid: GridPage, random: Random, clicks: boolean) {
    this.#clicks = clicks;
    this.#grid = grid;
    this.#page = grid.page;
    this.#random = random;
    for (let id = 1; id <= NOTES; id++)
      this.expected.set(
        id,
        COLUMNS.map((name) => `${name}${id}`),
      );
  }

  upTo(limit: number): number {
    return this.#random() % limit;
  }

  at(id: number, place: number): void {
    this.#row = id;
    this.#place = place;
    this.log.push(`at ${id}.${COLUMNS[place]}`);
  }

  async press(key: string): Promise<void> {
    const pause = this.upTo(3) === 0 ? this.upTo(60) : 0;
    if (pause > 0) await this.#page.waitForTimeout(pause);
    await this.#page.keyboard.press(key);
  }

  /** Types into the current cell and leaves it by a key, or by a click on another one. */
  async edit(): Promise<void> {
    const way = this.upTo(4);
    if (way === 0) await this.press('F2');
    if (way === 1) for (const key of ['F2', 'Control+a']) await this.press(key);
    const text = `w${++this.#count}`;
    for (const letter of text) await this.press(letter);
    this.#note(text);
    const leave = this.upTo(10);
    if (leave === 0 && this.#clicks) return await this.click();
    if (leave < 3 && this.#place < 2) {
      await this.press('Tab');
      this.#place++;
      return;
    }
    await this.press('Enter');
    this.#row++;
    // The same cell once more, before the grid can have heard of the first time.
    if (leave === 3) {
      await this.press('ArrowUp');
      this.#row--;
      await this.edit();
    }
  }

  async paste(): Promise<void> {
    const text = `p${++this.#count}`;
    await writeClipboard(this.#page, text);
    await this.press('Control+v');
    this.#note(text);
    await this.press('ArrowDown');
    this.#row++;
  }

  get row(): number {
    return this.#row;
  }

  async toTop(): Promise<void> {
    await this.press('Control+Home');
    await this.press('ArrowRight');
    this.at(1, 0);
  }

  /** Undoes the last change, and continues elsewhere. */
  async undo(): Promise<void> {
    const last = this.#done.pop();
    if (!last) return;
    await this.press('Control+z');
    this.expected.get(last.id)![last.place] = last.before;
    this.log.push(`undo ${last.id}.${COLUMNS[last.place]}`);
    await this.click();
  }

  async click(): Promise<void> {
    // Another row: in its own cell a click would only place the caret.
    const row = 1 + ((this.#row + this.upTo(ROWS_TO_CLICK - 1)) % ROWS_TO_CLICK);
    this.at(row, this.upTo(3));
    await this.#grid.click(this.#row - 1, COLUMNS[this.#place]!);
  }

  #note(text: string): void {
    const cells = this.expected.get(this.#row)!;
    this.#done.push({ id: this.#row, place: this.#place, before: cells[this.#place]! });
    cells[this.#place] = text;
    this.log.push(`${this.#row}.${COLUMNS[this.#place]} = ${text}`);
  }
}

async function compare(app: SideliteApp, view: AppWindow, grid: GridPage, typist: Typist, seed: number): Promise<void> {
  await expect(grid.editor).toHaveCount(0);
  const target = join(app.folder, `export-${Date.now()}.db`);
  await view.backUpTo(app, target);
  const stored = query(target, 'SELECT id, a, b, c FROM note WHERE id BETWEEN 1 AND 400 ORDER BY id') as [
    number,
    string,
    string,
    string,
  ][];
  const wrong = stored.flatMap(([id, ...cells]) =>
    cells.flatMap((text, place) => {
      const due = typist.expected.get(id)![place]!;
      return text === due ? [] : [`${id}.${COLUMNS[place]}: ${due} was typed, ${text} is stored`];
    }),
  );
  expect(wrong, `seed ${seed}\n${typist.log.join('\n')}`).toEqual([]);
}

for (const seed of SEEDS) {
  test(`edits follow each other without a pause (seed ${seed})`, { tag: '@long' }, async ({ idleApp }) => {
    test.setTimeout(600_000);
    const { view, grid } = await openNotes(idleApp);
    const typist = new Typist(grid, seeded(seed), true);
    await grid.click(0, 'a');
    typist.at(1, 0);
    for (let step = 0; step < STEPS; step++) {
      if (typist.row > ROWS_TO_CLICK) await typist.toTop();
      const what = typist.upTo(12);
      if (what === 0) await typist.undo();
      else if (what === 1) await typist.paste();
      else await typist.edit();
    }
    await compare(idleApp, view, grid, typist, seed);
  });

  test(`edits while another window commits to the same rows (seed ${seed})`, { tag: '@long' }, async ({ idleApp }) => {
    test.setTimeout(600_000);
    const { view, grid } = await openNotes(idleApp);
    const second = await view.secondWindow(idleApp, 'note');
    await joinWire(second.page);
    await view.page.bringToFront();
    const typist = new Typist(grid, seeded(seed), false);
    await grid.click(0, 'a');
    typist.at(1, 0);
    const others = disturb(second.page, seed);
    for (let step = 0; step < STEPS; step++) {
      await typist.edit();
    }
    await others.stop();
    await compare(idleApp, view, grid, typist, seed);
  });
}

/** Rows come and go above, the same rows are updated in another column. */
function disturb(page: Page, seed: number): { stop(): Promise<void> } {
  const random = seeded(seed + 1000);
  let isStopped = false;
  const run = async (): Promise<void> => {
    const database = await page.evaluate(async () => {
      const list = (await window.ask('library.list', {})) as { databases?: { id: string }[] } | { id: string }[];
      const entries = Array.isArray(list) ? list : list.databases!;
      return entries[0]!.id;
    });
    while (!isStopped) {
      const from = 1 + (random() % 80);
      const statement = [
        "INSERT INTO note (id, theirs) SELECT min(id) - 1, 'new' FROM note",
        `UPDATE note SET theirs = theirs || 'x' WHERE id BETWEEN ${from} AND ${from + 40}`,
        'DELETE FROM note WHERE id = (SELECT min(id) FROM note WHERE id < 1)',
      ][random() % 3]!;
      await page.evaluate(([sql, id]) => window.ask('query.run', { database: id, sql }), [
        statement,
        database,
      ] as const);
      await page.waitForTimeout(random() % 40);
    }
  };
  const running = run();
  return {
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

const stored = async (app: SideliteApp, view: AppWindow, sql: string): Promise<readonly unknown[]> => {
  const target = join(app.folder, 'export.db');
  await view.backUpTo(app, target);
  return query(target, sql);
};

/** Values of the column as a sorted table shows them: a1, a10, a100, a101, … */
const SORTED = Array.from({ length: NOTES }, (_, at) => `a${at + 1}`).sort();
const EDITS = 6;

async function openSorted(app: SideliteApp): Promise<{ view: AppWindow; grid: GridPage }> {
  const { view, grid } = await openNotes(app);
  await grid.clickHeader('a');
  await expect(grid.cell(2, 'a')).toHaveText(SORTED[2]!);
  await grid.click(0, 'a');
  return { view, grid };
}

test('Enter in a sorted table goes on with the row that was below, although each edit moves its row away', async ({
  idleApp,
}) => {
  const { view, grid } = await openSorted(idleApp);
  for (let at = 0; at < EDITS; at++) {
    await view.page.keyboard.type(`z${at + 10}`);
    await view.page.keyboard.press('Enter');
  }
  await expect(grid.cell(0, 'a')).toHaveText(SORTED[EDITS]!);
  await expect(grid.editor).toHaveCount(0);
  const edited = await stored(idleApp, view, `SELECT 'a' || id, a FROM note WHERE a LIKE 'z%' ORDER BY a`);
  expect(edited).toEqual(SORTED.slice(0, EDITS).map((before, at) => [before, `z${at + 10}`]));
});

test('Tab in a sorted table stays in the row that the edit moves away', { tag: '@long' }, async ({ idleApp }) => {
  const { view, grid } = await openSorted(idleApp);
  for (let at = 0; at < EDITS; at++) {
    await view.page.keyboard.press('Control+Home');
    await view.page.keyboard.press('ArrowRight');
    await view.page.keyboard.type(`z${at + 10}`);
    await view.page.keyboard.press('Tab');
    await view.page.keyboard.type(`b of z${at + 10}`);
    await view.page.keyboard.press('Enter');
  }
  await expect(grid.cell(NOTES - 1, 'b')).toHaveText(`b of z${EDITS + 9}`);
  await expect(grid.editor).toHaveCount(0);
  const edited = await stored(
    idleApp,
    view,
    `SELECT 'a' || id, a, b FROM note WHERE b NOT LIKE 'b_' || substr(id, 2) ORDER BY a`,
  );
  expect(edited).toEqual(SORTED.slice(0, EDITS).map((before, at) => [before, `z${at + 10}`, `b of z${at + 10}`]));
});

test(
  'a click on the row that comes to the place of the edited one is no step of the cursor',
  { tag: '@long' },
  async ({ idleApp }) => {
    const { view, grid } = await openSorted(idleApp);
    for (let at = 0; at < EDITS; at++) {
      await grid.edit(0, 'a', `z${at + 10}`);
      await expect(grid.cell(0, 'a')).toHaveText(SORTED[at + 1]!);
      await grid.click(0, 'a');
      await expect(grid.editor).toHaveCount(0);
      await view.page.keyboard.press('Control+c');
      await expect.poll(() => readClipboard(view.page)).toBe(SORTED[at + 1]!);
    }
  },
);

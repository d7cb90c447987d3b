// Two Sidelites, each with a profile and a screen of its own, edit one table on one libSQL server through their windows. A table that triggers on
// the server fill says what was really stored, in order: exactly the edits that a window took for saved, each over the value that its editor had
// shown. For minutes instead of a few edits: `SIDELITE_TWO_APPS=10 npm run e2e -- remote-editors`.
import { seeded } from '../data/seeded.ts';
import type { AppWindow } from '../pages/app-window.ts';
import { expect, test } from '../server-fixtures.ts';
import type { StoryServer } from '../server-fixtures.ts';

const minutes = Number(process.env['SIDELITE_TWO_APPS'] ?? 0);
const EDITS = 12;
const PATIENT = { timeout: 60_000 };
const ROWS = 3;
/** Message of a refused edit, with the value that “Keep mine” replaces. */
const TOLD = /was changed to “(.+)” in the meantime/;
const COLUMNS = ['a', 'b'] as const;

const TABLE = [
  `CREATE TABLE shared (id INTEGER PRIMARY KEY, ${COLUMNS.map((name) => `${name} TEXT`).join(', ')})`,
  ...Array.from({ length: ROWS }, (_, at) => `INSERT INTO shared VALUES (${at + 1}, 'first', 'first')`),
  'CREATE TABLE audit (n INTEGER PRIMARY KEY, edit TEXT)',
  ...COLUMNS.map(
    (name) =>
      `CREATE TRIGGER of_${name} AFTER UPDATE OF ${name} ON shared BEGIN INSERT INTO audit (edit) VALUES (json_array(old.id || ' ${name}', old.${name}, new.${name})); END`,
  ),
];

/** A cell, the value that was seen in it, and the value that was to replace it. */
type Edit = readonly [cell: string, seen: string, after: string];

interface Edited {
  readonly saved: readonly Edit[];
  readonly refused: readonly { readonly edit: Edit; readonly why: string }[];
  readonly saveMs: readonly number[];
}

interface Editor {
  readonly view: AppWindow;
  readonly name: string;
  readonly seed: number;
  /** Whether it makes another edit, after so many. */
  readonly goesOn: (edits: number) => boolean;
}

/** One cell after the other, each when it is known what became of the one before. */
async function edit({ view, name, seed, goesOn }: Editor): Promise<Edited> {
  const { page } = view;
  const grid = view.grid('Rows of shared');
  const saved: Edit[] = [];
  const refused: Edited['refused'][number][] = [];
  const saveMs: number[] = [];
  const random = seeded(seed);
  for (let n = 0; goesOn(n); n++) {
    const row = random() % ROWS;
    const column = COLUMNS[random() % COLUMNS.length]!;
    await grid.click(row, column);
    await page.keyboard.press('F2');
    const field = page.getByRole('textbox', { name: `Edit ${column}` });
    await expect(field).toBeEditable(PATIENT);
    let made: Edit = [`${row + 1} ${column}`, await field.inputValue(), `${name} ${n}`];
    await field.fill(made[2]);
    const startedMs = performance.now();
    await page.keyboard.press('Enter');
    let why = await refusal(view);
    if (why === null) saveMs.push(performance.now() - startedMs);
    while (why !== null) {
      refused.push({ edit: made, why });
      const way = random() % 3;
      if (way === 0) await page.keyboard.press('Escape');
      else await grid.editor.getByRole('button', { name: way === 1 ? 'Take theirs' : 'Keep mine' }).click();
      if (way !== 2) break;
      made = [made[0], TOLD.exec(why)?.[1] ?? '', made[2]];
      why = await refusal(view);
    }
    if (why === null) saved.push(made);
    await expect(grid.editor).toHaveCount(0);
  }
  return { saved, refused, saveMs };
}

/**
 * Null when the editor has closed, as it does when the cell is saved; otherwise its message. A note about others' changes does not count.
 */
async function refusal({ page }: AppWindow): Promise<string | null> {
  let seen = 'saving' as EditorState;
  const look = async (): Promise<EditorState> => (seen = await page.evaluate(lookAtEditor));
  await expect.poll(look, { ...PATIENT, intervals: [10] }).not.toBe('saving');
  return seen === 'saving' ? null : seen.why;
}

type EditorState = { readonly why: string | null } | 'saving';

/** Runs in the page, at one moment. */
function lookAtEditor(): EditorState {
  const editor = document.querySelector('[data-cell-editor]');
  if (!editor) return { why: null };
  const hasFailed = editor.querySelector('textarea[aria-invalid=true]:not([readonly])') !== null;
  return hasFailed ? { why: editor.querySelector('[role=alert] p')?.textContent ?? '' } : 'saving';
}

async function audited(server: StoryServer): Promise<readonly Edit[]> {
  const [all] = await server.run('SELECT json_group_array(json(edit)) FROM (SELECT edit FROM audit ORDER BY n)');
  return JSON.parse(String(all)) as readonly Edit[];
}

test(
  'two Sidelites edit one table on a server, and every cell holds the last edit that was saved',
  { tag: '@long' },
  async ({ idleApp, otherApp, emptyServer: server }) => {
    test.setTimeout(minutes * 60_000 + 300_000);
    await server.run(...TABLE);
    const views: AppWindow[] = [];
    for (const app of [idleApp, otherApp]) {
      const view = await server.openIn(await app.start());
      await expect((await view.openTable('shared')).cell(0, 'a')).toHaveText('first', PATIENT);
      views.push(view);
    }
    const endMs = performance.now() + minutes * 60_000;
    const goesOn = (edits: number): boolean => (minutes > 0 ? performance.now() < endMs : edits < EDITS);
    const edited = await Promise.all(
      views.map((view, at) => edit({ view, name: ['ada', 'bea'][at]!, seed: at + 1, goesOn })),
    );
    const stored = await audited(server);
    const sorted = (edits: readonly Edit[]): string[] => edits.map((one) => JSON.stringify(one)).sort();
    expect(sorted(stored)).toEqual(sorted(edited.flatMap(({ saved }) => saved)));
    const last = new Map(stored.map(([cell, , after]) => [cell, after]));
    for (let row = 0; row < ROWS; row++)
      for (const column of COLUMNS) {
        const value = last.get(`${row + 1} ${column}`) ?? 'first';
        expect(await server.run(`SELECT ${column} FROM shared WHERE id = ${row + 1}`)).toEqual([value]);
        for (const view of views)
          await expect(view.grid('Rows of shared').cell(row, column)).toHaveText(value, PATIENT);
      }
    for (const { saved, refused } of edited) {
      expect(saved.length).toBeGreaterThan(0);
      for (const { why } of refused) expect(why).toMatch(TOLD);
    }
    if (minutes > 0) console.log(edited.map(report));
  },
);

function report({ saved, refused, saveMs }: Edited): Readonly<Record<string, number>> {
  const sorted = [...saveMs].sort((a, b) => a - b);
  const share = (part: number): number => Math.round(sorted[Math.floor((sorted.length - 1) * part)]!);
  return { saved: saved.length, refused: refused.length, p50: share(0.5), p95: share(0.95), most: share(1) };
}

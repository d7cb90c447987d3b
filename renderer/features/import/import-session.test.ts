import { beforeEach, expect, it, vi } from 'vitest';
import { plainChoice } from '#shared/import/column-choices.ts';
import { recipeOf, type Recipe } from '#shared/import/recipes.ts';
import type { DetectedSource, ImportOptions, ImportPlan } from '#shared/protocol/index.ts';
import type { ImportTab } from '../../workbench/tabs/import.ts';
import { ImportSession } from './import-session.ts';

const { call, loadRecipes } = vi.hoisted(() => ({ call: vi.fn(), loadRecipes: vi.fn() }));
vi.mock('../../connection/database-client.ts', () => ({
  client: { call, on: () => () => undefined },
  libraryClient: { onReconnected: () => () => undefined },
  nativeClient: { onReconnected: () => () => undefined },
}));
vi.mock('../../connection/shell.ts', () => ({ shell: {} }));
vi.mock('./table-names.ts', () => ({ tableNames: () => Promise.resolve([]) }));
vi.mock('./recipe-store.ts', () => ({ loadRecipes }));

const OPTIONS = { format: 'csv', hasHeader: true, delimiter: ',' } as ImportOptions;
const COLUMNS = ['k', '2019'].map((source) => plainChoice(source, source));
const detected = (options: Partial<ImportOptions>): DetectedSource =>
  ({
    fileName: 'years.csv',
    options: { ...OPTIONS, ...options },
    evidence: [],
    readings: [],
    columns: options.hasHeader === false ? ['column1', 'column2'] : ['k', '2019'],
  }) as unknown as DetectedSource;

/** Answers of the engine that are held back until then. */
let late: (() => void)[] = [];
let holds = false;
const imported: ImportPlan[] = [];

beforeEach(() => {
  late = [];
  holds = false;
  imported.length = 0;
  loadRecipes.mockReset().mockResolvedValue([]);
  call
    .mockReset()
    .mockImplementation((operation: string, params: { options: Partial<ImportOptions>; plan: ImportPlan }) => {
      if (operation === 'import.detect')
        return new Promise((resolve) => {
          const answer = (): void => resolve(detected(params.options));
          if (holds) late.push(answer);
          else answer();
        });
      if (operation === 'import.run') imported.push(params.plan);
      return new Promise(() => undefined);
    });
});

const open = (): ImportSession =>
  new ImportSession({
    id: 'tab',
    kind: 'import',
    database: null,
    fileName: 'years.csv',
    token: 't',
    locationId: null,
    into: { database: 'd', table: null },
  } as ImportTab);

it('imports the columns of the options that were chosen last, also if they are still to come', async () => {
  const session = open();
  await vi.waitFor(() => expect(session.useView.getState().columns).toHaveLength(2));
  holds = true;
  void session.setOptions({ hasHeader: false });
  void session.run();
  void session.setOptions({ hasHeader: false, delimiter: ';' });
  for (const answer of late.splice(0, 1)) answer();
  await Promise.resolve();
  expect(imported).toEqual([]);
  for (const answer of late) answer();
  await vi.waitFor(() => expect(imported).toHaveLength(1));
  expect(imported[0]).toMatchObject({
    options: { hasHeader: false, delimiter: ';' },
    columns: [{ name: 'column1' }, { name: 'column2' }],
  });
});

it('offers the choices for an earlier file with the first look at this one, not later', async () => {
  let load: (recipes: readonly Recipe[]) => void = () => undefined;
  loadRecipes.mockReturnValue(new Promise((resolve) => (load = resolve)));
  const session = open();
  const offers: boolean[] = [];
  session.useView.subscribe(() => {
    const { detected: file, columns, recipe } = session.useView.getState();
    if (file && columns.length > 0) offers.push(recipe !== null);
  });
  await vi.waitFor(() => expect(loadRecipes).toHaveBeenCalled());
  await new Promise((resolve) => setTimeout(resolve));
  const { options, target } = session.useView.getState();
  load([recipeOf('years.csv', { options: { ...OPTIONS, ...options, nullTokens: [] }, target, columns: COLUMNS }, 0)]);
  await vi.waitFor(() => expect(offers.length).toBeGreaterThan(0));
  expect(offers).not.toContain(false);
});

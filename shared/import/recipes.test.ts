// Tests which earlier choices fit a file, what is different in it, and what becomes of them.
import { describe, expect, it } from 'vitest';
import type { ColumnFacts, DetectedSource, ImportOptions } from '../protocol/index.ts';
import { plainChoice } from './column-choices.ts';
import type { ColumnChoice } from './column-choices.ts';
import type { TargetChoice } from './target-choice.ts';
import {
  differencesOf,
  findRecipe,
  isSameRecipe,
  patternOf,
  readRecipes,
  recipeChoices,
  recipeOptions,
  recipeTarget,
  recipeTitle,
  withRecipe,
} from './recipes.ts';
import type { Recipe } from './recipes.ts';

const OPTIONS: ImportOptions = {
  format: 'csv',
  encoding: 'windows-1252',
  delimiter: ';',
  quote: '"',
  escape: '',
  skipsBlanks: false,
  hasHeader: true,
  skipLines: 2,
  comment: '#',
  decimalComma: true,
  nullTokens: ['', 'n/a'],
  part: null,
};
const TARGET: TargetChoice = {
  database: 'lib:1',
  databaseName: 'Shop',
  kind: 'new-table',
  newTable: 'sales',
  strict: false,
  table: null,
  mode: 'append',
  key: [],
  existing: 'skip',
};

const choice = (source: string, change: Partial<ColumnChoice> = {}): ColumnChoice => ({
  ...plainChoice(source, source),
  ...change,
});

function recipe(fileName: string, sources: readonly string[], change: Partial<Recipe> = {}): Recipe {
  const options = { ...OPTIONS, nullTokens: [...OPTIONS.nullTokens] };
  const columns = sources.map((source) => ({ ...choice(source) }));
  return { fileName, savedAtMs: 1, options, target: { ...TARGET, key: [] }, columns, ...change };
}

const detected = (fileName: string, columns: readonly string[]): DetectedSource => ({
  fileName,
  columns,
  options: OPTIONS,
  sizeBytes: 1,
  evidence: [],
  parts: [],
  readings: [],
});

describe('finding', () => {
  const may = recipe('sales-2026-05.csv', ['day', 'shop', 'amount']);

  it('numbers in a name are no difference', () => {
    expect(patternOf('Sales-2026-05.CSV')).toBe(patternOf('sales-2027-11.csv'));
  });

  it('takes the next file of the same name, also with a column more or less', () => {
    expect(findRecipe([may], detected('sales-2026-06.csv', ['day', 'shop', 'amount', 'tax']))).toBe(may);
    expect(findRecipe([may], detected('sales-2026-06.csv', ['day', 'shop']))).toBe(may);
  });

  it('takes any file of the same columns, whatever it is called', () => {
    expect(findRecipe([may], detected('download.csv', ['amount', 'day', 'shop']))).toBe(may);
  });

  it('takes none of other columns, another format, or a different name with other columns', () => {
    expect(findRecipe([may], detected('sales-2026-06.csv', ['name', 'street', 'day']))).toBeNull();
    expect(
      findRecipe([may], {
        ...detected('sales-2026-06.csv', ['day', 'shop', 'amount']),
        options: { ...OPTIONS, format: 'json' },
      }),
    ).toBeNull();
    expect(findRecipe([may], detected('other.csv', ['day', 'shop']))).toBeNull();
  });

  it('prefers the name, then the newest', () => {
    const other = recipe('download.csv', ['day', 'shop', 'amount'], { savedAtMs: 9 });
    const newer = recipe('sales-2026-04.csv', ['day', 'shop', 'amount'], { savedAtMs: 2 });
    expect(findRecipe([other, may, newer], detected('sales-2026-06.csv', ['day', 'shop', 'amount']))).toBe(newer);
  });
});

describe('differences', () => {
  const facts = (...types: readonly ColumnFacts['suggested'][]): readonly ColumnFacts[] =>
    types.map((suggested) => ({ suggested }) as ColumnFacts);
  const kept = recipe('a.csv', [], {
    columns: [
      choice('id', { type: 'INTEGER' }),
      choice('zip', { type: 'INTEGER' }),
      choice('left out', { name: null }),
    ],
  });

  it('are new and missing columns, and other types', () => {
    expect(differencesOf(kept, ['id', 'zip', 'note'], facts('INTEGER', 'TEXT', 'TEXT'))).toEqual([
      'New in this file: “note”.',
      '“zip” was INTEGER and is now TEXT.',
    ]);
    expect(differencesOf(kept, ['id'], null)).toEqual(['Missing in this file: “zip”.']);
  });

  it('are none in a file of the same shape, nor for a type that was chosen by hand', () => {
    expect(differencesOf(kept, ['id', 'zip'], facts('INTEGER', 'INTEGER'))).toEqual([]);
    const byHand = recipe('a.csv', [], { columns: [choice('zip', { type: 'TEXT', isTypeChosen: true })] });
    expect(differencesOf(byHand, ['zip'], facts('INTEGER'))).toEqual([]);
  });

  it('do not list two thousand names', () => {
    const many = Array.from({ length: 2000 }, (_, at) => `c${at}`);
    expect(differencesOf(kept, many, null)[0]).toMatch(/^New in this file: .* and 1995 more\.$/);
  });
});

describe('using one', () => {
  it('gives known columns their choices; others go into a new table alone', () => {
    const kept = recipe('a.csv', [], { columns: [choice('id', { name: 'key', expression: 'value + 1' })] });
    expect(recipeChoices(kept, ['id', 'new'], 'new-table').map(({ name, expression }) => [name, expression])).toEqual([
      ['key', 'value + 1'],
      ['new', ''],
    ]);
    expect(recipeChoices(kept, ['id', 'new'], 'table').map(({ name }) => name)).toEqual(['key', null]);
  });

  it('reads the file as before, but from a sheet that it has', () => {
    const sheets = recipe('a.xlsx', []);
    const here = { ...detected('b.xlsx', []), parts: ['May'], options: { ...OPTIONS, part: 'May' } };
    const with_ = (part: string): Recipe => ({ ...sheets, options: { ...sheets.options, part } });
    expect(recipeOptions(with_('April'), here).part).toBe('May');
    expect(recipeOptions(with_('May'), here).skipLines).toBe(2);
  });

  it('adds to the table that it made before', () => {
    const { target, note } = recipeTarget(recipe('a.csv', []), ['Sales'], TARGET);
    expect(target).toMatchObject({ kind: 'table', table: 'Sales', mode: 'append', database: 'lib:1' });
    expect(note).toContain('“Sales” now exists');
  });

  it('goes into the same table again, or makes it anew when it is gone', () => {
    const into = recipe('a.csv', [], {
      target: { ...TARGET, key: ['id'], kind: 'table', table: 'sales', mode: 'upsert' },
    });
    expect(recipeTarget(into, ['sales'], TARGET)).toMatchObject({
      target: { mode: 'upsert', key: ['id'] },
      note: null,
    });
    expect(recipeTarget(into, [], TARGET).target).toMatchObject({ kind: 'new-table', newTable: 'sales' });
  });

  it('stays where the person is when the database is not open', () => {
    const here = { ...TARGET, database: 'lib:2', newTable: 'a' };
    const { target, note } = recipeTarget(recipe('a.csv', []), null, here);
    expect(target).toMatchObject({ kind: 'new-table', database: 'lib:2', newTable: 'a' });
    expect(note).toContain('not open');
  });
});

describe('what is stored', () => {
  it('takes the place of the one for the same name and columns', () => {
    const [may, june] = ['sales-05.csv', 'sales-06.csv'].map((name) => recipe(name, ['a']));
    const other = recipe('sales-05.csv', ['b']);
    expect(withRecipe([may!, other], june!)).toEqual([june, other]);
  });

  it.each([-1, 0.5, 1e300])('skips no %d lines', (skipLines) => {
    const kept = recipe('a.csv', ['x']);
    expect(readRecipes([{ ...kept, options: { ...kept.options, skipLines } }])).toEqual([]);
  });

  it('is read back; what is no recipe is left out', () => {
    const kept = recipe('a.csv', ['x']);
    const stored: unknown = JSON.parse(JSON.stringify([kept, { fileName: 'b.csv' }, 7]));
    expect(readRecipes(stored)).toEqual([kept]);
    expect(readRecipes(undefined)).toEqual([]);
  });
});

describe('names and added columns', () => {
  it('a name stays when the choices are kept again, and a recipe is the same under another one', () => {
    const before = recipe('sales-05.csv', ['day'], { title: 'Monthly sales' });
    const [kept, ...others] = withRecipe([before], recipe('sales-06.csv', ['day'], { savedAtMs: 2 }));
    expect([recipeTitle(kept!), others]).toEqual(['Monthly sales', []]);
    expect(isSameRecipe(before, { ...before, title: 'Other' })).toBe(true);
    expect(isSameRecipe(before, kept!)).toBe(false);
  });

  it('an added column comes along, and is neither new nor missing in a file', () => {
    const added = { ...choice('kind'), isAdded: true, expression: "'x'" };
    const made = recipe('sales-05.csv', ['day'], { columns: [choice('day'), added] });
    expect(findRecipe([made], detected('sales-06.csv', ['day']))).toBe(made);
    expect(differencesOf(made, ['day'], null)).toEqual([]);
    expect(
      recipeChoices(made, ['day', 'new'], 'new-table').map(({ source, isAdded }) => [source, isAdded ?? false]),
    ).toEqual([
      ['day', false],
      ['new', false],
      ['kind', true],
    ]);
    expect(readRecipes(JSON.parse(JSON.stringify([made])))).toEqual([made]);
  });
});

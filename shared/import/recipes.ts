// Recipes: what was chosen for a file, kept for the next one of the same shape. Matching, differences and what is stored are pure.
import * as v from 'valibot';
import { NAMED_IMPORT_FORMATS } from '../import-formats.ts';
import type { ColumnFacts, DetectedSource, ImportOptions } from '../protocol/index.ts';
import { each } from '../stored.ts';
import { plainChoice } from './column-choices.ts';
import type { ColumnChoice } from './column-choices.ts';
import type { TargetChoice } from './target-choice.ts';

const OPTIONS = v.object({
  format: v.picklist(NAMED_IMPORT_FORMATS.map(({ id }) => id)),
  encoding: v.string(),
  delimiter: v.string(),
  quote: v.string(),
  escape: v.optional(v.string(), ''),
  skipsBlanks: v.optional(v.boolean(), false),
  hasHeader: v.boolean(),
  skipLines: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  comment: v.string(),
  decimalComma: v.boolean(),
  nullTokens: v.array(v.string()),
  part: v.nullable(v.string()),
});

const COLUMN = v.object({
  source: v.string(),
  isAdded: v.optional(v.boolean()),
  isNew: v.optional(v.boolean()),
  place: v.optional(v.number()),
  name: v.nullable(v.string()),
  type: v.string(),
  isTypeChosen: v.boolean(),
  notNull: v.boolean(),
  primaryKey: v.boolean(),
  defaultSql: v.string(),
  expression: v.string(),
});

const TARGET = v.object({
  database: v.nullable(v.string()),
  databaseName: v.string(),
  kind: v.picklist(['new-table', 'table']),
  newTable: v.string(),
  strict: v.boolean(),
  table: v.nullable(v.string()),
  mode: v.picklist(['append', 'replace', 'upsert']),
  key: v.array(v.string()),
  existing: v.picklist(['skip', 'overwrite', 'fill']),
});

const RECIPE = v.object({
  /** Name chosen by the user. */
  title: v.optional(v.string()),
  /** Name of the last file it was used for. */
  fileName: v.string(),
  savedAtMs: v.number(),
  options: OPTIONS,
  target: TARGET,
  columns: v.array(COLUMN),
});

export type Recipe = Readonly<v.InferOutput<typeof RECIPE>>;

/** @param savedAtMs since 1970 */
export const recipeOf = (
  fileName: string,
  {
    options,
    target,
    columns,
  }: {
    readonly options: ImportOptions;
    readonly target: TargetChoice;
    readonly columns: readonly ColumnChoice[];
  },
  savedAtMs: number,
): Recipe => ({
  fileName,
  savedAtMs,
  options: { ...options, nullTokens: [...options.nullTokens] },
  target: { ...target, key: [...target.key] },
  columns: columns.map((column) => ({ ...column })),
});

/** Title by which people know it. */
export const recipeTitle = ({ title, fileName }: Recipe): string => title ?? fileName;

/** Whether both are the same recipe, whatever either is called by now. */
export const isSameRecipe = (a: Recipe, b: Recipe): boolean => a.savedAtMs === b.savedAtMs && a.fileName === b.fileName;

export const readRecipes = (stored: unknown): readonly Recipe[] => v.parse(each(RECIPE), stored);

/** A recipe that fits a file, and how that file differs from the one it was made with. */
export interface OfferedRecipe {
  readonly recipe: Recipe;
  readonly differences: readonly string[];
  readonly isApplied: boolean;
}

const KEPT_RECIPES = 100;
/** Files of one name that have less in common are of different kinds. */
const LEAST_SHARE = 0.5;

/** “sales-2026-05.csv” and “sales-2026-06.csv” have one pattern. */
export const patternOf = (fileName: string): string => fileName.toLowerCase().replace(/\d+/g, '#');

/** Names of the columns that come from the file. */
const sourcesOf = ({ columns }: Recipe): readonly string[] =>
  columns.flatMap(({ source, isAdded }) => (isAdded ? [] : [source]));

/** Share of the column names of both that both have. */
function commonShare(a: readonly string[], b: readonly string[]): number {
  const [one, other] = [new Set(a), new Set(b)];
  const common = [...one].filter((name) => other.has(name)).length;
  return common / Math.max(1, one.size + other.size - common);
}

/** The one that fits best: the same columns, or a name of the same pattern with most of them. The newest of several. */
export function findRecipe(
  recipes: readonly Recipe[],
  { fileName, columns, options }: Pick<DetectedSource, 'fileName' | 'columns' | 'options'>,
): Recipe | null {
  const rated = recipes
    .filter((recipe) => recipe.options.format === options.format)
    .map((recipe) => {
      const share = commonShare(sourcesOf(recipe), columns);
      const hasPattern = patternOf(recipe.fileName) === patternOf(fileName);
      const fits = share === 1 || (hasPattern && share >= LEAST_SHARE);
      return { recipe, score: fits ? share + (hasPattern ? 1 : 0) : 0 };
    })
    .filter(({ score }) => score > 0);
  rated.sort((a, b) => b.score - a.score || b.recipe.savedAtMs - a.recipe.savedAtMs);
  return rated[0]?.recipe ?? null;
}

/** Replaces the recipe for files of the same pattern and columns. */
export function withRecipe(recipes: readonly Recipe[], recipe: Recipe): readonly Recipe[] {
  const key = (one: Recipe): string => JSON.stringify([patternOf(one.fileName), ...sourcesOf(one)]);
  const others = recipes.filter((other) => key(other) !== key(recipe));
  const title = recipe.title ?? recipes.find((other) => key(other) === key(recipe))?.title;
  return [{ ...recipe, ...(title !== undefined && { title }) }, ...others].slice(0, KEPT_RECIPES);
}

const quoted = (names: readonly string[]): string => {
  const shown = names.slice(0, 5).map((name) => `“${name}”`);
  return names.length > shown.length
    ? `${shown.join(', ')}, and ${names.length - shown.length} more`
    : shown.join(', ');
};

/**
 * Sentences about what is not as it was.
 * @param facts of this file; null while they are not known
 */
export function differencesOf(
  recipe: Recipe,
  columns: readonly string[],
  facts: readonly ColumnFacts[] | null,
): readonly string[] {
  const ofFile = recipe.columns.filter(({ isAdded }) => !isAdded);
  const known = new Map(ofFile.map((column) => [column.source, column]));
  const added = columns.filter((name) => !known.has(name));
  const here = new Set(columns);
  const missing = ofFile.filter(({ source, name }) => name !== null && !here.has(source));
  const otherTypes = (facts ?? []).flatMap((fact, at) => {
    const before = known.get(columns[at] ?? fact.name);
    if (!before || before.name === null || before.isTypeChosen || recipe.target.kind !== 'new-table') return [];
    return sameType(before.type, fact.suggested)
      ? []
      : [`“${before.source}” was ${before.type} and is now ${fact.suggested}.`];
  });
  const missingNames = missing.map(({ source }) => source);
  return [
    ...(added.length > 0 ? [`New in this file: ${quoted(added)}.`] : []),
    ...(missing.length > 0 ? [`Missing in this file: ${quoted(missingNames)}.`] : []),
    ...otherTypes,
  ];
}

/** The type NUMERIC of other tables is called ANY in STRICT ones. */
const sameType = (a: string, b: string): boolean => a.replace('ANY', 'NUMERIC') === b.replace('ANY', 'NUMERIC');

/** Its choices for the columns of this file. What it does not know is imported into a new table, and left out of an existing one. */
export function recipeChoices(
  { columns: kept }: Recipe,
  columns: readonly string[],
  kind: TargetChoice['kind'],
): readonly ColumnChoice[] {
  const known = new Map(kept.flatMap((column) => (column.isAdded ? [] : [[column.source, column] as const])));
  return [
    ...columns.map((source) => known.get(source) ?? plainChoice(source, kind === 'new-table' ? source : null)),
    ...kept.filter(({ isAdded }) => isAdded),
  ];
}

/** Options of the recipe, except for a sheet that is not in this file. */
export const recipeOptions = ({ options }: Recipe, { parts, options: here }: DetectedSource): ImportOptions => ({
  ...options,
  part: options.part !== null && parts.includes(options.part) ? options.part : here.part,
});

/**
 * Target of the rows of this file. A table that the recipe has made is there now, and gets the rows.
 * @param tables of the database; null where that is gone
 */
export function recipeTarget(
  { target }: Recipe,
  tables: readonly string[] | null,
  fallback: TargetChoice,
): { readonly target: TargetChoice; readonly note: string | null } {
  const wanted = target.kind === 'table' ? target.table : target.newTable;
  const existing = tables?.find((name) => name.toLowerCase() === wanted?.toLowerCase());
  if (target.database === null || tables === null)
    return {
      target: { ...target, database: fallback.database, kind: 'new-table', newTable: fallback.newTable },
      note: 'The database of the last import is not open. Choose where the rows go.',
    };
  if (existing === undefined)
    return {
      target: { ...target, kind: 'new-table', newTable: wanted ?? fallback.newTable },
      note: target.kind === 'table' ? `The table “${wanted ?? ''}” no longer exists, so a new one is created.` : null,
    };
  if (target.kind === 'table') return { target: { ...target, table: existing }, note: null };
  return {
    target: { ...target, kind: 'table', table: existing, mode: 'append' },
    note: `The table “${existing}” now exists, so the rows go into it.`,
  };
}

// The files of `--recipe` and `--save-recipe`.
import { stat } from 'node:fs/promises';
import { readRecipes, recipeOf } from '#shared/import/recipes.ts';
import type { Recipe } from '#shared/import/recipes.ts';
import { AppError } from '#shared/protocol/errors.ts';
import { isMissing, readError } from '../files/file-errors.ts';
import { realTarget } from '../files/real-target.ts';
import { firstBytes } from '../files/side-files.ts';
import type { ReadLimit } from './files.ts';
import type { Input } from './import-columns.ts';
import { UsageError } from './parse.ts';
import type { CommandSession } from './session.ts';

/** A recipe of 2,000 columns has some 500 KB; a million empty objects in 4 MB took 340 MB of memory. */
const RECIPES: ReadLimit = {
  bytes: 2 << 20,
  sentence: (name) => `“${name}” is larger than 2 MB, so it is no recipe. Nothing was imported.`,
};

/** @throws AppError */
export async function readRecipeFile(session: CommandSession): Promise<readonly Recipe[]> {
  const name = session.options.text('recipe');
  if (name === undefined) return [];
  const recipes = recipesIn((await session.files.readAll(session.pathOf(name), RECIPES)).toString());
  if (recipes.length > 0) return recipes;
  throw AppError.invalid(`“${name}” contains no recipe. Nothing was imported.`);
}

function recipesIn(text: string): readonly Recipe[] {
  try {
    const stored: unknown = JSON.parse(text);
    return readRecipes(Array.isArray(stored) ? stored : [stored]);
  } catch {
    return [];
  }
}

/**
 * Call before anything is changed.
 * @throws UsageError, AppError `exists` for a file that is no recipe, such as the database itself
 */
export async function assertSavesRecipe(session: CommandSession, into: string): Promise<void> {
  const name = session.options.text('save-recipe');
  if (name === undefined) return;
  const path = session.pathOf(name);
  if (realTarget(path) === realTarget(session.pathOf(into)))
    throw new UsageError('--save-recipe names the database itself. Specify another file.');
  const before = await beginningOf(path).catch((thrown: unknown) => {
    if (isMissing(thrown)) return '';
    throw readError(name, thrown);
  });
  if (before === '' || recipesIn(before).length > 0) return;
  throw AppError.exists(
    `“${name}” exists and is no recipe, so it is not replaced. Nothing was imported. Specify another file with --save-recipe.`,
  );
}

/** Empty for what is not a file, which is written into. */
const beginningOf = async (path: string): Promise<string> =>
  (await stat(path)).isFile() ? (await firstBytes(path, RECIPES.bytes)).toString() : '';

/** @throws AppError */
export async function saveRecipe(
  session: CommandSession,
  { detected }: Input,
  chosen: Pick<Parameters<typeof recipeOf>[1], 'target' | 'columns'>,
): Promise<void> {
  const name = session.options.text('save-recipe');
  if (name === undefined) return;
  const recipe = recipeOf(detected.fileName, { options: detected.options, ...chosen }, Date.now());
  await session.files.write(session.pathOf(name), Buffer.from(`${JSON.stringify(recipe, null, 2)}\n`));
}

// Where recipes are kept: one JSON text of the library, for all windows.
import { client } from '../../connection/database-client.ts';
import { parseState, stringifyState } from '../../state/state-json.ts';
import { isSameRecipe, readRecipes, withRecipe } from '#shared/import/recipes.ts';
import type { Recipe } from '#shared/import/recipes.ts';

const KEY = 'import-recipes';

/** Those of all windows, as they are now. What cannot be read is left out. */
export const loadRecipes = async (): Promise<readonly Recipe[]> =>
  readRecipes(parseState(await client.call('state.get', { key: KEY })));

/** Durable when answered, as are all of these. */
export const keepRecipe = async (recipe: Recipe): Promise<void> => keep(withRecipe(await loadRecipes(), recipe));

/** Null: it is called after its file again. */
export async function renameRecipe(recipe: Recipe, title: string | null): Promise<void> {
  const { title: _before, ...rest } = recipe;
  const renamed = title === null ? rest : { ...rest, title };
  await keep((await loadRecipes()).map((other) => (isSameRecipe(other, recipe) ? renamed : other)));
}

export const deleteRecipe = async (recipe: Recipe): Promise<void> =>
  keep((await loadRecipes()).filter((other) => !isSameRecipe(other, recipe)));

async function keep(recipes: readonly Recipe[]): Promise<void> {
  await client.call('state.put', { key: KEY, value: stringifyState(recipes) });
}

// Where recipes are kept: one JSON text of the library, for all windows.
import { client } from '../../connection/database-client.ts';
import { parseState, stringifyState } from '../../state/state-json.ts';
import { readRecipes, withRecipe } from '#shared/import/recipes.ts';
import type { Recipe } from '#shared/import/recipes.ts';

const KEY = 'import-recipes';

/** Those of all windows, as they are now. What cannot be read is left out. */
export const loadRecipes = async (): Promise<readonly Recipe[]> =>
  readRecipes(parseState(await client.call('state.get', { key: KEY })));

/** Durable when answered. */
export async function keepRecipe(recipe: Recipe): Promise<void> {
  const value = stringifyState(withRecipe(await loadRecipes(), recipe));
  await client.call('state.put', { key: KEY, value });
}

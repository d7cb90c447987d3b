// Stores recipes: one JSON text in the library, for all windows.
import { client } from '../../connection/database-client.ts';
import { parseState, stringifyState } from '../../state/state-json.ts';
import { delaysClosing } from '../../state/state-saving.ts';
import { isSameRecipe, readRecipes, withRecipe, type Recipe } from '#shared/import/recipes.ts';

const KEY = 'import-recipes';

/** Current recipes of all windows. Any that cannot be read are left out. */
export const loadRecipes = async (): Promise<readonly Recipe[]> =>
  readRecipes(parseState(await client.call('state.get', { key: KEY })));

/** Durable once it resolves, like all of these. */
export const keepRecipe = (recipe: Recipe): Promise<void> => change((recipes) => withRecipe(recipes, recipe));

/** Null: it is named after its file again. */
export function renameRecipe(recipe: Recipe, title: string | null): Promise<void> {
  const { title: _before, ...rest } = recipe;
  const renamed = title === null ? rest : { ...rest, title };
  return change((recipes) => recipes.map((other) => (isSameRecipe(other, recipe) ? renamed : other)));
}

export const deleteRecipe = (recipe: Recipe): Promise<void> =>
  change((recipes) => recipes.filter((other) => !isSameRecipe(other, recipe)));

function change(changed: (recipes: readonly Recipe[]) => readonly Recipe[]): Promise<void> {
  const write = async (): Promise<void> => {
    await client.call('state.put', { key: KEY, value: stringifyState(changed(await loadRecipes())) });
  };
  return delaysClosing(write());
}

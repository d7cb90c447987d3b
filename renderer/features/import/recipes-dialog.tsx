// The list of recipes: their purpose, their names, and deleting them.
import { useEffect, useState, type ReactNode } from 'react';
import { visibleName } from '#shared/visible-text.ts';
import { recipeTitle, type Recipe } from '#shared/import/recipes.ts';
import { notifyFailure } from '../../state/databases.ts';
import { notify } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatWhen, plural } from '../../ui/format.ts';
import { CommittedField } from '../../ui/committed-field.tsx';
import { deleteRecipe, keepRecipe, loadRecipes, renameRecipe } from './recipe-store.ts';
import { showRecipes, useRecipesShown } from './recipes-shown.ts';
import './recipes-dialog.css';

export function ImportRecipes(): ReactNode {
  const isShown = useRecipesShown((state) => state.isShown);
  return isShown && <RecipesDialog />;
}

function RecipesDialog(): ReactNode {
  const [recipes, setRecipes] = useState<readonly Recipe[] | null>(null);
  const close = (): void => showRecipes(false);
  const load = (): void =>
    void loadRecipes().then(setRecipes, (thrown: unknown) => {
      notifyFailure(thrown);
      close();
    });
  useEffect(load, []);
  const change = (work: Promise<void>): void => void work.then(load, notifyFailure);
  const remove = (recipe: Recipe): void => {
    change(deleteRecipe(recipe));
    notify({
      tone: 'info',
      text: `The recipe “${recipeTitle(recipe)}” was deleted.`,
      action: { label: 'Undo', run: () => change(keepRecipe(recipe)) },
    });
  };
  if (!recipes) return null;
  return (
    <Dialog title="Import recipes" wide onClose={close} footer={<Button onClick={close}>Close</Button>}>
      {recipes.length === 0 && (
        <p>Each import keeps its choices as a recipe for the next file of the same kind. There are none yet.</p>
      )}
      <ul className="stack gap-6 recipes" aria-label="Recipes">
        {recipes.map((recipe) => (
          <li key={`${recipe.savedAtMs} ${recipe.fileName}`} className="recipe">
            <CommittedField
              className="small-field"
              label={`Name of ${recipeTitle(recipe)}`}
              value={recipeTitle(recipe)}
              placeholder={recipe.fileName}
              onCommit={(title) => change(renameRecipe(recipe, title.trim() === '' ? null : title.trim()))}
            />
            <span className="cut dim">{factsOf(recipe)}</span>
            <Button size="small" onClick={() => remove(recipe)}>
              Delete
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** “sales-05.csv: 12 columns into “sales”, yesterday” */
function factsOf({ fileName, target, columns, savedAtMs }: Recipe): string {
  const imported = columns.filter(({ name }) => name !== null).length;
  const table = target.kind === 'table' ? target.table : target.newTable;
  return `${visibleName(fileName)}: ${plural(imported, 'column')} into “${visibleName(table ?? '')}”, ${formatWhen(savedAtMs)}`;
}

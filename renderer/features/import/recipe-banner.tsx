// Offers the choices for an earlier file like this one with one click, and says how the files differ.
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { missingIn } from '#shared/import/new-columns.ts';
import { visibleName } from '#shared/visible-text.ts';
import { formatWhen, plural } from '../../ui/format.ts';
import type { ImportSession } from './import-session.ts';
import { recipeTitle } from '#shared/import/recipes.ts';
import type { OfferedRecipe } from '#shared/import/recipes.ts';
import type { ImportView } from './import-view.ts';
import { showRecipes } from './recipes-shown.ts';

interface RecipeBannerProps {
  readonly session: ImportSession;
  readonly offered: OfferedRecipe;
  readonly view: ImportView;
}

export function RecipeBanner({ session, offered, view }: RecipeBannerProps): ReactNode {
  const { recipe, differences, isApplied } = offered;
  const { target, savedAtMs } = recipe;
  const name = recipeTitle(recipe);
  const newColumns = addable(view);
  const table = target.kind === 'table' ? target.table : target.newTable;
  const said = isApplied
    ? `The choices for “${name}” are used.`
    : `“${name}” was imported into “${table ?? ''}” ${formatWhen(savedAtMs)}.`;
  return (
    <section className="stack fixed gap-4 import-recipe" aria-label="Choices of an earlier import">
      <div className="row gap-12">
        {/* Stays where it is when it has been pressed, and keeps the focus. */}
        <Button
          size="small"
          why={isApplied ? 'These choices are used.' : null}
          onClick={() => void session.applyRecipe()}
        >
          Use the same choices
        </Button>
        <Button size="small" onClick={() => showRecipes(true)}>
          All recipes…
        </Button>
        <p className="fill-x cut" title={said}>
          {said}
        </p>
        {isApplied && newColumns.length > 0 && (
          <Button size="small" onClick={() => session.addToTable(null)}>
            {`Add ${newColumns.length === 1 ? `“${visibleName(newColumns[0]!)}”` : plural(newColumns.length, 'column')} to the table`}
          </Button>
        )}
      </div>
      <ul aria-label="Differences">
        {differences.length === 0 ? (
          <li>It has the same columns.</li>
        ) : (
          differences.map((difference) => <li key={difference}>{difference}</li>)
        )}
      </ul>
    </section>
  );
}

/** Names in the file of the columns that the existing table could get. */
const addable = ({ columns, detail }: ImportView): readonly string[] =>
  detail?.kind === 'table'
    ? missingIn(
        columns,
        detail.columns.map(({ name }) => name),
      ).map((at) => columns[at]!.source)
    : [];

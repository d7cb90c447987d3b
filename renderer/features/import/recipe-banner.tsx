// What was chosen for a file like this one before, offered with one click, and how this file differs from that.
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { formatWhen } from '../../ui/format.ts';
import type { ImportSession } from './import-session.ts';
import type { OfferedRecipe } from '#shared/import/recipes.ts';

interface RecipeBannerProps {
  readonly session: ImportSession;
  readonly offered: OfferedRecipe;
}

export function RecipeBanner({ session, offered }: RecipeBannerProps): ReactNode {
  const { recipe, differences, isApplied } = offered;
  const { target, fileName, savedAtMs } = recipe;
  const table = target.kind === 'table' ? target.table : target.newTable;
  return (
    <section className="import-recipe" aria-label="Choices of an earlier import">
      <p>
        {isApplied
          ? `The choices for “${fileName}” are used.`
          : `“${fileName}” was imported into “${table ?? ''}” ${formatWhen(savedAtMs)}.`}
      </p>
      {!isApplied && (
        <Button size="small" onClick={() => void session.applyRecipe()}>
          Use the same choices
        </Button>
      )}
      {differences.length > 0 && (
        <ul aria-label="Differences">
          {differences.map((difference) => (
            <li key={difference}>{difference}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

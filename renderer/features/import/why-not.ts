// Why an import cannot begin now, as the text of its button.
import { importedOf, nameProblems } from '#shared/import/column-choices.ts';
import type { ImportView } from './import-view.ts';

/** Null: it can. */
export function whyNot({ columns, target, detail, previewProblem, failure }: ImportView): string | null {
  if (failure) return failure.message;
  if (columns.length === 0) return 'There are no rows in this file.';
  if (importedOf(columns).length === 0) return 'No columns are imported.';
  const [problem] = nameProblems(columns).values();
  if (problem !== undefined) return problem;
  if (target.kind === 'table' && !detail) return 'The columns of the table are not known yet.';
  const empty = columns.find(({ isAdded, isNew, expression }) => isAdded && !isNew && expression.trim() === '');
  if (target.kind === 'table' && empty) return `Enter an expression for “${empty.name ?? ''}”, or remove it.`;
  if (target.kind === 'table' && target.mode === 'upsert' && target.key.length === 0)
    return 'Choose the columns of the key.';
  if (previewProblem !== null) return previewProblem;
  return null;
}

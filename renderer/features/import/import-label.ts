// What the button that imports says it will do, and why it cannot.
import { formatCount, plural } from '../../ui/format.ts';
import type { ImportView } from './import-view.ts';
import { importedOf, nameProblems } from '#shared/import/column-choices.ts';
import type { TargetChoice } from '#shared/import/target-choice.ts';
import type { SchemaSnapshot } from '#shared/protocol/index.ts';

/**
 * “Import 3,204 rows”, once they are counted; “Add 5, update 50” for an import by key whose rows have all been tried. A header without rows
 * makes an empty table.
 */
export function importLabel({
  analysis,
  target,
  preview,
}: Pick<ImportView, 'analysis' | 'target' | 'preview'>): string {
  if (analysis?.state !== 'done') return 'Import';
  const { records } = analysis.analysis;
  if (records === 0 && target.kind === 'new-table') return 'Create Empty Table';
  const isTried = preview !== null && preview.preview.records >= records;
  const changes = target.kind === 'table' && target.mode === 'upsert' && isTried ? preview.preview.changes : null;
  return (changes && changesLabel(changes)) || `Import ${plural(records, 'row')}`;
}

function changesLabel({ added, changed, skipped }: NonNullable<Changes>): string {
  const parts = [
    added > 0 && `add ${formatCount(added)}`,
    changed > 0 && `update ${formatCount(changed)}`,
    skipped > 0 && `skip ${formatCount(skipped)}`,
  ];
  const text = parts.filter(Boolean).join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

type Changes = NonNullable<ImportView['preview']>['preview']['changes'];

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

/** “12,345 rows”, “about 12,345 rows”; null: none are replaced, or their number is not known. */
export function replacedRows(
  { kind, mode, table }: Pick<TargetChoice, 'kind' | 'mode' | 'table'>,
  schema: Pick<SchemaSnapshot, 'objects'> | null,
): string | null {
  if (kind !== 'table' || mode !== 'replace') return null;
  const rows = schema?.objects.find((object) => object.kind === 'table' && object.name === table)?.rows;
  if (!rows || rows.count === 0) return null;
  return `${rows.estimated ? 'about ' : ''}${plural(rows.count, 'row')}`;
}

// What the button that imports says it will do.
import { formatCount, plural } from '../../ui/format.ts';
import type { ImportView } from './import-view.ts';

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

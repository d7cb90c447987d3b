// What can become of the columns of the file that are not imported, as a menu.
import { missingIn } from '#shared/import/new-columns.ts';
import { formatCount } from '../../ui/format.ts';
import type { MenuEntry } from '../../ui/menu.tsx';
import type { ImportSession } from './import-session.ts';
import type { ImportView } from './import-view.ts';

/** @param free columns of an existing table that get no value */
export function leftEntries(
  session: Pick<ImportSession, 'nameColumn' | 'addToTable'>,
  { columns, target, detail }: Pick<ImportView, 'columns' | 'target' | 'detail'>,
  free: readonly string[],
): readonly MenuEntry[] {
  const left = columns.flatMap(({ name, source }, at) => (name === null ? [{ source, at }] : []));
  if (target.kind === 'new-table')
    return left.map(({ source, at }) => ({ label: `Import ${source}`, run: () => session.nameColumn(at, source) }));
  const canAdd = detail?.kind === 'table';
  const missing = missingIn(columns, detail?.columns.map(({ name }) => name) ?? []);
  return [
    ...(canAdd && missing.length > 1
      ? [{ label: `Add all ${formatCount(missing.length)} to the table`, run: () => session.addToTable(null) }]
      : []),
    ...left.flatMap(({ source, at }) => [
      ...(free[0] === undefined
        ? []
        : [{ label: `Import ${source} into ${free[0]}`, run: () => session.nameColumn(at, free[0]!) }]),
      ...(canAdd ? [{ label: `Add ${source} to the table`, run: () => session.addToTable(at) }] : []),
    ]),
  ];
}

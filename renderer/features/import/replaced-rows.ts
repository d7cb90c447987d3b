// How many rows of a table an import would replace, as the schema of the window knows it.
import type { TargetChoice } from '#shared/import/target-choice.ts';
import type { SchemaSnapshot } from '#shared/protocol/index.ts';
import { plural } from '../../ui/format.ts';

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

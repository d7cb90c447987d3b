// Virtual tables with their own rows: full-text tables that keep their text, and R-Trees. Rows of others are compared elsewhere, or not
// at all.
import { parseObject } from '#shared/ddl/parse-object.ts';
import type { Connection } from '../engines/engine.ts';
import type { TableShape } from '../schema/table-shape.ts';

/** Why the rows of a table cannot be compared, as the end of a sentence; null if they can. */
export function whyWithoutRows(
  connection: Connection,
  { name, kind }: Pick<TableShape, 'name' | 'kind'>,
): string | null {
  if (kind === 'table') return null;
  if (kind !== 'virtual') return kind === 'view' ? 'it is a view.' : 'it is a part of a virtual table.';
  const row = connection.one("SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?", [name]);
  const model = parseObject(String(row?.[0] ?? ''));
  if (!model.understood || model.kind !== 'virtual') return 'Sidelite cannot read its CREATE statement.';
  const module = model.module.name.toLowerCase();
  if (['rtree', 'rtree_i32', 'geopoly'].includes(module)) return null;
  // Another module's rows may be computed, and need not be there twice.
  if (!['fts3', 'fts4', 'fts5'].includes(module)) return `its rows come from the module “${model.module.name}”.`;
  const content = model.arguments.find(({ option }) => option?.name.toLowerCase() === 'content')?.option?.value;
  if (content === undefined) return null;
  return content === ''
    ? 'it keeps no text, only an index of it.'
    : `it has no text of its own, only an index of “${content}”.`;
}

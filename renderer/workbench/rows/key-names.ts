// The names by which SQL finds one row of a table.
import type { TableSource } from './table-source.ts';

/** Empty if rows of the table have no key. */
export function keyNamesOf({ info, detail }: TableSource): readonly string[] {
  if (info.key.kind !== 'rowid') return info.key.columns.map((at) => info.columns[at]!.name);
  const taken = new Set(detail.columns.map(({ name }) => name.toLowerCase()));
  const free = ['rowid', '_rowid_', 'oid'].find((alias) => !taken.has(alias));
  return [free ?? info.columns[info.key.columns[0]]!.name];
}

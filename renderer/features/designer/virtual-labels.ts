// Labels for changes of an FTS5 or R-Tree table.
import type { ColumnIdentity } from '#shared/ddl/changes.ts';
import { fullTextOf } from '#shared/ddl/full-text.ts';
import type { VirtualTableModel } from '#shared/ddl/object-models.ts';
import { rtreeOf } from '#shared/ddl/rtree.ts';
import { columnsOfVirtual } from '#shared/ddl/virtual-columns.ts';
import { visibleName } from '#shared/visible-text.ts';

const quoted = (name: string): string => `“${visibleName(name)}”`;

export function virtualLabels(
  from: VirtualTableModel,
  to: VirtualTableModel,
  identity: ColumnIdentity,
): readonly string[] {
  if (from.text === to.text) return [];
  const words = [
    ...(from.name.name === to.name.name
      ? []
      : [`Renames the table from ${quoted(from.name.name)} to ${quoted(to.name.name)}`]),
    ...columnLabels(columnsOfVirtual(from) ?? [], columnsOfVirtual(to) ?? [], identity),
    ...fullTextLabels(from, to, identity),
    ...rtreeLabels(from, to),
  ];
  return words.length > 0 ? words : ['Changes only comments, white space, or spelling'];
}

function columnLabels(from: readonly string[], to: readonly string[], identity: ColumnIdentity): readonly string[] {
  const kept = identity.filter((index) => index !== null);
  const dropped = from.filter((_, index) => !kept.includes(index));
  const isReordered = kept.some((index, at) => at > 0 && kept[at - 1]! > index);
  return [
    ...dropped.map((name) => `Drops the column ${quoted(name)} with its values`),
    ...to.flatMap((name, at) => {
      const index = identity[at] ?? null;
      if (index === null) return [`Adds the column ${quoted(name)}`];
      return from[index] === name ? [] : [`Renames the column ${quoted(from[index]!)} to ${quoted(name)}`];
    }),
    ...(isReordered ? [`Reorders the columns: ${to.map(quoted).join(', ')}`] : []),
  ];
}

function fullTextLabels(from: VirtualTableModel, to: VirtualTableModel, identity: ColumnIdentity): readonly string[] {
  const [before, after] = [fullTextOf(from), fullTextOf(to)];
  if (!before || !after) return [];
  const searched = after.columns.flatMap(({ name, unindexed }, at) => {
    const was = before.columns[identity[at] ?? -1]?.unindexed ?? unindexed;
    return was === unindexed
      ? []
      : [unindexed ? `${quoted(name)} is no longer searched` : `${quoted(name)} is searched`];
  });
  const options = [...new Set([...Object.keys(before.options), ...Object.keys(after.options)])].flatMap((option) => {
    const value = after.options[option];
    if (before.options[option] === value) return [];
    return [value === undefined ? `“${option}” becomes the default` : `“${option}” becomes '${value}'`];
  });
  return [...searched, ...options];
}

function rtreeLabels(from: VirtualTableModel, to: VirtualTableModel): readonly string[] {
  const [before, after] = [rtreeOf(from), rtreeOf(to)];
  if (!before || !after || before.integers === after.integers) return [];
  return [after.integers ? 'Coordinates become integers' : 'Coordinates become floating-point numbers'];
}

// Relations in words: for the list, for tooltips, and for users who cannot see the picture; and as SQL that declares them.
import type { Relation, RelationCounts, KeyColumns } from '#shared/protocol/index.ts';
import { formatCount, plural } from '../../ui/format.ts';
import { shownName } from './scene.ts';
import type { Graph } from './graph.ts';

const named = (names: readonly string[]): string => names.map(shownName).join(', ');

/** “invoice (customer_id)”. */
export const fromText = ({ table, columns }: Relation): string => `${shownName(table)} (${named(columns)})`;

export function toText({ target, targetColumns }: Relation): string {
  return targetColumns.length > 0 ? `${shownName(target)} (${named(targetColumns)})` : shownName(target);
}

export function kindText({ origin, optional, single }: Relation): string {
  const many = single ? 'one' : 'many';
  return `${origin === 'likely' ? 'Likely, ' : ''}${many} to ${optional ? 'one or none' : 'one'}`;
}

export function actionsText({ onDelete, onUpdate }: Relation): string | null {
  const parts = [
    ...(onDelete === 'NO ACTION' ? [] : [`ON DELETE ${onDelete}`]),
    ...(onUpdate === 'NO ACTION' ? [] : [`ON UPDATE ${onUpdate}`]),
  ];
  return parts.length > 0 ? parts.join(', ') : null;
}

const average = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

export function countsText(relation: Relation, counts: RelationCounts): string {
  const { rows, without, broken, targets, fewest, most } = counts;
  const parts = [
    targets === 0
      ? `${shownName(relation.target)} has no rows`
      : `${formatCount(fewest)} to ${formatCount(most)} rows for each of ${plural(targets, 'row')}, ${average.format(counts.average)} on average`,
    ...(without > 0 ? [`${formatCount(without)} without a value`] : []),
    broken > 0
      ? `${formatCount(broken)} of ${plural(rows, 'row')} with a value that does not exist in ${shownName(relation.target)}`
      : rows - without > 0
        ? 'every value exists'
        : 'no values to check',
  ];
  return parts.join('; ');
}

/** “invoice, table, 9 columns. Refers to customer. Referred to by invoice_line.” */
export function nodeLabels({ nodes, edges }: Graph): ReadonlyMap<string, string> {
  const to = new Map<string, Set<string>>();
  const from = new Map<string, Set<string>>();
  const note = (map: Map<string, Set<string>>, name: string, other: string): void => {
    const others = map.get(name) ?? new Set();
    map.set(name, others.add(shownName(other)));
  };
  for (const { relation } of edges) {
    note(to, relation.table, relation.target);
    note(from, relation.target, relation.table);
  }
  return new Map(
    nodes.map(({ name, kind, rows, hidden }) => {
      const parts = [
        `${shownName(name)}, ${kind === 'virtual' ? 'virtual table' : kind}, ${plural(rows.length + hidden, 'column')}.`,
        ...(to.has(name) ? [`Refers to ${[...to.get(name)!].join(', ')}.`] : []),
        ...(from.has(name) ? [`Referred to by ${[...from.get(name)!].join(', ')}.`] : []),
      ];
      return [name, parts.join(' ')];
    }),
  );
}

export function foreignKeySql({ table, columns, target, targetColumns }: KeyColumns): string {
  const list = (names: readonly string[]): string => names.map(quoted).join(', ');
  const pairs = columns.map((column, at) => `p.${quoted(targetColumns[at]!)} = c.${quoted(column)}`);
  const whole = columns.map((column) => `c.${quoted(column)} IS NOT NULL`);
  return [
    '-- SQLite accepts a foreign key only in the CREATE TABLE statement of its table. The line would be:',
    `--   FOREIGN KEY (${oneLine(list(columns))}) REFERENCES ${oneLine(quoted(target))} (${oneLine(list(targetColumns))})`,
    '-- These rows would violate it:',
    'SELECT c.*',
    `FROM ${quoted(table)} AS c`,
    `WHERE ${whole.join(' AND ')}`,
    `  AND NOT EXISTS (SELECT 1 FROM ${quoted(target)} AS p WHERE ${pairs.join(' AND ')});`,
    '',
  ].join('\n');
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A comment ends with its line; anything after that would be run. */
const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ');

// Actions on a table or a line of a diagram.
import { asStatement } from '#shared/ddl/definition-statement.ts';
import type { DatabaseId, Relation } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import type { MenuEntry } from '../../ui/menu.tsx';
import { openDesign } from '../../workbench/tabs/design.ts';
import { openDiagram } from '../../workbench/tabs/diagram.ts';
import { askForeignKey } from '../../workbench/objects/object-actions.ts';
import { openQuery } from '../../workbench/tabs/query.ts';
import { openTable } from '../../workbench/tabs/table.ts';
import type { GraphNode } from './graph.ts';
import { foreignKeySql } from './relation-labels.ts';

export function tableMenu(
  database: DatabaseId,
  node: GraphNode,
  onFold: (table: string) => void,
): readonly MenuEntry[] {
  const { name, folds, hidden } = node;
  return [
    { label: 'Open', hint: 'Enter', run: () => void openTable(database, name) },
    { label: 'Design table', run: () => void design(database, name).catch(notifyFailure) },
    { label: 'Show tables one step away', run: () => void openDiagram(database, name, 1) },
    { label: 'Show tables two steps away', run: () => void openDiagram(database, name, 2) },
    ...(folds
      ? ['separator' as const, { label: hidden > 0 ? 'Show all columns' : 'Show keys only', run: () => onFold(name) }]
      : []),
    'separator',
    { label: 'Copy name', run: () => void shell.writeClipboard(name).catch(notifyFailure) },
    { label: 'Copy CREATE statement', run: () => void copyCreate(database, name).catch(notifyFailure) },
  ];
}

export function relationMenu(
  database: DatabaseId,
  relation: Relation,
  does: { readonly count: () => void; readonly goTo: (table: string) => void },
): readonly MenuEntry[] {
  return [
    { label: 'Count rows', run: does.count },
    ...(relation.origin === 'likely'
      ? [{ label: 'Add foreign key…', run: () => void askForeignKey(database, relation) }]
      : []),
    ...(relation.origin === 'likely' ? [{ label: 'Show as SQL', run: () => showAsSql(database, relation) }] : []),
    'separator',
    { label: `Go to ${relation.table}`, run: () => does.goTo(relation.table) },
    { label: `Go to ${relation.target}`, run: () => does.goTo(relation.target) },
  ];
}

/** Runs nothing: before declaring the key, the user should look at the rows that would violate it. */
export function showAsSql(database: DatabaseId, relation: Relation): void {
  openQuery(database, { sql: foreignKeySql(relation) });
}

async function design(database: DatabaseId, table: string): Promise<void> {
  const { sql } = await client.call('schema.table', { database, table });
  if (sql !== null) openDesign(database, table, sql);
}

async function copyCreate(database: DatabaseId, table: string): Promise<void> {
  const { sql } = await client.call('schema.table', { database, table });
  await shell.writeClipboard(asStatement(sql ?? ''));
}

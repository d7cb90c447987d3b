// What can be done with an object of the schema, and the menu of it.
import type { DatabaseId, SchemaObject } from '#shared/protocol/index.ts';
import { shell } from '../../connection/shell.ts';
import { commandKeyLabel } from '../../workbench/commands.ts';
import { openDesign } from '../../workbench/design-tabs.ts';
import { showExport } from '../../workbench/export-request.ts';
import { openHealth } from '../../workbench/health-tabs.ts';
import { chooseAndImport } from '../../workbench/import-tabs.ts';
import { openDiagram } from '../../workbench/diagram-tabs.ts';
import { openSchemaComparison } from '../../workbench/schema-compare-tabs.ts';
import { openQuery } from '../../workbench/query-tabs.ts';
import { openTable } from '../../workbench/table-tabs.ts';
import type { MenuEntry } from '../../ui/menu.tsx';
import { quoteName } from './quote-name.ts';

/** Indexes and triggers have no rows: their table is opened. */
export function openObject(database: DatabaseId, object: SchemaObject, preview: boolean): void {
  const table = object.kind === 'index' || object.kind === 'trigger' ? object.tableName : object.name;
  openTable(database, table, { preview });
}

export function objectMenu(database: DatabaseId, object: SchemaObject): readonly MenuEntry[] {
  const { kind, name, tableName, sql } = object;
  const hasRows = kind !== 'index' && kind !== 'trigger';
  return [
    { label: hasRows ? 'Open' : `Open ${tableName}`, run: () => openObject(database, object, false) },
    {
      label: 'New query for this',
      run: () =>
        void openQuery(database, { sql: `SELECT *\nFROM ${quoteName(hasRows ? name : tableName)}\nLIMIT 100;\n` }),
    },
    ...(hasRows ? [{ label: 'Show diagram around this', run: () => void openDiagram(database, name) }] : []),
    ...(kind === 'table' && sql !== null
      ? [{ label: 'Design table', run: () => openDesign(database, name, sql) }]
      : []),
    ...(hasRows ? [{ label: 'Export…', run: () => exportObject(database, name) }] : []),
    ...(kind === 'table'
      ? [{ label: 'Import into this table…', run: () => void chooseAndImport({ database, table: name }) }]
      : []),
    'separator',
    { label: 'Copy name', run: () => void shell.writeClipboard(name) },
    { label: 'Copy CREATE statement', run: () => void shell.writeClipboard(`${sql ?? ''};`), disabled: sql === null },
  ];
}

/** Of a heading, and of the room below the objects. */
export function databaseMenu(database: DatabaseId): readonly MenuEntry[] {
  return [
    { label: 'New SQL tab', run: () => void openQuery(database) },
    { label: 'Show diagram', hint: commandKeyLabel('diagram.show'), run: () => void openDiagram(database) },
    { label: 'Show health', run: () => void openHealth(database) },
    { label: 'Compare schema with…', run: () => void openSchemaComparison(database) },
  ];
}

function exportObject(database: DatabaseId, name: string): void {
  const all = { label: `All rows of ${name}`, source: { kind: 'table', table: name }, fileName: name } as const;
  showExport({ database, choices: [all] });
}

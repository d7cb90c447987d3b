// Actions on an object of the schema, as menu entries.
import { asStatement } from '#shared/ddl/definition-statement.ts';
import { writeName } from '#shared/ddl/names.ts';
import type { DatabaseId, SchemaObject, AttachedState } from '#shared/protocol/index.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure, whyReadOnly } from '../../state/databases.ts';
import type { MenuEntry, MenuItem } from '../../ui/menu.tsx';
import { commandKeyLabel } from '../commands/commands.ts';
import { attachDatabase, canAttachTo, detachDatabase } from '../databases/attached-files.ts';
import { addExtension, whyNoExtensions } from '../databases/extensions.ts';
import { askCopyTable, canCopyTable } from './copy-table-request.ts';
import { designedKind, KIND_WORDS, openNewTable, openNewView, openObjectDesign } from '../tabs/design.ts';
import { openDiagram } from '../tabs/diagram.ts';
import { showExport } from '../files/export-request.ts';
import { openHealth } from '../tabs/health.ts';
import { chooseAndImport } from '../tabs/import.ts';
import { keyLabel } from '../commands/key-map.ts';
import { newFullText, newIndex, openNewTrigger } from './new-objects.ts';
import { actionsOf, askObjectAction, type ObjectAction } from './object-actions.ts';
import { showObjectSql } from './object-sql.ts';
import { openQuery } from '../tabs/query.ts';
import { openSchemaComparison } from '../tabs/schema-compare.ts';
import { openSampleRows } from '../tabs/sample-rows.ts';
import { openTable } from '../tabs/table.ts';
import { openUses } from '../tabs/uses.ts';

/** Keys of the schema tree; elsewhere they mean something else. */
export const ACTION_KEYS: Readonly<Partial<Record<string, ObjectAction>>> = { F2: 'rename', Delete: 'drop' };

const LABELS: Readonly<Record<ObjectAction, string>> = {
  rename: 'Rename…',
  reorder: 'Reorder columns…',
  duplicate: 'Duplicate…',
  empty: 'Empty…',
  drop: 'Drop…',
};

/** Indexes and triggers have no rows: their table is opened. */
export function openObject(database: DatabaseId, object: SchemaObject, preview: boolean): void {
  openTable(database, hasRows(object) ? object.name : object.tableName, { preview });
}

export function objectMenu(database: DatabaseId, object: SchemaObject): readonly MenuEntry[] {
  const { kind, name, tableName, sql, corrected } = object;
  const rows = hasRows(object);
  const of = rows ? name : tableName;
  return [
    { label: rows ? 'Open' : `Open ${tableName}`, run: () => openObject(database, object, false) },
    {
      label: 'New SQL tab',
      run: () => void openQuery(database, { sql: `SELECT *\nFROM ${writeName(of)}\nLIMIT 100;\n` }),
    },
    ...(corrected === undefined
      ? []
      : [
          {
            label: 'Correct quotes in a new SQL tab',
            run: () => void openQuery(database, { sql: `DROP VIEW ${writeName(name)};\n${corrected};\n` }),
          },
        ]),
    ...(object.missing !== undefined && whyNoExtensions(database) === null
      ? [{ label: 'Load extension…', run: () => void addExtension(database) }]
      : []),
    { label: 'Show SQL', hint: keyLabel('CmdOrCtrl+Click'), run: () => showObjectSql(database, object) },
    ...designEntries(database, object),
    ...(rows ? [{ label: 'Show in diagram', run: () => void openDiagram(database, name) }] : []),
    ...(rows ? [{ label: 'What uses this?', run: () => void openUses(database, name) }] : []),
    ...(rows ? [{ label: 'Export…', run: () => exportObject(database, name) }] : []),
    ...copyEntry(database, object),
    ...(kind === 'table'
      ? [
          { label: 'Import into this table…', run: () => void chooseAndImport({ database, table: name }) },
          { label: 'Fill with sample rows…', run: () => openSampleRows(database, name) },
        ]
      : []),
    ...changes(database, object),
    'separator',
    { label: 'Copy name', run: () => void shell.writeClipboard(name).catch(notifyFailure) },
    {
      label: 'Copy CREATE statement',
      run: () => void shell.writeClipboard(asStatement(sql ?? '')).catch(notifyFailure),
      disabled: sql === null,
    },
  ];
}

function copyEntry(database: DatabaseId, object: SchemaObject, into?: DatabaseId): readonly MenuItem[] {
  return canCopyTable(object) ? [{ label: 'Copy to database…', run: () => askCopyTable(database, object, into) }] : [];
}

function designEntries(database: DatabaseId, object: SchemaObject): readonly MenuEntry[] {
  const kind = designedKind(object);
  if (kind === null) return [];
  const { name } = object;
  const own: readonly MenuEntry[] = [
    ...(kind === 'table'
      ? [
          { label: 'New index…', run: () => void newIndex(database, name).catch(notifyFailure) },
          { label: 'New full-text table from this…', run: () => void newFullText(database, name).catch(notifyFailure) },
        ]
      : []),
    { label: 'New trigger…', run: () => openNewTrigger(database, object) },
    { label: 'New view from this…', run: () => openNewView(database, name) },
  ];
  return [
    { label: `Design ${KIND_WORDS[kind]}`, run: () => openObjectDesign(database, object) },
    ...(kind === 'table' || kind === 'view' ? own : []),
  ];
}

function changes(database: DatabaseId, object: SchemaObject): readonly MenuEntry[] {
  const actions = actionsOf(object);
  if (actions.length === 0) return [];
  const disabled = whyReadOnly(database) !== null;
  const keys = new Map(Object.entries(ACTION_KEYS).map(([key, action]) => [action, key]));
  const items = actions.map((action): MenuItem => {
    const key = keys.get(action);
    const danger = action === 'drop' || action === 'empty';
    const run = (): void => void askObjectAction(database, object, action);
    return { label: LABELS[action], run, disabled, ...(danger && { danger }), ...(key && { hint: keyLabel(key) }) };
  });
  return ['separator', ...items];
}

/** Menu of a heading, and of the empty area below the objects. */
export function databaseMenu(database: DatabaseId): readonly MenuEntry[] {
  return [
    { label: 'New SQL tab', run: () => void openQuery(database) },
    { label: 'New table…', run: () => openNewTable(database) },
    { label: 'New view…', run: () => openNewView(database, null) },
    { label: 'Show diagram', hint: commandKeyLabel('diagram.show'), run: () => void openDiagram(database) },
    { label: 'Show health', run: () => void openHealth(database) },
    { label: 'Compare schema with…', run: () => void openSchemaComparison(database) },
    ...(canAttachTo(database) ? [{ label: 'Attach database…', run: () => void attachDatabase(database) }] : []),
  ];
}

export function attachedMenu(database: DatabaseId, attached: AttachedState): readonly MenuEntry[] {
  return [
    {
      label: 'New SQL tab',
      run: () => void openQuery(database, { sql: `SELECT *\nFROM ${writeName(attached.name)}.` }),
      disabled: attached.why !== null,
    },
    { label: 'Detach', run: () => void detachDatabase(database, attached) },
  ];
}

export function attachedObjectMenu(
  database: DatabaseId,
  { name: schema, file }: AttachedState,
  object: SchemaObject,
): readonly MenuEntry[] {
  const name = `${writeName(schema)}.${writeName(object.name)}`;
  return [
    { label: 'Open', run: () => openObject(file, object, false) },
    { label: 'New SQL tab', run: () => void openQuery(database, { sql: `SELECT *\nFROM ${name}\nLIMIT 100;\n` }) },
    { label: 'Show SQL', hint: keyLabel('CmdOrCtrl+Click'), run: () => showObjectSql(file, object) },
    ...copyEntry(file, object, database),
    'separator',
    { label: 'Copy name', run: () => void shell.writeClipboard(name).catch(notifyFailure) },
  ];
}

const hasRows = ({ kind }: SchemaObject): boolean => kind !== 'index' && kind !== 'trigger';

function exportObject(database: DatabaseId, name: string): void {
  const all = { label: `All rows of ${name}`, source: { kind: 'table', table: name }, fileName: name } as const;
  showExport({ database, choices: [all] });
}

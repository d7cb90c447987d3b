// Everything a diagram of the schema shows, from SQLite's pragmas: tables, columns, foreign keys, and keys that are likely meant.
import { likelyParents } from '#shared/likely-parents.ts';
import { primaryKeyOf } from '#shared/primary-key.ts';
import type { DiagramColumn, DiagramTable, Relation, SchemaDiagram } from '#shared/protocol/schema-diagram.ts';
import { foldName } from '#shared/ddl/names.ts';
import type { Connection } from '../engines/engine.ts';
import { listTables } from '../engines/table-list.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import { schemaVersion, withoutGenerated } from './schema-objects.ts';
import { uniqueKeysOf } from './unique-keys.ts';

interface DeclaredKey {
  readonly target: string;
  readonly onUpdate: string;
  readonly onDelete: string;
  readonly columns: readonly { readonly from: string; readonly to: string | null }[];
}

export function* readDiagram(turn: Pick<Turn, 'connection' | 'deadlineMs'>): Generator<Pause, SchemaDiagram> {
  const { connection } = turn;
  const tables: KeyedTable[] = [];
  const declared: { readonly table: string; readonly key: DeclaredKey }[] = [];
  for (const { name, kind } of shownTables(connection)) {
    const columns = columnsOf(connection, name);
    const uniqueKeys = kind === 'table' ? keysOf(connection, name, columns) : [];
    tables.push({ name, kind, columns, uniqueKeys });
    if (kind === 'table') for (const key of declaredKeys(connection, name)) declared.push({ table: name, key });
    if (performance.now() >= turn.deadlineMs) yield 'between';
  }
  const known = new Map(tables.map((table) => [table.name.toLowerCase(), table]));
  const relations = declared.map(({ table, key }) => declaredRelation(known.get(table.toLowerCase())!, key, known));
  const likely = likelyKeys(
    tables.filter(({ kind }) => kind === 'table'),
    relations,
  );
  return {
    tables: tables.map(({ name, kind, columns }) => ({ name, kind, columns })),
    relations: [...relations, ...likely],
    schemaVersion: schemaVersion(connection),
  };
}

function shownTables(
  connection: Connection,
): readonly { readonly name: string; readonly kind: DiagramTable['kind'] }[] {
  const shown = listTables(connection).flatMap(({ name, kind }) =>
    kind === 'shadow' || name.startsWith('sqlite_') ? [] : [{ name, kind, key: foldName(name) }],
  );
  return shown.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

/** The columns of a broken view, or of a virtual table without its module, are unknown. */
function columnsOf(connection: Connection, table: string): readonly DiagramColumn[] {
  try {
    const rows = connection.all(
      'SELECT name, type, "notnull", pk, hidden FROM temp.pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid',
      [table],
    ) as readonly (readonly [string, string, number, number, number])[];
    return rows.map(([name, type, notNull, pk, hidden]) => ({
      name,
      declaredType: hidden > 1 ? withoutGenerated(type) : type,
      notNull: notNull === 1,
      primaryKeyIndex: pk,
    }));
  } catch {
    return [];
  }
}

/** Lists the primary key first. */
function keysOf(connection: Connection, table: string, columns: readonly DiagramColumn[]): KeyedTable['uniqueKeys'] {
  const primary = primaryKeyOf(columns).map(({ name }) => name);
  const others = uniqueKeysOf(connection, table).map((key) => key.columns);
  return primary.length > 0 ? [primary, ...others] : others;
}

/** Foreign keys in declaration order, which is the reverse of the pragma's. */
function declaredKeys(connection: Connection, table: string): readonly DeclaredKey[] {
  const rows = connection.all(
    `SELECT id, "table", "from", "to", on_update, on_delete FROM temp.pragma_foreign_key_list(?, 'main') ORDER BY id DESC, seq`,
    [table],
  ) as readonly (readonly [number, string, string, string | null, string, string])[];
  const keys = new Map<number, DeclaredKey & { columns: { from: string; to: string | null }[] }>();
  for (const [id, target, from, to, onUpdate, onDelete] of rows) {
    const key = keys.get(id) ?? { target, onUpdate, onDelete, columns: [] };
    keys.set(id, key);
    key.columns.push({ from, to });
  }
  return [...keys.values()];
}

function declaredRelation(table: KeyedTable, key: DeclaredKey, known: ReadonlyMap<string, KeyedTable>): Relation {
  const target = known.get(key.target.toLowerCase());
  const columns = key.columns.map(({ from }) => asDeclared(table, from) ?? from);
  const primary = target?.uniqueKeys[0] && isPrimary(target, target.uniqueKeys[0]) ? target.uniqueKeys[0] : [];
  // A key that names no columns means the primary key (sqlite.org/foreignkeys.html).
  const named = key.columns.map(({ to }, at) => (to === null ? primary[at] : target && asDeclared(target, to)));
  const targetColumns = named.filter((name) => name !== undefined);
  const isWhole = targetColumns.length === columns.length;
  return {
    table: table.name,
    columns,
    target: target?.name ?? key.target,
    targetColumns: isWhole ? targetColumns : [],
    origin: 'declared',
    onUpdate: key.onUpdate,
    onDelete: key.onDelete,
    ...multiplicity(table, columns),
    problem: !target
      ? `There is no table “${key.target}”.`
      : isWhole
        ? null
        : `“${target.name}” has no such columns to refer to.`,
  };
}

const asDeclared = (table: KeyedTable, column: string): string | undefined =>
  table.columns.find(({ name }) => name.toLowerCase() === column.toLowerCase())?.name;

const isPrimary = (table: KeyedTable, key: readonly string[]): boolean =>
  table.columns.some(({ name, primaryKeyIndex }) => primaryKeyIndex > 0 && name === key[0]);

// Likely foreign keys that the schema does not declare.

/** Finds at most one per column; none for a column of a declared key, and none where two tables would do equally well. */
export function likelyKeys(tables: readonly KeyedTable[], declared: readonly Relation[]): readonly Relation[] {
  const parentOf = likelyParents(tables);
  const taken = new Set(
    declared.flatMap(({ table, columns }) => columns.map((column) => `${table}\0${column}`.toLowerCase())),
  );
  return tables.flatMap((table) =>
    table.columns.flatMap((column): readonly Relation[] => {
      if (taken.has(`${table.name}\0${column.name}`.toLowerCase())) return [];
      const parent = parentOf(table, column);
      if (!parent) return [];
      return [
        {
          table: table.name,
          columns: [column.name],
          target: parent.table.name,
          targetColumns: [parent.key.name],
          origin: 'likely',
          onUpdate: 'NO ACTION',
          onDelete: 'NO ACTION',
          ...multiplicity(table, [column.name]),
          problem: null,
        },
      ];
    }),
  );
}

// A table with what is unique in it, and what that says about rows that refer to others.

export interface KeyedTable extends DiagramTable {
  /** Columns that are unique together; the primary key first. */
  readonly uniqueKeys: readonly (readonly string[])[];
}

/** How many rows may be at either end, as far as the schema says. */
function multiplicity(table: KeyedTable, columns: readonly string[]): Pick<Relation, 'optional' | 'single'> {
  const inKey = new Set(columns.map((name) => name.toLowerCase()));
  return {
    optional: table.columns.some(
      ({ name, notNull, primaryKeyIndex }) => inKey.has(name.toLowerCase()) && !notNull && primaryKeyIndex === 0,
    ),
    single: table.uniqueKeys.some((key) => key.every((name) => inKey.has(name.toLowerCase()))),
  };
}

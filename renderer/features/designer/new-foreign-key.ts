// Initial state of a new foreign key: its column, and the table that this column is likely to refer to.
import { constraintAt, constraintsOf, positionOfPrimaryKey } from '#shared/ddl/edit-table.ts';
import { sameName } from '#shared/ddl/names.ts';
import type { IndexModel } from '#shared/ddl/object-models.ts';
import { parseObject } from '#shared/ddl/parse-object.ts';
import type { IndexedColumn, TableModel } from '#shared/ddl/table-model.ts';
import type { ForeignKeyDefinition } from '#shared/ddl/write-constraint.ts';
import { likelyParents, type NamedColumn, type NamedTable } from '#shared/likely-parents.ts';
import type { SchemaObject } from '#shared/protocol/index.ts';
import { asWritten } from './lists.ts';

/** Placeholder for the referenced table until one is chosen. */
export const NO_TABLE = '';

interface Designed {
  readonly model: TableModel;
  /** Name of the table in the database; null: a new one. */
  readonly name: string | null;
  readonly objects: readonly SchemaObject[];
}

/** @param selected the column that the user has selected; null: the first one that is likely to refer to a table and does not yet */
export function newForeignKey(designed: Designed, selected: number | null): ForeignKeyDefinition {
  const { columns } = designed.model;
  const parentOf = parentsFor(designed);
  if (selected !== null) return parentOf(selected);
  const keys = constraintsOf(designed.model).flatMap((one) => (one.kind === 'foreign-key' ? one.columns : []));
  const free = columns.flatMap(({ name }, index) => (keys.some((key) => sameName(key.name, name.name)) ? [] : [index]));
  return free.map(parentOf).find(({ table }) => table !== NO_TABLE) ?? parentOf(free[0] ?? 0);
}

/** The key of one column with its likely table, or with {@link NO_TABLE}. */
export function foreignKeyOf(designed: Designed, column: string): ForeignKeyDefinition {
  return parentsFor(designed)(designed.model.columns.findIndex(({ name }) => sameName(name.name, column)));
}

function parentsFor({ model, name, objects }: Designed): (column: number) => ForeignKeyDefinition {
  const own = namedTable(model, uniqueIndexes(objects, name));
  const others = objects.flatMap((object): readonly NamedTable[] => {
    if (object.kind !== 'table' || object.name === name || object.sql === null) return [];
    const other = parseObject(object.sql);
    return other.understood && other.kind === 'table' ? [namedTable(other, uniqueIndexes(objects, object.name))] : [];
  });
  const parentOf = likelyParents([own, ...others]);
  return (index) => {
    const column = own.columns[index]!;
    const parent = parentOf(own, column);
    return {
      columns: [column.name],
      table: parent?.table.name ?? NO_TABLE,
      referencedColumns: parent ? [parent.key.name] : [],
    };
  };
}

/** The table with all keys that a foreign key can refer to (sqlite.org/foreignkeys.html#fk_indexes). */
function namedTable(model: TableModel, indexes: readonly IndexModel[]): NamedTable {
  const position = positionOfPrimaryKey(model);
  const primary = position && constraintAt(model, position);
  const names = model.columns.map(({ name }) => name.name);
  const namesOf = (columns: readonly IndexedColumn[]): readonly string[] =>
    columns.map(({ column }) => asWritten(names, column!.name));
  const key = primary?.kind === 'primary-key' ? namesOf(primary.columns) : [];
  const unique = constraintsOf(model).flatMap((one) => (one.kind === 'unique' ? [namesOf(one.columns)] : []));
  const columns = model.columns.map(({ name, type }): NamedColumn => ({
    name: name.name,
    declaredType: type?.sql ?? '',
    primaryKeyIndex: key.indexOf(name.name) + 1,
  }));
  const all = [...(key.length === 0 ? [] : [key]), ...unique, ...indexes.map((index) => namesOf(index.columns))];
  return { name: model.name.name, columns, uniqueKeys: withoutRepeats(all) };
}

/** Unique indexes that cover every row and use the columns' own collations. */
function uniqueIndexes(objects: readonly SchemaObject[], table: string | null): readonly IndexModel[] {
  return objects.flatMap(({ kind, tableName, sql }) => {
    if (kind !== 'index' || tableName !== table || sql === null) return [];
    const index = parseObject(sql);
    if (!index.understood || index.kind !== 'index' || index.unique === null || index.where !== null) return [];
    return index.columns.every(({ column, collation }) => column !== null && collation === null) ? [index] : [];
  });
}

/** Removes duplicates, which would be two equally good candidates. */
function withoutRepeats(keys: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()];
}

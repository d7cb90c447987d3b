// Labels for changes of a table: in the designer, and where schemas are compared.
import type { TableChange } from '#shared/ddl/changes.ts';
import type { ForeignKeyConstraint, IndexedColumn, Name } from '#shared/ddl/table-model.ts';
import { visibleName } from '#shared/visible-text.ts';

const quoted = (name: string): string => `“${visibleName(name)}”`;

function listOf(columns: readonly (IndexedColumn | Name)[]): string {
  return columns
    .map((column) => quoted('name' in column ? column.name : (column.column?.name ?? column.expression.sql)))
    .join(', ');
}

export function changeLabel(change: TableChange): string {
  switch (change.kind) {
    case 'rename-table':
      return `Renames the table from ${quoted(change.from)} to ${quoted(change.to)}`;
    case 'drop-column':
      return `Drops the column ${quoted(change.column.name.name)} with its values`;
    case 'rename-column':
      return `Renames the column ${quoted(change.from)} to ${quoted(change.to)}`;
    case 'add-column':
      return `Adds the column ${quoted(change.column.name.name)}`;
    case 'reorder-columns':
      return `Reorders the columns: ${change.to.map(quoted).join(', ')}`;
    case 'set-type':
      return `Changes the type of ${quoted(change.column)} from ${change.from || 'none'} to ${change.to || 'none'}`;
    case 'set-not-null':
      return change.to ? `${quoted(change.column)} becomes NOT NULL` : `${quoted(change.column)} allows NULL`;
    case 'set-default':
      return change.to === null
        ? `${quoted(change.column)} no longer has a default`
        : `The default of ${quoted(change.column)} becomes ${change.to}`;
    case 'set-collation':
      return `${quoted(change.column)} gets the collation ${change.to}`;
    case 'set-generated':
      return change.to
        ? `${quoted(change.column)} becomes a generated column (${change.to.storage}): ${change.to.expression}`
        : `${quoted(change.column)} becomes an ordinary column`;
    case 'drop-check':
      return `Removes CHECK (${change.constraint.expression.sql})`;
    case 'add-check':
      return `Adds CHECK (${change.constraint.expression.sql})`;
    case 'set-primary-key':
      return change.to ? `The primary key becomes ${listOf(change.to.columns)}` : 'Removes the primary key';
    case 'drop-unique':
      return `Removes UNIQUE (${listOf(change.constraint.columns)})`;
    case 'add-unique':
      return `Adds UNIQUE (${listOf(change.constraint.columns)})`;
    case 'drop-foreign-key':
      return `Removes the foreign key from ${listOf(change.constraint.columns)} to ${quoted(change.constraint.table.name)}`;
    case 'add-foreign-key':
      return `Adds a foreign key from ${listOf(change.constraint.columns)} to ${referencedTable(change.constraint)}`;
    case 'set-strict':
      return change.to ? 'The table becomes STRICT' : 'The table is no longer STRICT';
    case 'set-without-rowid':
      return change.to ? 'The table becomes WITHOUT ROWID' : 'The table becomes a rowid table';
    case 'set-text':
      return 'Changes only comments and white space';
  }
}

/** The designer begins a key without a name of a table. */
function referencedTable({ table }: ForeignKeyConstraint): string {
  return table.name === '' ? 'a table that has not been chosen' : quoted(table.name);
}

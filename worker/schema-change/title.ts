// What the history and the status bar call a change of the schema.
import type { SchemaChange } from '#shared/protocol/schema-change.ts';
import { statementTitle } from '../sql/statement-title.ts';

export function titleOf(changes: readonly SchemaChange[]): string {
  const main = changes.find(({ kind }) => kind === 'change-table') ?? changes[0];
  return main === undefined ? 'Schema change' : titleOfOne(main);
}

function titleOfOne(change: SchemaChange): string {
  switch (change.kind) {
    case 'change-table':
    case 'change-virtual':
      return `Change of table ${change.table}`;
    case 'rename-table':
      return `Rename of table ${change.table} to ${change.to}`;
    case 'empty-table':
      return `Emptying of table ${change.table}`;
    case 'duplicate-table':
      return `Copy of table ${change.table} as ${change.to}`;
    case 'change-object':
      return `Change of ${change.object} ${change.name}`;
    case 'create':
      return statementTitle(change.sql);
    case 'set-number':
      return `Change of ${change.name}`;
    case 'drop':
      return `Drop of ${change.object} ${change.name}`;
  }
}

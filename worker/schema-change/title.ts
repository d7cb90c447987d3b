// Titles for schema changes in the history and the status bar.
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
      return `Change table ${change.table}`;
    case 'rename-table':
      return `Rename table ${change.table} to ${change.to}`;
    case 'empty-table':
      return `Empty table ${change.table}`;
    case 'duplicate-table':
      return `Duplicate table ${change.table} as ${change.to}`;
    case 'change-object':
      return `Change ${change.object} ${change.name}`;
    case 'create':
      return statementTitle(change.sql);
    case 'set-number':
      return `Change ${change.name}`;
    case 'drop':
      return `Drop ${change.object} ${change.name}`;
  }
}

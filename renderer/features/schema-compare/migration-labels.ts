// The steps of a migration, and its result, in words.
import { realChanges } from '#shared/schema-diff/compare-schemas.ts';
import type { ObjectDifference } from '#shared/schema-diff/compare-schemas.ts';
import type { MigrationStep } from '#shared/schema-diff/migration.ts';
import type { Remaining } from '#shared/schema-diff/remaining.ts';
import { visibleName } from '#shared/visible-text.ts';
import { changeLabel } from '../../workbench/objects/table-change-labels.ts';

const KINDS: Readonly<Record<ObjectDifference['kind'], string>> = {
  table: 'table',
  virtual: 'virtual table',
  view: 'view',
  index: 'index',
  trigger: 'trigger',
};

export const nameOf = ({ kind, name }: Pick<ObjectDifference, 'kind' | 'name'>): string =>
  `${KINDS[kind]} “${visibleName(name)}”`;

export function stepLabel({ difference, column, setting }: MigrationStep): string {
  if (setting) return `Set ${setting.name} to ${setting.value}`;
  const object = difference!;
  if (column !== null) return `Drop the column “${visibleName(column)}” from “${visibleName(object.name)}”`;
  if (object.status === 'added') return `Create the ${nameOf(object)}`;
  if (object.status === 'removed') return `Drop the ${nameOf(object)}`;
  const isReplaced = object.kind !== 'table' || object.from?.kind !== 'table';
  return isReplaced ? `Drop and create the ${nameOf(object)}` : `Change the ${nameOf(object)}`;
}

/** The changes within a table, without columns that are steps of their own. */
export function stepDetails({ difference, column }: MigrationStep): readonly string[] {
  if (!difference?.table || column !== null) return [];
  return realChanges(difference.table)
    .filter(({ kind }) => kind !== 'drop-column')
    .map(changeLabel);
}

/** @param what “The copy” */
export function remainingLabel(what: string, { leftOut, unexpected }: Remaining, goal: string): string {
  const list = (objects: readonly ObjectDifference[]): string => objects.map(nameOf).join(', ');
  if (unexpected.length > 0) return `${what} still differs from “${goal}”: ${list(unexpected)}.`;
  if (leftOut.length > 0) return `${what} now matches “${goal}” except for what you left out: ${list(leftOut)}.`;
  return `${what} now matches “${goal}”.`;
}

// Finds what still differs from the goal after a migration.
import { NO_RENAMES } from './accepted-renames.ts';
import { compareSchemas, realChanges } from './compare-schemas.ts';
import type { ObjectDifference } from './compare-schemas.ts';
import type { SchemaText } from '../protocol/schema-comparison.ts';
import type { MigrationStep } from './migration.ts';

export interface Remaining {
  /** Differences that remain because they were left out. */
  readonly leftOut: readonly ObjectDifference[];
  /** Differences that remain although they were not left out. */
  readonly unexpected: readonly ObjectDifference[];
}

/**
 * Compares by meaning, since SQLite rewrites some definitions.
 *
 * @param steps all there were
 */
export function remainingDifferences(
  after: SchemaText,
  goal: SchemaText,
  steps: readonly MigrationStep[],
  chosen: ReadonlySet<string>,
): Remaining {
  const left = new Set(
    steps.flatMap(({ id, difference }) => (chosen.has(id) || difference === null ? [] : [difference])),
  );
  const isLeft = ({ from, to }: ObjectDifference): boolean =>
    [...left].some(
      (other) =>
        (from !== null && (same(other.from, from) || same(other.to, from))) ||
        (to !== null && same(other.to, to)) ||
        // Objects that belong to a table that was left out.
        other.children.some((child) => same(child.from, from) || same(child.to, to)),
    );
  const remaining = compareSchemas(after, goal, { meaningOnly: true, renames: NO_RENAMES })
    .objects.flatMap((object) => [object, ...object.children])
    .filter(({ status, table }) => status !== 'same' && !(table !== null && realChanges(table).length === 0));
  return { leftOut: remaining.filter(isLeft), unexpected: remaining.filter((object) => !isLeft(object)) };
}

const same = (one: ObjectDifference['from'], other: ObjectDifference['from']): boolean =>
  one !== null && other !== null && one.kind === other.kind && one.name.toLowerCase() === other.name.toLowerCase();

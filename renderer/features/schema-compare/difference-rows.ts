// The differences of two schemas as the rows of a tree.
import { differs, realChanges } from '#shared/schema-diff/compare-schemas.ts';
import type { DifferenceStatus, ObjectDifference, SchemaDifference } from '#shared/schema-diff/compare-schemas.ts';
import { changeLabel } from '../../workbench/objects/table-change-labels.ts';

export interface DifferenceRow {
  readonly id: string;
  readonly level: 1 | 2;
  readonly kind: ObjectDifference['kind'] | 'change' | 'settings' | 'setting';
  readonly label: string;
  /** Null for a row that says what has changed in the object above it. */
  readonly status: DifferenceStatus | null;
  /** The object whose texts are shown; null: the settings. */
  readonly object: ObjectDifference | null;
  /** Null if there are no rows below it. */
  readonly isFolded: boolean | null;
}

export interface RowOptions {
  readonly showEqual: boolean;
  readonly filter: string;
  readonly folded: ReadonlySet<string>;
}

export const SETTINGS_ROW = 'settings';

export function differenceRows(difference: SchemaDifference, options: RowOptions): readonly DifferenceRow[] {
  const objects = difference.objects.flatMap((object) => objectRows(object, options));
  return [...objects, ...settingRows(difference, options)];
}

function objectRows(object: ObjectDifference, { showEqual, filter, folded }: RowOptions): readonly DifferenceRow[] {
  if (!showEqual && !differs(object)) return [];
  const isMatch = (name: string): boolean => name.toLowerCase().includes(filter.toLowerCase());
  const children = object.children.filter(
    ({ status, name }) => (showEqual || status !== 'same') && (isMatch(name) || isMatch(object.name)),
  );
  if (!isMatch(object.name) && children.length === 0) return [];
  const changes = object.table ? realChanges(object.table) : [];
  const isFolded = folded.has(object.id);
  const below: readonly DifferenceRow[] = [
    ...changes.map((change, at): DifferenceRow => ({
      id: `${object.id} change ${at}`,
      level: 2,
      kind: 'change',
      label: changeLabel(change),
      status: null,
      object,
      isFolded: null,
    })),
    ...children.map((child): DifferenceRow => ({ ...rowOf(child), level: 2, isFolded: null })),
  ];
  return [{ ...rowOf(object), isFolded: below.length > 0 ? isFolded : null }, ...(isFolded ? [] : below)];
}

const rowOf = (object: ObjectDifference): DifferenceRow => ({
  id: object.id,
  level: 1,
  kind: object.kind,
  label: object.name,
  status: object.status,
  object,
  isFolded: null,
});

function settingRows({ settings }: SchemaDifference, { showEqual, filter, folded }: RowOptions): DifferenceRow[] {
  const shown = settings.filter(
    ({ name, from, to }) => (showEqual || from !== to) && name.includes(filter.toLowerCase()),
  );
  if (shown.length === 0) return [];
  const isFolded = folded.has(SETTINGS_ROW);
  const row = (id: string, label: string, isSame: boolean): DifferenceRow => ({
    id,
    level: 2,
    kind: 'setting',
    label,
    status: isSame ? 'same' : 'changed',
    object: null,
    isFolded: null,
  });
  const isSame = settings.every(({ from, to }) => from === to);
  const heading: DifferenceRow = { ...row(SETTINGS_ROW, 'Options', isSame), level: 1, kind: 'settings', isFolded };
  return [heading, ...(isFolded ? [] : shown.map(({ name, from, to }) => row(`setting ${name}`, name, from === to)))];
}

// The differences between two schemas as a tree: what has to be done to the first to make it like the second.
import { groupBy } from '../group-by.ts';
import type { TableChange, TableDiff } from '../ddl/changes.ts';
import { diffTable, identityByName } from '../ddl/diff-table.ts';
import { foldName, sameName } from '../ddl/names.ts';
import { parseTable } from '../ddl/parse-table.ts';
import type { TableModel } from '../ddl/table-model.ts';
import { COMPARED_SETTINGS } from '../protocol/schema-comparison.ts';
import type { ComparedKind, ComparedObject, ComparedSetting, SchemaText } from '../protocol/schema-comparison.ts';
import type { Renames } from './accepted-renames.ts';
import { sameSql } from './same-sql.ts';

export type DifferenceStatus = 'added' | 'removed' | 'changed' | 'same';

export interface ObjectDifference {
  /** Unique in a comparison, and the same in the next one. */
  readonly id: string;
  readonly kind: ComparedKind;
  /** Name in the goal; for a removed object, the name it has. */
  readonly name: string;
  readonly from: ComparedObject | null;
  readonly to: ComparedObject | null;
  /** Status of the object itself, regardless of its indexes and triggers. */
  readonly status: DifferenceStatus;
  /** Differences of a table whose two texts are understood; null for everything else. */
  readonly table: TableDiff | null;
  /** Indexes and triggers. */
  readonly children: readonly ObjectDifference[];
}

export interface SettingDifference {
  readonly name: ComparedSetting;
  readonly from: string;
  readonly to: string;
}

export interface SchemaDifference {
  /** Tables, virtual tables, and views. */
  readonly objects: readonly ObjectDifference[];
  /** All that both sides know, equal ones included. */
  readonly settings: readonly SettingDifference[];
}

interface CompareOptions {
  /** Comments, white space, quotes of names, and the case of keywords make no difference. */
  readonly meaningOnly: boolean;
  readonly renames: Renames;
}

export function compareSchemas(from: SchemaText, to: SchemaText, options: CompareOptions): SchemaDifference {
  const isRelation = ({ kind }: ComparedObject): boolean => kind !== 'index' && kind !== 'trigger';
  const tableRenames = new Map(options.renames.tables.map((rename) => [foldName(rename.from), rename.to]));
  const goalName = (name: string): string => tableRenames.get(foldName(name)) ?? name;
  const pairs = pairUp(
    from.objects.filter(isRelation),
    to.objects.filter(isRelation),
    ({ name }) => foldName(goalName(name)),
    ({ name }) => foldName(name),
  );
  const owned = pairUp(
    from.objects.filter((object) => !isRelation(object)),
    to.objects.filter((object) => !isRelation(object)),
    ownedKey,
    ownedKey,
  ).map((pair) => compareOwned(pair, goalName, options));
  const owner = ({ from: here, to: there }: ObjectDifference): string =>
    foldName(there?.table ?? goalName(here!.table));
  const byOwner = groupBy(owned, owner);
  const objects = pairs.map((pair) => compareRelation(pair, byOwner, options));
  return { objects: [...objects].sort(byKindAndName), settings: compareSettings(from, to) };
}

interface Pair {
  readonly from: ComparedObject | null;
  readonly to: ComparedObject | null;
}

/** Pairs in the order of the goal, then what only the first has. */
function pairUp(
  from: readonly ComparedObject[],
  to: readonly ComparedObject[],
  keyHere: (object: ComparedObject) => string,
  keyThere: (object: ComparedObject) => string,
): readonly Pair[] {
  const left = new Map(from.map((object) => [keyHere(object), object]));
  const paired = to.map((object): Pair => {
    const key = keyThere(object);
    const other = left.get(key) ?? null;
    left.delete(key);
    return { from: other, to: object };
  });
  return [...paired, ...[...left.values()].map((object): Pair => ({ from: object, to: null }))];
}

/** An index and a trigger may have the same name. */
const ownedKey = ({ kind, name }: ComparedObject): string => `${kind} ${foldName(name)}`;

function compareOwned(pair: Pair, goalName: (name: string) => string, options: CompareOptions): ObjectDifference {
  const { from, to } = pair;
  const { kind, name } = (to ?? from)!;
  const isSamePlace = from !== null && to !== null && sameName(goalName(from.table), to.table);
  const status = statusOf(pair, isSamePlace && sameText(from.sql, to.sql, options));
  return { id: `${kind} ${foldName(name)}`, kind, name, ...pair, status, table: null, children: [] };
}

function compareRelation(
  pair: Pair,
  byOwner: ReadonlyMap<string, readonly ObjectDifference[]>,
  options: CompareOptions,
): ObjectDifference {
  const { from, to } = pair;
  const { kind, name } = (to ?? from)!;
  const isBoth = from !== null && to !== null && from.kind === to.kind;
  const isSame = isBoth && sameText(from.sql, to.sql, options);
  const table = isBoth && !isSame && kind === 'table' ? tableDiff(from, to, options.renames) : null;
  return {
    id: `${kind} ${foldName(name)}`,
    kind,
    name,
    ...pair,
    status: statusOf(pair, isSame),
    table,
    children: [...(byOwner.get(foldName(name)) ?? [])].sort(byKindAndName),
  };
}

function statusOf({ from, to }: Pair, isSame: boolean): DifferenceStatus {
  if (from === null) return 'added';
  if (to === null) return 'removed';
  return isSame ? 'same' : 'changed';
}

const sameText = (one: string, other: string, { meaningOnly }: CompareOptions): boolean =>
  meaningOnly ? sameSql(one, other) : one === other;

/** Null where one of the texts is not understood. */
function tableDiff(from: ComparedObject, to: ComparedObject, renames: Renames): TableDiff | null {
  const [before, after] = [parseTable(from.sql), parseTable(to.sql)];
  if (!before.understood || !after.understood) return null;
  return diffTable(before, after, identityOf(before, after, renames));
}

/** Columns of the same name are the same, and those that a person says were renamed. */
function identityOf(before: TableModel, after: TableModel, renames: Renames): readonly (number | null)[] {
  const mine = renames.columns.filter(({ table }) => sameName(table, after.name.name));
  return identityByName(before, after).map((index, at) => {
    const name = after.columns[at]!.name.name;
    const rename = mine.find((candidate) => sameName(candidate.to, name));
    if (index !== null || rename === undefined) return index;
    const old = before.columns.findIndex((column) => sameName(column.name.name, rename.from));
    return old < 0 ? null : old;
  });
}

function compareSettings(from: SchemaText, to: SchemaText): readonly SettingDifference[] {
  return COMPARED_SETTINGS.flatMap((name) => {
    const [here, there] = [from.settings[name], to.settings[name]];
    return here === undefined || there === undefined ? [] : [{ name, from: here, to: there }];
  });
}

const KIND_ORDER: readonly ComparedKind[] = ['table', 'virtual', 'view', 'index', 'trigger'];

function byKindAndName(one: ObjectDifference, other: ObjectDifference): number {
  return KIND_ORDER.indexOf(one.kind) - KIND_ORDER.indexOf(other.kind) || one.name.localeCompare(other.name, 'en');
}

/** Changes of a table without those that only concern its text. */
export const realChanges = ({ changes }: TableDiff): readonly TableChange[] =>
  changes.filter(({ kind }) => kind !== 'set-text');

/** Whether the object, or anything that belongs to it, differs. */
export const differs = ({ status, children }: ObjectDifference): boolean =>
  status !== 'same' || children.some((child) => child.status !== 'same');

interface DifferenceCounts {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly same: number;
}

export function countDifferences({ objects, settings }: SchemaDifference): DifferenceCounts {
  const all = objects.flatMap((object) => [object, ...object.children]).map(({ status }) => status);
  const count = (status: DifferenceStatus): number => all.filter((each) => each === status).length;
  const changedSettings = settings.filter(({ from, to }) => from !== to).length;
  return {
    added: count('added'),
    removed: count('removed'),
    changed: count('changed') + changedSettings,
    same: count('same'),
  };
}

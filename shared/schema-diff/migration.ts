// Makes one schema like another: steps to choose from, and the resulting changes, in an order that works.
import { dropColumnConstraints } from '../ddl/edit-columns.ts';
import { addColumn, dropColumn } from '../ddl/edit-table.ts';
import { diffTable } from '../ddl/diff-table.ts';
import { foldName, sameName } from '../ddl/names.ts';
import { parseTable } from '../ddl/parse-table.ts';
import type { TableDiff } from '../ddl/changes.ts';
import type { TableModel } from '../ddl/table-model.ts';
import type { DroppableKind, SchemaChange } from '../protocol/schema-change.ts';
import type { ComparedObject } from '../protocol/schema-comparison.ts';
import type { ObjectDifference, SchemaDifference } from './compare-schemas.ts';

export interface MigrationStep {
  readonly id: string;
  /** Null: a number of the file, named by `setting`. */
  readonly difference: ObjectDifference | null;
  /** Set for a column that would be dropped from a table that stays. */
  readonly column: string | null;
  readonly setting: { readonly name: StoredNumber; readonly value: number } | null;
  /** Rows or values are gone afterwards. */
  readonly losesData: boolean;
}

type StoredNumber = 'user_version' | 'application_id';

/** Every step there is, in the order of the comparison. What is chosen first is everything that loses no data. */
export function migrationSteps({ objects, settings }: SchemaDifference): readonly MigrationStep[] {
  const numbers = settings.filter(({ name, from, to }) => isStoredNumber(name) && from !== to);
  return [
    ...objects.flatMap(stepsOf),
    ...numbers.map(({ name, to }): MigrationStep => ({
      id: `setting ${name}`,
      difference: null,
      column: null,
      setting: { name: name as StoredNumber, value: Number(to) },
      losesData: false,
    })),
  ];
}

const isStoredNumber = (name: string): boolean => name === 'user_version' || name === 'application_id';

function stepsOf(difference: ObjectDifference): readonly MigrationStep[] {
  const { from, status, children } = difference;
  const step = (of: ObjectDifference, losesData: boolean, column: string | null = null): MigrationStep => ({
    id: column === null ? of.id : columnStep(of, column),
    difference: of,
    column,
    setting: null,
    losesData,
  });
  // Indexes and triggers go with it.
  if (status === 'removed') return [step(difference, hasRows(from))];
  const dropped = isKeptTable(difference) ? droppedColumns(difference) : [];
  const isTakenApart = difference.table !== null;
  const losesData = isKeptTable(difference) ? !isTakenApart && dropped.length > 0 : hasRows(from);
  const hasMore = difference.table?.changes.every(({ kind }) => kind === 'drop-column') !== true;
  return [
    ...(status !== 'same' && hasMore ? [step(difference, losesData)] : []),
    ...(isTakenApart ? dropped.map((column) => step(difference, true, column)) : []),
    ...children.filter((child) => child.status !== 'same').map((child) => step(child, false)),
  ];
}

const hasRows = (object: ComparedObject | null): boolean => object?.kind === 'table' || object?.kind === 'virtual';
const columnStep = ({ id }: ObjectDifference, column: string): string => `${id} column ${foldName(column)}`;

/** A table whose rows stay when it is changed. */
const isKeptTable = ({ from, to, status }: ObjectDifference): boolean =>
  status === 'changed' && from?.kind === 'table' && to?.kind === 'table';

function droppedColumns({ from, to, table }: ObjectDifference): readonly string[] {
  if (table) return table.changes.flatMap((change) => (change.kind === 'drop-column' ? [change.column.name.name] : []));
  return from!.columns.filter((name) => !to!.columns.some((other) => sameName(other, name)));
}

/**
 * Triggers, views, and indexes that go or change are dropped before tables are changed, and made again after them, because a statement of
 * ALTER fails when one of them no longer compiles.
 *
 * @param chosen ids of steps; what belongs to a table that is not made is left out with it
 */
export function migrationChanges(difference: SchemaDifference, chosen: ReadonlySet<string>): readonly SchemaChange[] {
  const isChosen = ({ id }: ObjectDifference): boolean => chosen.has(id);
  const relations = difference.objects.filter(isChosen);
  const owned = difference.objects
    .filter(({ id, status }) => status !== 'removed' && (status !== 'added' || chosen.has(id)))
    .flatMap(({ children }) => children.filter((child) => child.status !== 'same' && isChosen(child)));
  const replaced = relations.filter((object) => object.status === 'changed' && !isKeptTable(object));
  const gone = [...relations.filter(({ status }) => status === 'removed'), ...replaced];
  const made = [...relations.filter(({ status }) => status === 'added'), ...replaced];
  const kept = relations.filter(isKeptTable).concat(
    // Only columns of these are dropped.
    difference.objects.filter((object) => isKeptTable(object) && !isChosen(object) && dropsAny(object, chosen)),
  );
  const drops = (objects: readonly ObjectDifference[], ...kinds: readonly ComparedObject['kind'][]): SchemaChange[] =>
    objects.flatMap(({ from }) => (from && kinds.includes(from.kind) ? [dropOf(from)] : []));
  const creates = (objects: readonly ObjectDifference[], ...kinds: readonly ComparedObject['kind'][]): SchemaChange[] =>
    objects.flatMap(({ to }) => (to && kinds.includes(to.kind) ? [{ kind: 'create' as const, sql: to.sql }] : []));
  const goneBelow = owned.filter(({ from }) => from !== null);
  return [
    ...drops(goneBelow, 'trigger'),
    ...drops(gone, 'view'),
    ...drops(goneBelow, 'index'),
    ...drops(gone, 'virtual', 'table'),
    ...kept.flatMap((object) => changeOf(object, chosen)),
    ...creates(made, 'table'),
    ...creates(made, 'virtual'),
    ...creates(owned, 'index'),
    ...creates(made, 'view'),
    ...creates(owned, 'trigger'),
    ...migrationSteps({ objects: [], settings: difference.settings }).flatMap(({ id, setting }): SchemaChange[] =>
      setting && chosen.has(id) ? [{ kind: 'set-number', ...setting }] : [],
    ),
  ];
}

const dropsAny = (object: ObjectDifference, chosen: ReadonlySet<string>): boolean =>
  droppedColumns(object).some((column) => chosen.has(columnStep(object, column)));

function dropOf({ kind, name }: ComparedObject): SchemaChange {
  return { kind: 'drop', object: kind === 'virtual' ? 'table' : (kind satisfies DroppableKind), name };
}

/** Empty if what is chosen results in no change. */
function changeOf(object: ObjectDifference, chosen: ReadonlySet<string>): readonly SchemaChange[] {
  const { from, to, table } = object;
  const isDropped = (column: string): boolean => chosen.has(columnStep(object, column));
  if (!table) {
    const columns = to!.columns.map((name) => from!.columns.find((other) => sameName(other, name)) ?? null);
    return [{ kind: 'change-table', table: from!.name, sql: to!.sql, columns }];
  }
  const base = chosen.has(object.id) ? goalOf(table) : asItIs(table, isDropped);
  const { model, columns } = withColumnsKept(table.from, base, isDropped);
  const identity = columns.map((name) =>
    name === null ? null : table.from.columns.findIndex((column) => column.name.name === name),
  );
  const isChanged = diffTable(table.from, model, identity).changes.length > 0;
  return isChanged ? [{ kind: 'change-table', table: from!.name, sql: model.text, columns }] : [];
}

interface Definition {
  readonly model: TableModel;
  /** Original name of each column of the text; null: a new one. */
  readonly columns: readonly (string | null)[];
}

function goalOf({ from, to, identity }: TableDiff): Definition {
  return { model: to, columns: identity.map((at) => (at === null ? null : from.columns[at]!.name.name)) };
}

/** Keeps the table, except for columns that are dropped. */
function asItIs({ from }: TableDiff, isDropped: (column: string) => boolean): Definition {
  let model = from;
  for (let at = from.columns.length - 1; at >= 0; at--)
    if (isDropped(from.columns[at]!.name.name)) model = parsed(dropColumn(model, at));
  return { model, columns: model.columns.map(({ name }) => name.name) };
}

/** Columns that only the first has, and that are not to be dropped, stay where they were: after the same column. */
function withColumnsKept(from: TableModel, goal: Definition, isDropped: (column: string) => boolean): Definition {
  let { model } = goal;
  const columns = [...goal.columns];
  from.columns.forEach((column, at) => {
    const name = column.name.name;
    if (columns.includes(name) || isDropped(name)) return;
    const before = from.columns.slice(0, at).map((other) => columns.indexOf(other.name.name));
    const place = Math.max(-1, before.at(-1) ?? -1) + 1;
    const others = model.columns.filter((other) => sameName(other.name.name, name));
    // The goal has a column of that name which was another one before.
    if (others.length > 0) return;
    model = parsed(addColumn(model, place, { sql: definitionFor(model, from, at) }));
    columns.splice(place, 0, name);
  });
  return { model, columns };
}

/** The column as written, but without a primary key if the goal has its own. */
function definitionFor(goal: TableModel, from: TableModel, at: number): string {
  const hasKey =
    goal.columns.some(({ constraints }) => constraints.some(({ kind }) => kind === 'primary-key')) ||
    goal.constraints.some(({ constraint }) => constraint.kind === 'primary-key');
  const model = hasKey ? parsed(dropColumnConstraints(from, at, ({ kind }) => kind === 'primary-key')) : from;
  const { span } = model.columns[at]!;
  return model.text.slice(span.from, span.to);
}

function parsed(text: string): TableModel {
  const model = parseTable(text);
  if (!model.understood) throw new Error(`An edit broke the statement: ${model.reason}`);
  return model;
}

// An action on an object as changes of the schema, and as the SQL that is shown before it runs.
import { dropSql, emptyTableSql, onTable, renameTableSql, underName } from '#shared/ddl/change-sql.ts';
import { moveColumn, setForeignKey } from '#shared/ddl/edit-table.ts';
import { sameName } from '#shared/ddl/names.ts';
import { parseTable } from '#shared/ddl/parse-table.ts';
import type { DroppableKind, KeyColumns, SchemaChange, SchemaObject, SchemaPlan } from '#shared/protocol/index.ts';
import type { ObjectActionRequest } from '../../workbench/objects/object-actions.ts';

export interface ActionChoices {
  /** The new name; unused by `empty` and `drop`. */
  readonly name: string;
  /** Whether a duplicate gets the rows too. */
  readonly rows: boolean;
  /** The new order of the columns of a table, as indexes into the current ones. */
  readonly order: readonly number[];
}

type Target = Pick<ObjectActionRequest, 'object' | 'action' | 'key'>;

const droppableKind = ({ kind }: SchemaObject): DroppableKind =>
  kind === 'virtual' || kind === 'shadow' ? 'table' : kind;

/** @param objects of the schema. Null if Sidelite cannot read the CREATE statement that has to be rewritten. */
export function changesFor(
  { object, action, key }: Target,
  { name, rows, order }: ActionChoices,
  objects: readonly SchemaObject[],
): readonly SchemaChange[] | null {
  const { kind, name: old } = object;
  if (action === 'drop') return [{ kind: 'drop', object: droppableKind(object), name: old }];
  if (action === 'empty') return [{ kind: 'empty-table', table: old }];
  if (action === 'add-foreign-key') return key ? withForeignKey(object, key) : null;
  if (action === 'reorder') return inOrder(object, order);
  const isTable = kind === 'table' || kind === 'virtual';
  if (action === 'duplicate' && isTable) return [{ kind: 'duplicate-table', table: old, to: name, rows }];
  if (isTable) return [{ kind: 'rename-table', table: old, to: name }];
  const sql = underName(object.sql ?? '', name);
  if (sql === null) return null;
  if (action === 'duplicate') return [{ kind: 'create', sql }];
  const again = triggersUnder(object, name, objects);
  const recreated = kind as 'view' | 'index' | 'trigger';
  return again && [{ kind: 'change-object', object: recreated, name: old, sql }, ...again];
}

/** The current names of the columns; null if the statement cannot be read. */
export function columnNames({ sql }: Pick<SchemaObject, 'sql'>): readonly string[] | null {
  const model = parseTable(sql ?? '');
  return model.understood ? model.columns.map(({ name }) => name.name) : null;
}

function inOrder(object: SchemaObject, order: readonly number[]): readonly SchemaChange[] | null {
  const names = columnNames(object);
  if (names === null || order.length !== names.length) return null;
  let sql = object.sql!;
  const now = names.map((_, index) => index);
  for (const [to, index] of order.entries()) {
    const from = now.indexOf(index);
    if (from === to) continue;
    const model = parseTable(sql);
    if (!model.understood) return null;
    sql = moveColumn(model, from, to);
    now.splice(to, 0, ...now.splice(from, 1));
  }
  return [{ kind: 'change-table', table: object.name, sql, columns: order.map((index) => names[index]!) }];
}

function withForeignKey(
  { name, sql }: SchemaObject,
  { columns, target, targetColumns }: KeyColumns,
): readonly SchemaChange[] | null {
  const model = parseTable(sql ?? '');
  if (!model.understood) return null;
  const changed = setForeignKey(model, null, { columns, table: target, referencedColumns: targetColumns });
  const names = model.columns.map((column) => column.name.name);
  return [{ kind: 'change-table', table: name, sql: changed, columns: names }];
}

/** SQLite drops the triggers of a view along with it. */
function triggersUnder(
  { kind, name }: SchemaObject,
  to: string,
  objects: readonly SchemaObject[],
): readonly SchemaChange[] | null {
  if (kind !== 'view') return [];
  const triggers = objects.filter((other) => other.kind === 'trigger' && sameName(other.tableName, name));
  const statements = triggers.flatMap(({ sql }) => onTable(sql ?? '', to) ?? []);
  if (statements.length < triggers.length) return null;
  return statements.map((sql) => ({ kind: 'create', sql }));
}

/** @param plan of the same changes: only the engine knows how it copies rows */
export function shownSql(changes: readonly SchemaChange[], plan: SchemaPlan | null): string {
  const statements = changes.flatMap((change): readonly string[] => {
    switch (change.kind) {
      case 'drop':
        return [dropSql(change.object, change.name)];
      case 'change-object':
        return [dropSql(change.object, change.name), change.sql, ...laterTriggers(change.object, plan)];
      case 'rename-table':
        return [renameTableSql(change.table, change.to)];
      case 'empty-table':
        return [emptyTableSql(change.table)];
      case 'create':
      case 'change-table':
        return [change.sql];
      default:
        return (plan?.steps ?? []).map(({ sql }) => sql);
    }
  });
  return statements.map((sql) => `${sql};`).join('\n');
}

/** Skips the two statements of the trigger itself: later triggers are created again, so that all keep their order. */
function laterTriggers(object: DroppableKind, plan: SchemaPlan | null): readonly string[] {
  return object === 'trigger' && plan !== null ? plan.steps.slice(2).map(({ sql }) => sql) : [];
}

/** “orders_copy”, or the first with a number that is not taken. */
export function freeCopyName(name: string, objects: readonly SchemaObject[]): string {
  for (let number = 1; ; number++) {
    const free = `${name}_copy${number > 1 ? `_${number}` : ''}`;
    if (!objects.some((other) => sameName(other.name, free))) return free;
  }
}

/** Why the object cannot have this name; null if it can. Triggers have their own namespace; all other objects share one. */
export function nameProblem(name: string, { object, action }: Target, objects: readonly SchemaObject[]): string | null {
  if (name.trim() === '') return 'Enter a name.';
  if (name.includes('\0')) return 'A name cannot contain a NUL character.';
  if (/^sqlite_/i.test(name)) return 'Names that begin with “sqlite_” are reserved for SQLite.';
  const isTrigger = object.kind === 'trigger';
  const taken = objects.find((other) => (other.kind === 'trigger') === isTrigger && sameName(other.name, name));
  if (taken === undefined) return null;
  const isItself = action === 'rename' && taken.name === object.name;
  return isItself ? null : `${taken.kind === 'index' ? 'An' : 'A'} ${taken.kind} with this name already exists.`;
}

// Compares two models of a table and lists the changes that turn the first into the second.
import { groupBy } from '../group-by.ts';
import type { ColumnIdentity, Generated, TableChange, TableDiff } from './changes.ts';
import { normalizeExpression } from './expressions.ts';
import { foldName, sameName } from './names.ts';
import type {
  CheckConstraint,
  ColumnConstraint,
  ColumnModel,
  ForeignKeyConstraint,
  IndexedColumn,
  PrimaryKeyConstraint,
  TableModel,
  UniqueConstraint,
} from './table-model.ts';

/** Anything that has columns with names. */
export interface NamedColumns {
  readonly columns: readonly { readonly name: { readonly name: string } }[];
}

/** Columns with the same name are the same column. */
export function identityByName(from: NamedColumns, to: NamedColumns): ColumnIdentity {
  const indexes = new Map(from.columns.map(({ name }, index) => [foldName(name.name), index]));
  return to.columns.map(({ name }) => indexes.get(foldName(name.name)) ?? null);
}

/**
 * The same for a text edited by hand: a column renamed at its position is still the same column.
 *
 * @param identity of the columns of `before`
 */
export function followIdentity(before: NamedColumns, identity: ColumnIdentity, after: NamedColumns): ColumnIdentity {
  const names = identityByName(before, after);
  const isSameLength = before.columns.length === after.columns.length;
  const found = new Set(names);
  return names.map((index, at) => {
    const old = index ?? (isSameLength && !found.has(at) ? at : null);
    return old === null ? null : (identity[old] ?? null);
  });
}

export function diffTable(from: TableModel, to: TableModel, identity: ColumnIdentity): TableDiff {
  const pairs: Pair[] = to.columns.flatMap((column, index) => {
    const old = identity[index];
    return old == null ? [] : [{ from: from.columns[old]!, fromIndex: old, to: column }];
  });
  const renamed = new Map(pairs.map((pair) => [foldName(pair.from.name.name), foldName(pair.to.name.name)]));
  /** A foreign key to the table itself, and `t.a`, follow a rename of the table. */
  const self = { from: foldName(from.name.name), to: foldName(to.name.name) };
  const changes: TableChange[] = [
    ...(from.name.name === to.name.name
      ? []
      : [{ kind: 'rename-table' as const, from: from.name.name, to: to.name.name }]),
    ...columnChanges(from, to, identity, pairs),
    ...pairs.flatMap((pair) => attributeChanges(pair, renamed, self)),
    ...constraintChanges(from, to, renamed, self),
    ...(from.strict === to.strict ? [] : [{ kind: 'set-strict' as const, to: to.strict }]),
    ...(from.withoutRowid === to.withoutRowid ? [] : [{ kind: 'set-without-rowid' as const, to: to.withoutRowid }]),
  ];
  if (changes.length === 0 && from.text !== to.text) changes.push({ kind: 'set-text' });
  return { from, to, identity, changes };
}

interface Pair {
  readonly from: ColumnModel;
  readonly fromIndex: number;
  readonly to: ColumnModel;
}

function columnChanges(
  from: TableModel,
  to: TableModel,
  identity: ColumnIdentity,
  pairs: readonly Pair[],
): TableChange[] {
  const kept = new Set(pairs.map(({ fromIndex }) => fromIndex));
  const lastKept = identity.reduce<number>((last, old, index) => (old == null ? last : index), -1);
  const names = (list: readonly Pair[]): string[] => list.map((pair) => pair.to.name.name);
  const before = [...pairs].sort((one, other) => one.fromIndex - other.fromIndex);
  const isReordered = pairs.some((pair, index) => pair !== before[index]);
  return [
    ...from.columns.flatMap((column, index) => (kept.has(index) ? [] : [{ kind: 'drop-column' as const, column }])),
    ...pairs.flatMap((pair) => {
      const [old, name] = [pair.from.name.name, pair.to.name.name];
      return old === name ? [] : [{ kind: 'rename-column' as const, from: old, to: name }];
    }),
    ...to.columns.flatMap((column, index) =>
      identity[index] == null ? [{ kind: 'add-column' as const, column, index, last: index > lastKept }] : [],
    ),
    ...(isReordered ? [{ kind: 'reorder-columns' as const, from: names(before), to: names(pairs) }] : []),
  ];
}

/** Changes of a column's own attributes; keys and checks are compared as table constraints. */
function attributeChanges(pair: Pair, renamed: ReadonlyMap<string, string>, self: Self): TableChange[] {
  const column = pair.to.name.name;
  const changes: TableChange[] = [];
  const types = { from: pair.from.type?.sql ?? '', to: pair.to.type?.sql ?? '' };
  if (normalizeType(types.from) !== normalizeType(types.to)) changes.push({ kind: 'set-type', column, ...types });
  const notNull = { from: find(pair.from, 'not-null'), to: find(pair.to, 'not-null') };
  if ((notNull.from === null) !== (notNull.to === null) || notNull.from?.onConflict !== notNull.to?.onConflict)
    changes.push({ kind: 'set-not-null', column, ...notNull });
  const defaults = { from: defaultOf(pair.from), to: defaultOf(pair.to) };
  if (normalizeOptional(defaults.from) !== normalizeOptional(defaults.to))
    changes.push({ kind: 'set-default', column, ...defaults });
  const collations = { from: collationOf(pair.from), to: collationOf(pair.to) };
  if (!sameName(collations.from, collations.to)) changes.push({ kind: 'set-collation', column, ...collations });
  const generated = { from: generatedOf(pair.from), to: generatedOf(pair.to) };
  if (generatedKey(generated.from, renamed, self) !== generatedKey(generated.to))
    changes.push({ kind: 'set-generated', column, ...generated });
  return changes;
}

/** If there are several of one kind, the last one applies. */
function find<Kind extends ColumnConstraint['kind']>(
  { constraints }: ColumnModel,
  kind: Kind,
): Extract<ColumnConstraint, { kind: Kind }> | null {
  const found = constraints.filter((constraint) => constraint.kind === kind).at(-1);
  return (found as Extract<ColumnConstraint, { kind: Kind }> | undefined) ?? null;
}

function normalizeType(type: string): string {
  return foldName(normalizeExpression(type));
}

function normalizeOptional(sql: string | null): string | null {
  return sql === null ? null : normalizeExpression(sql);
}

function defaultOf(column: ColumnModel): string | null {
  return find(column, 'default')?.value.sql ?? null;
}

/** The collation of a column; BINARY by default. */
function collationOf(column: ColumnModel): string {
  return find(column, 'collate')?.collation.name ?? 'BINARY';
}

function generatedOf(column: ColumnModel): Generated | null {
  const found = find(column, 'generated');
  return found && { expression: found.expression.sql, storage: found.storage };
}

function generatedKey(generated: Generated | null, renamed?: Renamed, self?: Self): string | null {
  return generated && `${generated.storage} ${normalizeExpression(generated.expression, renamed, self)}`;
}

interface Placed<Constraint> {
  readonly column: string | null;
  readonly constraint: Constraint;
}

function placed(model: TableModel): Placed<ColumnConstraint>[] {
  return [
    ...model.columns.flatMap(({ name, constraints }) =>
      constraints.map((constraint) => ({ column: name.name, constraint })),
    ),
    ...model.constraints.map(({ constraint }) => ({ column: null, constraint })),
  ];
}

function ofKind<Kind extends ColumnConstraint['kind']>(
  all: readonly Placed<ColumnConstraint>[],
  kind: Kind,
): Placed<Extract<ColumnConstraint, { kind: Kind }>>[] {
  return all.filter(({ constraint }) => constraint.kind === kind) as Placed<
    Extract<ColumnConstraint, { kind: Kind }>
  >[];
}

function constraintChanges(
  from: TableModel,
  to: TableModel,
  renamed: ReadonlyMap<string, string>,
  self: Self,
): TableChange[] {
  const before = placed(from);
  const after = placed(to);
  const key = { from: ofKind(before, 'primary-key')[0], to: ofKind(after, 'primary-key')[0] };
  const keys = { from: primaryKeyKey(key.from, from, renamed), to: primaryKeyKey(key.to, to) };
  const checks = unmatched(
    ofKind(before, 'check'),
    ofKind(after, 'check'),
    ({ constraint }) => checkKey(constraint, renamed, self),
    ({ constraint }) => checkKey(constraint),
  );
  const uniques = unmatched(
    ofKind(before, 'unique'),
    ofKind(after, 'unique'),
    ({ constraint }) => uniqueKey(constraint, renamed),
    ({ constraint }) => uniqueKey(constraint),
  );
  const foreign = unmatched(
    ofKind(before, 'foreign-key'),
    ofKind(after, 'foreign-key'),
    ({ constraint }) => foreignKeyKey(constraint, renamed, self),
    ({ constraint }) => foreignKeyKey(constraint),
  );
  return [
    ...checks.dropped.map((check) => ({ kind: 'drop-check' as const, ...check })),
    ...uniques.dropped.map(({ constraint }) => ({ kind: 'drop-unique' as const, constraint })),
    ...foreign.dropped.map(({ constraint }) => ({ kind: 'drop-foreign-key' as const, constraint })),
    ...(keys.from === keys.to
      ? []
      : [{ kind: 'set-primary-key' as const, from: key.from?.constraint ?? null, to: key.to?.constraint ?? null }]),
    ...uniques.added.map(({ constraint }) => ({ kind: 'add-unique' as const, constraint })),
    ...foreign.added.map(({ constraint }) => ({ kind: 'add-foreign-key' as const, constraint })),
    ...checks.added.map((check) => ({ kind: 'add-check' as const, ...check })),
  ];
}

/** Items that only one side has; duplicates count separately. */
function unmatched<Item>(
  before: readonly Item[],
  after: readonly Item[],
  keyBefore: (item: Item) => string,
  keyAfter: (item: Item) => string,
): { readonly dropped: readonly Item[]; readonly added: readonly Item[] } {
  const left = groupBy(before, keyBefore);
  const added = after.filter((item) => !left.get(keyAfter(item))?.shift());
  const rest = new Set([...left.values()].flat());
  return { dropped: before.filter((item) => rest.has(item)), added };
}

type Renamed = ReadonlyMap<string, string> | undefined;

function nameKey(name: string, renamed: Renamed): string {
  const folded = foldName(name);
  return JSON.stringify(renamed?.get(folded) ?? folded);
}

function columnsKey(columns: readonly IndexedColumn[], renamed: Renamed): string {
  return columns
    .map(({ column, collation, order }) => {
      const name = nameKey(column!.name, renamed);
      return `${name} ${foldName(collation?.name ?? '')} ${order === 'DESC' ? order : ''}`;
    })
    .join();
}

function primaryKeyKey(
  key: Placed<PrimaryKeyConstraint> | undefined,
  model: TableModel,
  renamed?: Renamed,
): string | null {
  if (!key) return null;
  const { columns, autoincrement, onConflict } = key.constraint;
  const [first] = columns;
  // `INTEGER PRIMARY KEY DESC` written with its column is not the row id; as a table constraint it is
  // (sqlite.org/lang_createtable.html#rowid).
  const isInteger =
    model.columns.find(({ name }) => sameName(name.name, first!.column!.name))?.type?.sql.toUpperCase() === 'INTEGER';
  const isQuirk = key.column !== null && first!.order === 'DESC' && isInteger;
  return `${columnsKey(columns, renamed)} ${autoincrement} ${onConflict ?? ''} ${isQuirk}`;
}

function uniqueKey({ columns, onConflict }: UniqueConstraint, renamed?: Renamed): string {
  return `${columnsKey(columns, renamed)} ${onConflict ?? ''}`;
}

/** Includes the name, which SQLite reports when a row violates the constraint. */
function checkKey({ name, expression }: CheckConstraint, renamed?: Renamed, self?: Self): string {
  return `${JSON.stringify(name?.name ?? null)} ${normalizeExpression(expression.sql, renamed, self)}`;
}

interface Self {
  readonly from: string;
  readonly to: string;
}

function foreignKeyKey(key: ForeignKeyConstraint, renamed?: Renamed, self?: Self): string {
  const folded = foldName(key.table.name);
  const isSelf = self?.from === folded;
  const table = isSelf ? self.to : folded;
  return JSON.stringify([
    key.columns.map(({ name }) => nameKey(name, renamed)),
    table,
    key.referencedColumns.map(({ name }) => nameKey(name, isSelf ? renamed : undefined)),
    key.onDelete ?? 'NO ACTION',
    key.onUpdate ?? 'NO ACTION',
    key.deferred,
  ]);
}

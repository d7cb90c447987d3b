// An action on an object in words: its name, its consequences, and the message when it is done.
import { sameName } from '#shared/ddl/names.ts';
import type {
  DatabaseId,
  SchemaChangeReport,
  SchemaName,
  SchemaObject,
  SchemaPlan,
  TableProof,
} from '#shared/protocol/index.ts';
import { SqlScanner, Token } from '#shared/sql-scanner.ts';
import { visibleName } from '#shared/visible-text.ts';
import { plural } from '../../ui/format.ts';
import { rebuildCosts, serverCosts } from '../../workbench/objects/plan-parts.ts';
import type { ObjectActionRequest } from '../../workbench/objects/object-actions.ts';

type Target = Pick<ObjectActionRequest, 'object' | 'action' | 'key'>;

export const VERBS: Readonly<Record<ObjectActionRequest['action'], string>> = {
  rename: 'Rename',
  reorder: 'Reorder',
  duplicate: 'Duplicate',
  empty: 'Empty',
  drop: 'Drop',
  'add-foreign-key': 'Add foreign key',
};

const PAST: Readonly<Record<ObjectActionRequest['action'], string>> = {
  rename: 'Renamed',
  reorder: 'Reordered the columns of',
  duplicate: 'Duplicated',
  empty: 'Emptied',
  drop: 'Dropped',
  'add-foreign-key': 'Added a foreign key to',
};

const TITLE_PARTS: Readonly<Partial<Record<ObjectActionRequest['action'], string>>> = {
  reorder: ' columns of',
  'add-foreign-key': ' to',
};

const KINDS: Readonly<Record<SchemaName['kind'] | SchemaObject['kind'], string>> = {
  table: 'table',
  view: 'view',
  index: 'index',
  trigger: 'trigger',
  virtual: 'virtual table',
  shadow: 'shadow table',
};

const quoted = (name: string): string => `“${visibleName(name)}”`;
const described = ({ kind, name }: Pick<SchemaObject, 'kind' | 'name'>): string => `${KINDS[kind]} ${quoted(name)}`;

/** What the action deletes or replaces is lost to whoever presses Enter without having read the question. */
export const isDestructive = ({ action }: Pick<Target, 'action'>): boolean => action === 'drop' || action === 'empty';

/** “Rename table “orders””, “Drop table “orders” with 3,503 rows?”. */
export function titleOf(target: Target): string {
  const { object, action } = target;
  const title = `${VERBS[action]}${TITLE_PARTS[action] ?? ''} ${described(object)}`;
  return isDestructive(target) ? `${title}${rowsOf(object)}?` : title;
}

function rowsOf({ rows }: SchemaObject): string {
  return rows ? ` with ${rows.estimated ? 'about ' : ''}${plural(rows.count, 'row')}` : '';
}

/**
 * @param tables the tables that were compared, if anything was rebuilt
 * @param broken what was broken before, and still is: SQLite cannot write a new name in it
 */
export function doneText(
  { object, action }: Target,
  name: string,
  tables: readonly TableProof[] = [],
  broken: readonly SchemaName[] = [],
): string {
  const rows = tables.reduce((sum, { rowsAfter }) => sum + rowsAfter, 0);
  const proof =
    tables.length > 0 && (action === 'add-foreign-key' || action === 'reorder')
      ? ` Every value of ${plural(rows, 'row')} was compared.`
      : '';
  const to = action === 'rename' ? ` to ${quoted(name)}` : action === 'duplicate' ? ` as ${quoted(name)}` : '';
  const left =
    action === 'rename' && broken.length > 0 ? ` Already broken before, and left unchanged: ${listed(broken)}.` : '';
  return `${PAST[action]} ${described(object)}${to}.${proof}${left}`;
}

/** “Rebuilds the table and compares every value: 3 rows, about 2 ms, 4 kB”, and what that costs on a server. */
export function rebuildTexts(plan: SchemaPlan, database: DatabaseId): readonly string[] {
  const rebuilds = plan.steps.flatMap((step) =>
    step.kind === 'rebuild' ? [`Rebuilds the table and compares every value${rebuildCosts(step)}`] : [],
  );
  const costs = serverCosts(database, plan);
  return costs === null ? rebuilds : [...rebuilds, costs];
}

/** “2 rows refer to no row of “customers””. */
export const missingText = ({ key }: Target, count: number): string =>
  `${plural(count, 'row refers', 'rows refer')} to no row of ${quoted(key?.target ?? '')}`;

interface Consequence {
  readonly text: string;
  readonly breaks: boolean;
  readonly objects: readonly SchemaName[];
}

/**
 * What the action does to other objects.
 * @param dependents objects that refer to the object or belong to it
 * @param objects of the schema
 */
export function consequences(
  { object, action }: Target,
  dependents: readonly SchemaName[],
  objects: readonly SchemaObject[],
): readonly Consequence[] {
  const isOwn = ({ kind, table }: SchemaName): boolean =>
    (kind === 'index' || kind === 'trigger') && sameName(table, object.name);
  const own = dependents.filter(isOwn);
  const children = dependents.filter((one) => one.kind === 'table' && !sameName(one.name, object.name));
  const others = dependents.filter((one) => one.kind !== 'table' && !isOwn(one));
  if (action === 'drop') return [...withIt('Dropped with it', own), ...stopped(others), ...keysLost(children)];
  if (action === 'empty') return [...triggersRun(object, objects), ...rowsLost(children)];
  if (action === 'reorder') return followingOrder([...own, ...others].filter(({ kind }) => kind !== 'index'));
  if (action !== 'rename') return [];
  if (object.kind === 'view') return [...withIt('Recreated', own), ...stopped(others)];
  // SQLite changes the name of a table wherever it is mentioned, except in the arguments of virtual tables.
  const isVirtual = ({ kind }: SchemaName): boolean => kind === 'virtual';
  const followers = [...own, ...children, ...others.filter((one) => !isVirtual(one))];
  return [...withIt('SQLite also updates the name in', followers), ...stopped(others.filter(isVirtual))];
}

/** Only their text says which of them do, so all are named. */
function followingOrder(objects: readonly SchemaName[]): readonly Consequence[] {
  if (objects.length === 0) return [];
  const text = `SELECT * and INSERT without column names follow the new order, also in: ${listed(objects)}`;
  return [{ text, breaks: false, objects }];
}

/** SQLite runs them once for each row, even if it could delete all rows at once without them. */
function triggersRun(table: SchemaObject, objects: readonly SchemaObject[]): readonly Consequence[] {
  const run = objects.filter(
    ({ kind, tableName, sql }) =>
      kind === 'trigger' && sameName(tableName, table.name) && eventOf(sql ?? '') === 'DELETE',
  );
  if (run.length === 0) return [];
  const names = run.map(({ name, tableName }): SchemaName => ({ kind: 'trigger', name, table: tableName }));
  const verb = run.length === 1 ? 'runs' : 'run';
  return [{ text: `${listed(names)} ${verb} for each row that is deleted`, breaks: false, objects: names }];
}

/** Event of a CREATE TRIGGER: an unquoted name before it cannot be one of these words. */
function eventOf(sql: string): string {
  const scanner = new SqlScanner(sql);
  while (scanner.next() !== Token.end) {
    const word = scanner.kind === Token.word ? scanner.text.toUpperCase() : '';
    if (EVENTS.has(word)) return word;
  }
  return '';
}

const EVENTS: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE']);
const SHOWN = 12;

function listed(objects: readonly SchemaName[]): string {
  const names = objects.slice(0, SHOWN).map(({ kind, name }) => `${KINDS[kind]} ${visibleName(name)}`);
  const more = objects.length - names.length;
  return more > 0 ? `${names.join(', ')}, and ${more} more` : names.join(', ');
}

function withIt(what: string, objects: readonly SchemaName[]): readonly Consequence[] {
  return objects.length === 0 ? [] : [{ text: `${what}: ${listed(objects)}`, breaks: false, objects }];
}

/** “2 views and 1 trigger will stop working: view a, view b, trigger c”. */
function stopped(objects: readonly SchemaName[]): readonly Consequence[] {
  if (objects.length === 0) return [];
  const kinds = [...new Set(objects.map(({ kind }) => kind))];
  const counts = kinds.map((kind) => plural(objects.filter((one) => one.kind === kind).length, KINDS[kind]));
  const text = `${sentenceList(counts)} will stop working: ${listed(objects)}`;
  return [{ text, breaks: true, objects }];
}

function keysLost(children: readonly SchemaName[]): readonly Consequence[] {
  if (children.length === 0) return [];
  const names = sentenceList(children.map(({ name }) => quoted(name)));
  return [
    { text: `Foreign keys of ${names} will refer to a table that does not exist`, breaks: true, objects: children },
  ];
}

function rowsLost(children: readonly SchemaName[]): readonly Consequence[] {
  if (children.length === 0) return [];
  const names = sentenceList(children.map(({ name }) => quoted(name)));
  return [{ text: `Rows of ${names} that refer to it will have broken foreign keys`, breaks: true, objects: children }];
}

/** “a”, “a and b”, “a, b, and c”. */
function sentenceList(items: readonly string[]): string {
  const [last, ...before] = [...items].reverse();
  if (before.length < 2) return [...before, last].join(' and ');
  return `${before.reverse().join(', ')}, and ${last}`;
}

/** Things that the change broke without a warning. */
export function surprises(
  { broken, brokenKeys, integrity }: Pick<SchemaChangeReport, 'broken' | 'brokenKeys' | 'integrity'>,
  foreseen: readonly Consequence[],
): readonly string[] {
  const expected = foreseen.flatMap(({ breaks, objects }) => (breaks ? objects : []));
  const isExpected = (name: string): boolean => expected.some((one) => sameName(one.name, name));
  return [
    ...broken
      .filter(({ name }) => !isExpected(name))
      .map((object) => `The ${described(object)} stopped working: ${object.message}`),
    ...brokenKeys
      .filter(({ table }) => !isExpected(table))
      .map(
        ({ table, parent, count }) =>
          `${plural(count, 'row')} of ${quoted(table)} now ${count === 1 ? 'refers' : 'refer'} to no row of ${quoted(parent)}`,
      ),
    ...integrity,
  ];
}

// Parts of a database in the order of publication: tables without their indexes and triggers, rows, and everything else.
import type { NotPublished, PublishKind } from '#shared/protocol/publish.ts';
import type { Connection } from '../../engines/engine.ts';
import { kindsOf, schemaOf, storedRows } from '../../export/dump-parts.ts';
import type { SchemaObject } from '../../export/rows-head.ts';
import { virtualTableDump } from '../../export/virtual-table.ts';
import { keyOrderOf, type KeyOrder } from '../../readers/key-order.ts';
import { describeTable, type TableShape } from '../../schema/table-shape.ts';
import { sqlLiteral } from '../../sql/literal.ts';
import { quoteName } from '../../sql/quote.ts';
import { leadingKeyword, splitStatements } from '#shared/split-statements.ts';

export interface Definition {
  readonly kind: PublishKind;
  readonly name: string;
  /** The table or view it belongs to; its own name for one of these. */
  readonly table: string;
  readonly sql: string;
}

export interface PlannedTable {
  readonly name: string;
  /** Those that store values, and the row id if no column keeps it. */
  readonly columns: readonly string[];
  /** How its rows are read by key; null if they are read in one go, in the order in which SQLite has them. */
  readonly byKey: { readonly order: KeyOrder; readonly places: readonly number[] } | null;
  /** Used without a key: `ORDER BY …`, or ''. */
  readonly orderBy: string;
  readonly rows: number;
  readonly bytes: number | null;
  readonly largestRowBytes: number;
}

export interface PublishPlan {
  /** Tables, virtual tables, and the settings of the latter. */
  readonly before: readonly Definition[];
  readonly tables: readonly PlannedTable[];
  readonly after: readonly Definition[];
  readonly notPublished: readonly NotPublished[];
  readonly notes: readonly string[];
  /** Tables that modules make for their virtual tables. */
  readonly shadows: ReadonlySet<string>;
}

/** SQLITE_MAX_COLUMN of a result. */
const MAX_COLUMNS = 2000;
/** SQLite's limit for the depth of an expression is 1,000. */
const MAX_SUMMED = 900;

/** @throws AppError `stopped`, `corrupt` */
export function planOf(source: Connection): PublishPlan {
  const kinds = kindsOf(source);
  const notPublished: NotPublished[] = [];
  const schema = schemaOf(source).filter(({ name }) => kinds.get(name) !== 'shadow');
  const sound = schema.filter((object) => isSound(object, kinds, notPublished));
  const of = (type: SchemaObject['type'], isVirtual = false) =>
    sound.filter((object) => object.type === type && (kinds.get(object.name) === 'virtual') === isVirtual);
  const virtual = of('table', true).map((object) => ({
    object,
    dump: virtualTableDump(source, object.name, object.sql),
  }));
  const plain = of('table').map((object) => definitionOf('table', object));
  return {
    before: [
      ...plain,
      ...virtual.flatMap(({ object, dump }) => [
        definitionOf('virtual', object),
        ...dump.settings.map((sql) => ({ kind: 'setting' as const, name: object.name, table: object.name, sql })),
      ]),
    ],
    tables: [
      ...plain.map(({ name }) => plannedTable(source, name)),
      ...virtual.filter(({ dump }) => dump.hasRows).map(({ object }) => plannedTable(source, object.name)),
    ],
    after: [
      ...of('index').map((object) => definitionOf('index', object)),
      ...of('view').map((object) => definitionOf('view', object)),
      ...virtual.flatMap(({ object, dump }) =>
        dump.rebuild.map((sql) => ({ kind: 'virtual' as const, name: object.name, table: object.name, sql })),
      ),
      ...of('trigger').map((object) => definitionOf('trigger', object)),
      ...settingsOf(source),
    ],
    notPublished,
    notes: virtual.flatMap(({ dump }) => dump.notes),
    shadows: new Set([...kinds].filter(([, kind]) => kind === 'shadow').map(([name]) => name)),
  };
}

/** Removes tables that are not there from the plan, and what belongs to them. */
export function without(plan: PublishPlan, left: ReadonlySet<string>): PublishPlan {
  const isThere = ({ table }: { readonly table: string }): boolean => !left.has(table);
  return {
    ...plan,
    before: plan.before.filter(isThere),
    tables: plan.tables.filter(({ name }) => !left.has(name)),
    after: plan.after.filter(isThere),
  };
}

const definitionOf = (kind: PublishKind, { name, table, sql }: SchemaObject): Definition => ({
  kind,
  name,
  table,
  sql,
});

/** SQL that a hostile file has put after a definition would run on the server. */
function isSound(
  { type, name, sql }: SchemaObject,
  kinds: ReadonlyMap<string, string>,
  notPublished: NotPublished[],
): boolean {
  if (!sql.includes('\0') && splitStatements(sql).length === 1 && leadingKeyword(sql) === 'CREATE') return true;
  const kind = kinds.get(name) === 'virtual' ? 'virtual' : type;
  notPublished.push({ kind, name, reason: 'Its definition is not one statement.' });
  return false;
}

/** Each object and setting once: a counter takes two statements. */
export function notReached(left: readonly Definition[]): readonly NotPublished[] {
  const byName = new Map(left.map(({ kind, name }) => [`${kind} ${name}`, { kind, name }]));
  return [...byName.values()].map((one) => ({ ...one, reason: 'It was not reached.' }));
}

/** AUTOINCREMENT counters, and the two numbers of the header that programs use. */
function settingsOf(source: Connection): readonly Definition[] {
  const settings: Definition[] = [];
  if (source.one("SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_sequence'"))
    for (const [name, seq] of source.all('SELECT name, seq FROM main.sqlite_sequence WHERE name IS NOT NULL')) {
      const base = { kind: 'setting' as const, name: `AUTOINCREMENT of ${String(name)}`, table: String(name) };
      const is = sqlLiteral(name!);
      settings.push({ ...base, sql: `DELETE FROM main.sqlite_sequence WHERE name = ${is}` });
      settings.push({
        ...base,
        sql: `INSERT INTO main.sqlite_sequence (name, seq) VALUES (${is}, ${sqlLiteral(seq!)})`,
      });
    }
  for (const pragma of ['user_version', 'application_id']) {
    const value = Number(source.one(`PRAGMA main.${pragma}`)?.[0] ?? 0);
    if (value !== 0)
      settings.push({ kind: 'setting', name: pragma, table: '', sql: `PRAGMA main.${pragma} = ${value}` });
  }
  return settings;
}

function plannedTable(source: Connection, name: string): PlannedTable {
  const shape = describeTable(source, name);
  const { names, rowid } = storedRows(shape);
  const fits = names.length <= MAX_COLUMNS;
  const columns = fits ? names : names.filter((column) => column !== rowid);
  const isByKey = fits && shape.kind === 'table' && shape.key.kind !== 'none';
  return {
    name: shape.name,
    columns,
    byKey: isByKey ? { order: keyOrderOf(source, shape), places: placesOf(shape, columns, rowid) } : null,
    orderBy: shape.kind === 'virtual' && shape.key.kind === 'rowid' ? ` ORDER BY ${quoteName(shape.key.name)}` : '',
    ...sizesOf(source, shape.name, columns),
  };
}

function placesOf(
  { key, rowidColumn }: TableShape,
  columns: readonly string[],
  rowid: string | null,
): readonly number[] {
  if (key.kind === 'primary-key') return key.columns.map((column) => columns.indexOf(column.name));
  return [columns.indexOf(rowid ?? rowidColumn!)];
}

function sizesOf(
  source: Connection,
  name: string,
  columns: readonly string[],
): Pick<PlannedTable, 'rows' | 'bytes' | 'largestRowBytes'> {
  const from = `FROM main.${quoteName(name)}`;
  if (columns.length > MAX_SUMMED)
    return { rows: Number(source.one(`SELECT count(*) ${from}`)![0]), bytes: null, largestRowBytes: 0 };
  const bytes = columns.map((column) => `ifnull(octet_length(${quoteName(column)}), 0)`).join(' + ');
  const [rows, sum, largest] = source.one(
    `SELECT count(*), ifnull(sum(b), 0), ifnull(max(b), 0) FROM (SELECT ${bytes} AS b ${from})`,
  )!;
  return { rows: Number(rows), bytes: Number(sum), largestRowBytes: Number(largest) };
}

// `sidelite schema`: the definitions of a database, as SQL, as JSON, or as types of a program.
import { asStatement } from '#shared/ddl/definition-statement.ts';
import type { TableDetail, Column } from '#shared/protocol/schema.ts';
import { EXIT, type CommandSession, type Outcome } from './session.ts';
import { jsonLine, printText } from './io.ts';
import { UsageError } from './parse.ts';
import { rowTypes, freeName, holdsAnything, isRowidKey, propertyName, typeName } from './row-types.ts';
import { affinityOf } from '#shared/ddl/affinity.ts';
import { foldName, sameName } from '#shared/ddl/names.ts';
import { parseTable } from '#shared/ddl/parse-table.ts';
import type { ColumnConstraint, ForeignKeyConstraint, TableModel } from '#shared/ddl/table-model.ts';

const FORMS = ['sql', 'json', 'typescript', 'kysely', 'drizzle'] as const;
const HAS_ROWS: readonly string[] = ['table', 'view', 'virtual'];

export async function runSchema(session: CommandSession): Promise<Outcome> {
  const { options, operands, engine, tell } = session;
  const chosen = FORMS.filter((form) => options.flag(form) === true);
  if (chosen.length > 1) throw new UsageError(`Choose one of ${FORMS.map((form) => `--${form}`).join(', ')}.`);
  const form = chosen[0] ?? 'sql';
  const path = session.pathOf(operands[0]!);
  const database = await engine.open(path, { access: 'read' });
  const { objects } = await engine.client.call('schema.get', { database });
  if (form === 'sql') {
    const shown = objects.filter(({ kind, sql }) => sql !== null && kind !== 'shadow');
    await printText(shown.map(({ sql }) => `${asStatement(sql!)}\n`).join(''));
    return { exitCode: EXIT.done, summary: null };
  }
  const tables: TableDetail[] = [];
  let isPartial = false;
  for (const { kind, name, problem } of objects) {
    if (!HAS_ROWS.includes(kind) || /^sqlite_/i.test(name)) continue;
    if (problem === null) tables.push(await engine.client.call('schema.table', { database, table: name }));
    else tell.say(`“${name}” was left out: ${problem}`);
    isPartial ||= problem !== null;
  }
  const others = objects.filter(({ kind }) => kind === 'index' || kind === 'trigger');
  const json = { ok: true, command: 'schema', tables, others: others.map(({ kind, name, tableName, sql }) => ({ kind, name, tableName, sql })) }; // prettier-ignore
  await printText(
    form === 'json' ? jsonLine(json) : form === 'drizzle' ? drizzleTables(tables) : rowTypes(tables, form),
  );
  return { exitCode: isPartial ? EXIT.partly : EXIT.done, summary: null };
}

// The tables and views of a database as a schema of Drizzle ORM (orm.drizzle.team), to query them with.

/** Drizzle's own for NUMERIC makes texts of numbers. */
const BUILDERS = { INTEGER: 'integer', REAL: 'real', TEXT: 'text', BLOB: 'blob', NUMERIC: 'value' } as const;
const VALUE = "const value = customType<{ data: unknown; driverData: unknown }>({ dataType: () => '' });\n";

const OF_COLUMNS = ['blob', 'integer', 'real', 'text'];
const OF_KEYS = ['foreignKey', 'primaryKey', 'unique', 'uniqueIndex'];
const IMPORTED = ['customType', ...OF_COLUMNS, ...OF_KEYS, 'sqliteTable', 'sqliteView'];
const RESERVED =
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void while with yield sql value AnySQLiteColumn';

interface Named {
  readonly table: TableDetail;
  readonly variable: string;
  /** Null for what is not understood, and for what has no statement of its own. */
  readonly model: TableModel | null;
}

function drizzleTables(tables: readonly TableDetail[]): string {
  const taken = new Set([...IMPORTED, ...RESERVED.split(' ')]);
  const all = tables.map((table) => ({
    table,
    variable: freeName(variableName(table.name), taken),
    model: modelOf(table),
  }));
  const bodies = all.map((named) => definitionOf(named, all)).join('\n');
  const uses = (word: string): boolean => new RegExp(`(?<![.\\w])${word}[(<\`]`).test(bodies);
  const hasValue = uses('value');
  const imported = IMPORTED.filter((word) => uses(word) || (word === 'customType' && hasValue));
  const columnType = bodies.includes('AnySQLiteColumn') ? ['type AnySQLiteColumn'] : [];
  return [
    '// Tables as they are declared, to query them. Checks, triggers, collations, and indexes that are not unique are left out, so do not\n// let drizzle-kit change the database by this file. Only STRICT tables hold every value to its type.\n',
    ...(uses('sql') ? ["import { sql } from 'drizzle-orm';\n"] : []),
    `import { ${[...columnType, ...imported].join(', ')} } from 'drizzle-orm/sqlite-core';\n`,
    ...(hasValue ? [`\n// SQLite stores what it is given in such a column.\n${VALUE}`] : []),
    `\n${bodies}`,
  ].join('');
}

function definitionOf(named: Named, all: readonly Named[]): string {
  const { table, variable } = named;
  const keys = table.columns.filter(({ primaryKeyIndex }) => primaryKeyIndex > 0);
  const lines = table.columns.map((column) => {
    const parts = [
      builderOf(table, column),
      ...(table.kind === 'view' ? [] : restrictionsOf(named, column, keys.length === 1, all)),
    ];
    return `  ${property(column.name)}: ${parts.join('')},\n`;
  });
  const columns = `{\n${lines.join('')}}`;
  const name = quoted(table.name);
  if (table.kind === 'view') return `export const ${variable} = sqliteView(${name}, ${columns}).existing();\n`;
  const more = constraintsOf(named, keys, all);
  const extra = more.length === 0 ? '' : `, (table) => [\n${more.map((line) => `  ${line},\n`).join('')}]`;
  return `export const ${variable} = sqliteTable(${name}, ${columns}${extra});\n`;
}

function builderOf({ strict }: TableDetail, { name, declaredType }: Column): string {
  const builder = holdsAnything(declaredType, strict) ? 'value' : BUILDERS[affinityOf(declaredType, strict)];
  return `${builder}(${quoted(name)})`;
}

function restrictionsOf(
  { table, model }: Named,
  column: Column,
  isOnlyKey: boolean,
  all: readonly Named[],
): readonly string[] {
  const isKey = isOnlyKey && column.primaryKeyIndex > 0;
  const own = model?.columns.find(({ name }) => sameName(name.name, column.name))?.constraints ?? [];
  const find = <K extends ColumnConstraint['kind']>(kind: K) =>
    own.find((each): each is Extract<ColumnConstraint, { kind: K }> => each.kind === kind);
  const generated = find('generated');
  const isCounted = isKey && isRowidKey(table, column) && find('primary-key')?.autoincrement === true;
  return [
    isKey ? `.primaryKey(${isCounted ? '{ autoIncrement: true }' : ''})` : '',
    column.notNull && !isKey ? '.notNull()' : '',
    column.defaultSql === null ? '' : `.default(${sqlText(`(${column.defaultSql})`)})`,
    column.generated === 'no'
      ? ''
      : `.generatedAlwaysAs(${sqlText(generated?.expression.sql ?? 'NULL')}, { mode: '${column.generated}' })`,
    ...foreignKeysOf(model).flatMap((key) => referenceOf(key, column, all)),
  ];
}

/** A foreign key of one column; those of several are among the constraints of the table. */
function referenceOf(key: ForeignKeyConstraint, column: Column, all: readonly Named[]): readonly string[] {
  const target = targetOf(key, all);
  const [from, more] = key.columns;
  if (!target || more || !from || !sameName(from.name, column.name)) return [];
  const actions = [['onDelete', key.onDelete], ['onUpdate', key.onUpdate]].flatMap(([name, action]) => action ? [`${name}: '${action.toLowerCase()}'`] : []); // prettier-ignore
  const options = actions.length > 0 ? `, { ${actions.join(', ')} }` : '';
  return [`.references((): AnySQLiteColumn => ${target.variable}${access(target.columns[0]!)}${options})`];
}

function constraintsOf({ table, model }: Named, keys: readonly Column[], all: readonly Named[]): readonly string[] {
  const list = (columns: readonly string[]): string => columns.map((name) => `table${access(name)}`).join(', ');
  const inOrder = [...keys].sort((one, other) => one.primaryKeyIndex - other.primaryKeyIndex).map(({ name }) => name);
  return [
    ...(keys.length > 1 ? [`primaryKey({ columns: [${list(inOrder)}] })`] : []),
    ...table.uniqueKeys.map(({ index, columns }) =>
      index === null ? `unique().on(${list(columns)})` : `uniqueIndex(${quoted(index)}).on(${list(columns)})`,
    ),
    ...foreignKeysOf(model).flatMap((key) => {
      const target = targetOf(key, all);
      const own = key.columns.map(({ name: own }) => table.columns.find(({ name }) => sameName(name, own))?.name);
      if (!target || own.length < 2 || own.includes(undefined)) return [];
      const there = target.columns.map((name) => `${target.variable}${access(name)}`).join(', ');
      return [`foreignKey({ columns: [${list(own as string[])}], foreignColumns: [${there}] })`];
    }),
  ];
}

const foreignKeysOf = (model: TableModel | null): readonly ForeignKeyConstraint[] =>
  [...(model?.columns ?? []).flatMap(({ constraints }) => constraints), ...(model?.constraints ?? []).map(({ constraint }) => constraint)].filter((each): each is ForeignKeyConstraint => each.kind === 'foreign-key'); // prettier-ignore

/** Null where the other table, or one of its columns, does not exist. */
function targetOf(
  { columns, table, referencedColumns }: ForeignKeyConstraint,
  all: readonly Named[],
): { readonly variable: string; readonly columns: readonly string[] } | null {
  const target = all.find((each) => each.table.kind !== 'view' && foldName(each.table.name) === foldName(table.name));
  if (!target) return null;
  const keys = target.table.columns.filter(({ primaryKeyIndex }) => primaryKeyIndex > 0);
  const inOrder = [...keys].sort((one, other) => one.primaryKeyIndex - other.primaryKeyIndex).map(({ name }) => name);
  const named = referencedColumns.map(
    ({ name: own }) => target.table.columns.find(({ name }) => sameName(name, own))?.name,
  );
  const found = referencedColumns.length > 0 ? named : inOrder;
  return found.length !== columns.length || found.includes(undefined) ? null : { variable: target.variable, columns: found as string[] }; // prettier-ignore
}

function modelOf({ kind, sql }: TableDetail): TableModel | null {
  const parsed = kind === 'table' && sql !== null ? parseTable(sql) : null;
  return parsed?.understood === true ? parsed : null;
}

/** “order_items” becomes “orderItems”. */
function variableName(name: string): string {
  const type = typeName(name);
  return type[0]!.toLowerCase() + type.slice(1);
}

const quoted = (text: string): string => JSON.stringify(text);
/** A property of that name would be the prototype. */
const property = (name: string): string => (name === '__proto__' ? '["__proto__"]' : propertyName(name));

function access(name: string): string {
  const written = propertyName(name);
  return written === name ? `.${name}` : `[${written}]`;
}

const sqlText = (text: string): string => `sql\`${text.replaceAll(/[\\`]|\$\{/g, (found) => `\\${found}`)}\``;

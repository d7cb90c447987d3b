// What a copy of a table into another database does, as a plan and in words: names that are taken, parents that are missing, what came of it.
import { sameName } from '#shared/ddl/names.ts';
import type { SchemaObject, TransferPlan, TransferReply } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { plural } from '../../ui/format.ts';
import { freeCopyName, nameProblem } from './object-change.ts';

export interface CopyChoices {
  readonly name: string;
  /** Add the rows to the table of this name that is there already. */
  readonly isAppended: boolean;
  readonly rows: boolean;
  readonly indexes: boolean;
  readonly triggers: boolean;
}

/** @param there the objects of the other database */
export const firstChoices = ({ name }: SchemaObject, there: readonly SchemaObject[]): CopyChoices => ({
  name: there.some((other) => other.kind !== 'trigger' && sameName(other.name, name))
    ? freeCopyName(name, there)
    : name,
  ...{ isAppended: false, rows: true, indexes: true, triggers: true },
});

export const tableThere = (name: string, there: readonly SchemaObject[]): SchemaObject | null =>
  there.find((other) => other.kind === 'table' && sameName(other.name, name)) ?? null;

/** Why the table cannot be copied so; null if it can. */
export function copyProblem(
  object: SchemaObject,
  { name, isAppended, rows }: CopyChoices,
  there: readonly SchemaObject[],
): string | null {
  if (isAppended && tableThere(name, there) !== null)
    return rows ? null : 'Without rows, nothing would be added to the table.';
  return nameProblem(name, { object, action: 'duplicate' }, there);
}

export function planOf(object: SchemaObject, choices: CopyChoices, there: readonly SchemaObject[]): TransferPlan {
  const existing = choices.isAppended ? tableThere(choices.name, there) : null;
  const table = { name: object.name, into: existing?.name ?? choices.name, how: existing ? 'append' : 'new' } as const;
  const { indexes, triggers } = choices;
  return existing
    ? { tables: [table], indexes: false, triggers: false }
    : { tables: [table], indexes, triggers, withoutOthers: true };
}

/** Indexes or triggers of the table that have statements of their own. */
export const ownObjects = (
  { name }: SchemaObject,
  kind: 'index' | 'trigger',
  here: readonly SchemaObject[],
): readonly SchemaObject[] =>
  here.filter((other) => other.kind === kind && other.sql !== null && sameName(other.tableName, name));

/** Sentences about what the other database will lack. @param parents the tables that foreign keys of the table refer to */
export function copyWarnings(
  object: SchemaObject,
  choices: CopyChoices,
  {
    here,
    there,
    parents,
  }: {
    readonly here: readonly SchemaObject[];
    readonly there: readonly SchemaObject[];
    readonly parents: readonly string[];
  },
): readonly string[] {
  if (choices.isAppended && tableThere(choices.name, there) !== null)
    return ['Columns are matched by name. Rows that the table there refuses are left out and counted'];
  const isThere = (name: string): boolean => there.some((other) => sameName(other.name, name));
  const missing = [...new Set(parents)].filter((parent) => !sameName(parent, object.name) && !isThere(parent));
  const own = (['index', 'trigger'] as const).flatMap((kind) =>
    (kind === 'index' ? choices.indexes : choices.triggers) ? ownObjects(object, kind, here) : [],
  );
  return [
    ...missing.map(
      (parent) =>
        `Foreign keys refer to “${visibleName(parent)}”, which is not there: until it is, no more rows can be added`,
    ),
    ...own
      .filter(({ name }) => isThere(name))
      .map(({ kind, name }) => `The ${kind} “${visibleName(name)}” is left out: its name is taken there`),
  ];
}

/** “Copied “orders” to “Archive” as “orders_copy”: 3 rows.” */
export function doneText(
  from: string,
  into: { readonly database: string; readonly table: string },
  reply: TransferReply,
): string {
  const rows = reply.tables.reduce((sum, table) => sum + table.rows, 0);
  const as = from === into.table ? '' : ` as “${visibleName(into.table)}”`;
  return `Copied “${visibleName(from)}” to “${visibleName(into.database)}”${as}: ${plural(rows, 'row')}.`;
}

/** Sentences about what was not copied, or not as it was; none if everything was. */
export function leftOutTexts({ problems, kept, notes }: TransferReply): readonly string[] {
  const first = kept[0];
  const refused =
    problems === 0
      ? []
      : [
          `${plural(problems, 'row was', 'rows were')} not copied${first ? `, the first because: ${first.reason}` : '.'}`,
        ];
  return [...refused, ...notes];
}

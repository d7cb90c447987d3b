// The schema that two databases make together, from what each changed of the schema that both began with.
import { foldName, sameName } from '#shared/ddl/names.ts';
import type { MergeSide } from '#shared/protocol/merge.ts';
import type { ComparedObject, SchemaText } from '#shared/protocol/schema-comparison.ts';
import { sameSql } from '#shared/schema-diff/same-sql.ts';

export interface ThreeSchemas {
  readonly base: SchemaText;
  readonly ours: SchemaText;
  readonly theirs: SchemaText;
}

/** What goes with a table or columns that one side has dropped: the other side must not have changed it. */
export interface Loss {
  /** The side that must have left it as it was. */
  readonly side: MergeSide;
  readonly table: string;
  /** Null: the whole table. */
  readonly columns: readonly string[] | null;
}

export interface SchemaMerge {
  readonly schema: SchemaText;
  /** What of `theirs` is taken, for people: “table item”. */
  readonly taken: readonly string[];
  /** Sentences on what both sides changed, each in another way. */
  readonly conflicts: readonly string[];
  readonly losses: readonly Loss[];
  /** Tables that `theirs` has dropped and that stay: their rows are those of `ours`. */
  readonly left: readonly string[];
}

type ChoiceOf = (table: string) => MergeSide | null;
type Three<T> = { readonly base: T | null; readonly ours: T | null; readonly theirs: T | null };

const SETTINGS = ['user_version', 'application_id'] as const;

/**
 * Definitions count by what they mean: comments and white space are those of `ours`.
 *
 * @param kept names of tables that stay although `theirs` has dropped them
 */
export function mergeSchemas(schemas: ThreeSchemas, choiceOf: ChoiceOf, kept: ReadonlySet<string>): SchemaMerge {
  const [taken, conflicts, losses, left]: [string[], string[], Loss[], string[]] = [[], [], [], []];
  const objects: ComparedObject[] = [];
  for (const three of triples(schemas)) {
    const { base, ours, theirs } = three;
    const { name, table, kind } = (ours ?? theirs ?? base)!;
    const what = `${kind === 'virtual' ? 'virtual table' : kind} “${name}”`;
    let merged = ours;
    if (!isSame(ours, theirs) && !isSame(base, theirs) && !(theirs === null && kept.has(foldName(table)))) {
      const choice = isSame(base, ours) ? 'theirs' : choiceOf(table);
      if (choice === null) conflicts.push(`Both sides changed the ${what}, each in another way.`);
      if (choice === 'theirs') merged = theirs;
      if (choice === 'theirs') taken.push(what);
    }
    if (merged !== null) objects.push(merged);
    if (hasRows(base) && hasRows(merged) && theirs === null) left.push(name);
    if (hasRows(base) && hasRows(merged) && ours === null)
      conflicts.push(`The ${what} was dropped here, so what the other side changed in it cannot be taken.`);
    const column = returningColumn(three, merged);
    if (column !== null) conflicts.push(`One side dropped the column “${column}” of the ${what}, and the other changed the definition.`); // prettier-ignore
    losses.push(...lossesOf(three, merged).filter(({ side }) => choiceOf(table) !== other(side)));
  }
  const settings = mergedSettings(schemas, taken, conflicts, choiceOf(''));
  return { schema: { objects: withoutOrphans(objects), settings }, taken, conflicts, losses, left };
}

const other = (side: MergeSide): MergeSide => (side === 'ours' ? 'theirs' : 'ours');

/** In the order of `ours`, then what only `theirs` has. */
function triples({ base, ours, theirs }: ThreeSchemas): readonly Three<ComparedObject>[] {
  const found = new Map<string, { base: ComparedObject | null; ours: ComparedObject | null; theirs: ComparedObject | null }>(); // prettier-ignore
  for (const [side, { objects }] of [
    ['ours', ours],
    ['theirs', theirs],
    ['base', base],
  ] as const)
    // prettier-ignore
    for (const object of objects) {
      const three = found.get(keyOf(object)) ?? { base: null, ours: null, theirs: null };
      three[side] = object;
      found.set(keyOf(object), three);
    }
  return [...found.values()];
}

/** Tables and views share their names; an index and a trigger may have the same. */
const keyOf = ({ kind, name }: ComparedObject): string =>
  `${kind === 'index' || kind === 'trigger' ? kind : 'relation'} ${foldName(name)}`;

function isSame(one: ComparedObject | null, another: ComparedObject | null): boolean {
  if (one === null || another === null) return one === another;
  return one.kind === another.kind && sameName(one.table, another.table) && sameSql(one.sql, another.sql);
}

/** An index or a trigger goes with its table. */
function withoutOrphans(objects: readonly ComparedObject[]): readonly ComparedObject[] {
  const names = new Set(objects.filter(({ kind }) => kind !== 'index' && kind !== 'trigger').map(({ name }) => foldName(name))); // prettier-ignore
  return objects.filter(({ kind, table }) => (kind !== 'index' && kind !== 'trigger') || names.has(foldName(table)));
}

const hasRows = (object: ComparedObject | null): object is ComparedObject =>
  object?.kind === 'table' || object?.kind === 'virtual';

function lossesOf({ base, ours, theirs }: Three<ComparedObject>, merged: ComparedObject | null): readonly Loss[] {
  if (!hasRows(base)) return [];
  return (
    [
      ['ours', ours],
      ['theirs', theirs],
    ] as const
  ).flatMap(([side, own]): Loss[] => {
    // prettier-ignore
    if (!hasRows(own)) return [];
    if (!hasRows(merged)) return [{ side, table: base.name, columns: null }];
    const columns = own.columns.filter((name) => !merged.columns.some((kept) => sameName(kept, name)));
    return columns.length > 0 ? [{ side, table: base.name, columns }] : [];
  });
}

/** A column that one side has dropped and the result would have again, without its values. */
function returningColumn({ base, ours, theirs }: Three<ComparedObject>, merged: ComparedObject | null): string | null {
  const has = ({ columns }: ComparedObject, name: string): boolean => columns.some((other) => sameName(other, name));
  const isGone = (name: string): boolean => [ours, theirs].some((own) => own !== null && !has(own, name));
  return base?.columns.find((name) => merged !== null && has(merged, name) && isGone(name)) ?? null;
}

function mergedSettings(
  { base, ours, theirs }: ThreeSchemas,
  taken: string[],
  conflicts: string[],
  choice: MergeSide | null,
): SchemaText['settings'] {
  const settings = { ...ours.settings };
  for (const name of SETTINGS) {
    const [was, here, there] = [base.settings[name], ours.settings[name], theirs.settings[name]];
    if (there === undefined || here === there || was === there) continue;
    const side = was === here ? 'theirs' : choice;
    if (side === null) conflicts.push(`Both sides changed the ${name}: to ${here} and to ${there}.`);
    if (side === 'theirs') taken.push(name);
    if (side === 'theirs') settings[name] = there;
  }
  return settings;
}

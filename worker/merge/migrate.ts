// Brings private copies to the merged schema, so that the rows of all sides have the same columns.
import { AppError, whatHappened } from '#shared/protocol/errors.ts';
import type { ComparedObject, SchemaText } from '#shared/protocol/schema-comparison.ts';
import { foldName } from '#shared/ddl/names.ts';
import { migrationChanges, migrationSteps } from '#shared/schema-diff/migration.ts';
import { sameSql } from '#shared/schema-diff/same-sql.ts';
import { schemaDifference } from '../diff/schema-changes.ts';
import type { Connection } from '../engines/engine.ts';
import { changeSchema, isClean } from '../schema-change/change.ts';
import { Work } from '../schema-change/work.ts';
import { readSchemaText } from '../schema/schema-text.ts';

const isTable = ({ kind }: ComparedObject): boolean => kind === 'table' || kind === 'virtual';

/** Whether a table that both have is defined in another way. */
export function hasOtherTables(of: SchemaText, goal: SchemaText): boolean {
  const wanted = new Map(goal.objects.filter(isTable).map((object) => [foldName(object.name), object]));
  return of.objects.some((object) => {
    const other = isTable(object) ? wanted.get(foldName(object.name)) : undefined;
    return other !== undefined && !(other.kind === object.kind && sameSql(other.sql, object.sql));
  });
}

/** Tables alone, for a copy whose rows are only compared: its rows may break what an index or a trigger checks. */
export const tablesOnly = (schema: SchemaText): SchemaText => ({ ...schema, objects: schema.objects.filter(isTable) });

/**
 * @param name what the user calls the database that this is a copy of
 * @param isProven nothing that depends on the schema, and no foreign key, may be broken by it
 * @throws AppError `unavailable`
 */
export function* migrate(copy: Connection, goal: SchemaText, name: string, isProven: boolean): Generator<number, void> {
  const difference = schemaDifference(readSchemaText(copy), goal, null, true);
  const changes = migrationChanges(difference, new Set(migrationSteps(difference).map(({ id }) => id)));
  if (changes.length === 0) return;
  const turn = { connection: copy, deadlineMs: Infinity, stopRequested: false, measureBy: () => undefined };
  try {
    const steps = changeSchema(new Work(turn, () => undefined), changes);
    let step = steps.next();
    for (; !step.done; step = steps.next()) yield 0;
    const { broken, brokenKeys, integrity } = step.value;
    if (isProven && !isClean(step.value)) {
      const [first] = [...broken.map((each) => each.message), ...brokenKeys.map(keySentence), ...integrity];
      throw AppError.invalid(first ?? '');
    }
    copy.run('COMMIT');
  } catch (error) {
    if (!(error instanceof AppError) || !['sql', 'constraint', 'invalid'].includes(error.code)) throw error;
    throw AppError.unavailable(
      `“${name}” cannot get the definitions of the other side: ${whatHappened(error)} Nothing was written. Make the definitions of both sides the same first.`,
    );
  } finally {
    if (!copy.autocommit) copy.run('ROLLBACK');
  }
}

const keySentence = ({ table, parent }: { readonly table: string; readonly parent: string }): string =>
  `Rows of “${table}” would refer to rows of “${parent}” that do not exist.`;

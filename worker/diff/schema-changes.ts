// The objects of two schemas that differ, in the order in which they are written.
import { sameName } from '#shared/ddl/names.ts';
import { NO_RENAMES } from '#shared/schema-diff/accepted-renames.ts';
import { compareSchemas, type SchemaDifference, type SettingDifference } from '#shared/schema-diff/compare-schemas.ts';
import { sameSql } from '#shared/schema-diff/same-sql.ts';
import type { ComparedKind, SchemaText } from '#shared/protocol/schema-comparison.ts';

export interface ObjectChange {
  readonly status: 'added' | 'removed' | 'changed';
  readonly kind: ComparedKind;
  readonly name: string;
  /** Definitions; null where a side lacks the object. */
  readonly before: string | null;
  readonly after: string | null;
  /** Only comments, white space, or quotes of names differ. */
  readonly isTextOnly: boolean;
}

/** Numbers that a program stores in the file. The others say how SQLite stores it, which is no content. */
const SETTINGS: readonly string[] = ['user_version', 'application_id'];

/** Leaves out what belongs to other tables than those, if some are given. */
export function schemaDifference(
  from: SchemaText,
  to: SchemaText,
  tables: readonly string[] | null,
  meaningOnly: boolean,
): SchemaDifference {
  const { objects, settings } = compareSchemas(from, to, { meaningOnly, renames: NO_RENAMES });
  const isWanted = (name: string): boolean => tables?.some((wanted) => sameName(wanted, name)) ?? true;
  return {
    objects: objects.filter(({ name }) => isWanted(name)),
    settings: tables === null ? settings.filter(({ name, from: here, to: there }) => SETTINGS.includes(name) && here !== there) : [], // prettier-ignore
  };
}

export function changedObjects({ objects }: SchemaDifference): readonly ObjectChange[] {
  return objects
    .flatMap((object) => [object, ...object.children])
    .flatMap(({ status, kind, name, from, to }) =>
      status === 'same'
        ? []
        : [
            {
              status,
              kind,
              name,
              before: from?.sql ?? null,
              after: to?.sql ?? null,
              isTextOnly: from !== null && to !== null && from.kind === to.kind && sameSql(from.sql, to.sql),
            },
          ],
    );
}

export const settingText = ({ name, from, to }: SettingDifference): string => `${name} ${from} → ${to}`;

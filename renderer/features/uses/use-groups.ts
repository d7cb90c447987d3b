// The uses of a table or column in groups, as they are listed.
import { sameName } from '#shared/ddl/names.ts';
import type { SchemaUse, SchemaUsePart } from '#shared/protocol/index.ts';

interface UseGroup {
  readonly title: string;
  readonly items: readonly UseItem[];
}

export interface UseItem {
  readonly use: SchemaUse;
  /** What kind of use it is, if its group does not say so. */
  readonly what: string | null;
}

const PARTS: Readonly<Record<SchemaUsePart['kind'], string>> = {
  generated: 'Generated column',
  check: 'CHECK',
  unique: 'UNIQUE',
  'primary-key': 'Primary key',
  'foreign-key': 'Foreign key',
};

export function groupUses(uses: readonly SchemaUse[], table: string): readonly UseGroup[] {
  const of = (title: string, isIn: (use: SchemaUse) => boolean, what: UseItem['what'] = null): UseGroup => ({
    title,
    items: uses.filter(isIn).map((use) => ({ use, what })),
  });
  const isOwn = ({ kind, name }: SchemaUse): boolean => kind === 'table' && sameName(name, table);
  const own = uses.filter(isOwn).map((use): UseItem => ({ use, what: use.part ? PARTS[use.part.kind] : null }));
  return [
    { title: 'In the table itself', items: own },
    of('Foreign keys of other tables', (use) => use.kind === 'table' && !isOwn(use)),
    of('Views', ({ kind }) => kind === 'view'),
    of('Triggers', ({ kind }) => kind === 'trigger'),
    of('Indexes', ({ kind }) => kind === 'index'),
    of('Virtual tables', ({ kind }) => kind === 'virtual'),
  ].filter(({ items }) => items.length > 0);
}

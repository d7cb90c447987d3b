// ON CONFLICT of an import by key. Rows that would not change are skipped: no trigger runs for them, and the history does not record them.
import { AppError } from '#shared/protocol/errors.ts';
import type { ImportColumn, ImportTarget } from '#shared/protocol/import.ts';
import type { TableShape } from '../schema/table-shape.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { affinityOf } from './affinity.ts';

/** @throws AppError `invalid` */
export function upsertClause(
  shape: TableShape,
  columns: readonly Pick<ImportColumn, 'name' | 'type'>[],
  { key, existing }: Extract<ImportTarget, { kind: 'table' }>,
): string {
  const missing = key.find((name) => !columns.some((column) => sameName(column.name, name)));
  if (key.length === 0 || missing !== undefined)
    throw AppError.invalid(
      missing === undefined
        ? 'No key was chosen to find existing rows by. Nothing was changed.'
        : `The key column “${missing}” gets no value from the file. Nothing was changed.`,
    );
  const table = quoteName(shape.name);
  const conflict = `ON CONFLICT (${quoteNames(key)}) DO`;
  const others = columns.filter(({ name }) => !key.some((part) => sameName(part, name)));
  if (existing === 'skip' || others.length === 0) return `${conflict} NOTHING`;
  const pairs = others.map(({ name, type }) => {
    const declared = shape.columns.find((column) => column.name === name)?.declaredType ?? type;
    return {
      name: quoteName(name),
      now: `${table}.${quoteName(name)}`,
      next: `excluded.${quoteName(name)}`,
      // Only these distinguish 1 from 1.0.
      isLoose: affinityOf(declared) === 'BLOB',
    };
  });
  const fills = existing === 'fill';
  const set = pairs.map(({ name, now, next }) => `${name} = ${fills ? `coalesce(${now}, ${next})` : next}`);
  const differs = pairs.map(({ now, next, isLoose }) => {
    if (fills) return `(${now} IS NULL AND ${next} IS NOT NULL)`;
    const types = isLoose ? ` OR typeof(${now}) <> typeof(${next})` : '';
    return `${now} IS NOT ${next} COLLATE BINARY${types}`;
  });
  return `${conflict} UPDATE SET ${set.join(', ')} WHERE ${differs.join(' OR ')}`;
}

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

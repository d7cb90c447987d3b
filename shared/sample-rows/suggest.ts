// Chooses where the values of each column come from: by its foreign key, its CHECK constraints, its name, and its type, in this order.
import type { SampleColumn, SampleSource, SuggestedColumn } from '../protocol/sample-rows.ts';
import { sourceByName } from './source-by-name.ts';
import { valuesOf } from './source-values.ts';
import type { AllowedValues, ColumnFacts, ReferenceFacts, TableFacts } from './table-facts.ts';

const SOME_NULLS = 10;
/** A unique text with fewer values would not last for many rows. */
const ENOUGH_VALUES = 100_000;

type Choice = Pick<SampleColumn, 'source'> & { readonly why: string };

export function suggestColumns(facts: TableFacts): readonly SuggestedColumn[] {
  return facts.columns.map((column, place) => {
    const key = facts.unique.find((one) => one.includes(place)) ?? [];
    const reference = facts.references.find(({ columns }) => columns.includes(place)) ?? null;
    const isReference = reference !== null && (reference.hasRows || !reference.isLikely);
    const { source, why } = isReference
      ? referenceChoice(column, reference)
      : choiceFor(column, key.length === 1, key.length > 1);
    const isAlways = !column.canBeNull || key.length > 0 || source.kind === 'null' || source.kind === 'default';
    return {
      name: column.name,
      source,
      nullPercent: isAlways ? 0 : SOME_NULLS,
      declaredType: column.declaredType,
      canBeNull: column.canBeNull,
      refersTo: reference?.table ?? null,
      why,
    };
  });
}

function referenceChoice(column: ColumnFacts, { table, isOwn, isLikely, hasRows }: ReferenceFacts): Choice {
  if (!hasRows && !isOwn && column.canBeNull) return { source: { kind: 'null' }, why: `“${table}” has no rows` };
  return { source: { kind: 'reference' }, why: isLikely ? 'likely foreign key' : 'foreign key' };
}

function choiceFor(column: ColumnFacts, isUnique: boolean, isInKey: boolean): Choice {
  const { allowed } = column;
  if (column.isRowid) return { source: { kind: 'sequence', start: null, step: 1 }, why: 'primary key' };
  if (allowed.list !== null) return { source: { kind: 'list', values: allowed.list }, why: 'CHECK' };
  const byName = sourceByName(column);
  const found = byName ?? { source: byType(column), why: '' };
  const source = fitting(found.source, column);
  if (isUnique && isNumeric(column) && source.kind !== 'moment')
    return { source: { kind: 'sequence', start: null, step: 1 }, why: 'unique' };
  if (isInKey && source.kind === 'integer' && byName === null && allowed.most === null)
    return { source: { kind: 'integer', from: 1, to: 1000 }, why: 'key' };
  if (isUnique && !isLarge(source)) return { source: uniqueText(allowed), why: 'unique' };
  return { source, why: source === found.source || byName !== null ? found.why : 'CHECK' };
}

const isNumeric = ({ affinity }: ColumnFacts): boolean => affinity === 'INTEGER' || affinity === 'NUMERIC';

function isLarge(source: SampleSource): boolean {
  if (source.kind === 'default' || source.kind === 'reference') return false;
  const values = valuesOf(source);
  return values.kind === 'open' || values.size >= ENOUGH_VALUES;
}

function uniqueText({ longest, shortest }: AllowedValues): SampleSource {
  if (longest === null || longest > 24) return { kind: 'text', of: 'slug' };
  const length = Math.max(longest, shortest ?? 0, 1);
  return { kind: 'pattern', pattern: '*'.repeat(length) };
}

function byType({ affinity, declaredType, allowed }: ColumnFacts): SampleSource {
  const type = declaredType.toUpperCase();
  const days = { from: '2020-01-01', to: '2025-12-31' };
  if (type.includes('DATETIME') || type.includes('TIMESTAMP')) return { kind: 'moment', as: 'datetime', ...days };
  if (/\bDATE\b/.test(type)) return { kind: 'moment', as: 'date', ...days };
  if (/\bTIME\b/.test(type)) return { kind: 'moment', as: 'time', ...days };
  if (type.includes('BOOL')) return { kind: 'integer', from: 0, to: 1 };
  if (type.includes('JSON')) return { kind: 'text', of: 'json' };
  if (/UUID|GUID|UNIQUEIDENTIFIER/.test(type)) return { kind: 'text', of: 'uuid' };
  if (affinity === 'INTEGER') return { kind: 'integer', from: 0, to: 1000 };
  if (affinity === 'REAL') return { kind: 'real', from: 0, to: 1000, decimals: 2 };
  if (affinity === 'NUMERIC') return { kind: 'real', from: 0, to: 1000, decimals: decimalsOf(type) };
  if (type.includes('BLOB')) return { kind: 'blob', bytes: 16 };
  // A column without a type whose values have bounds holds numbers.
  if (affinity === 'BLOB' && (allowed.least !== null || allowed.most !== null))
    return { kind: 'integer', from: 0, to: 1000 };
  return { kind: 'words', from: 1, to: 3 };
}

/** `DECIMAL(10, 2)` */
const decimalsOf = (type: string): number => Math.min(6, Number(/\(\s*\d+\s*,\s*(\d+)\s*\)/.exec(type)?.[1] ?? 2));

/** Kept inside of what CHECK constraints allow. */
function fitting(source: SampleSource, { allowed }: ColumnFacts): SampleSource {
  if (source.kind === 'blob')
    return { ...source, bytes: Math.min(Math.max(source.bytes, allowed.shortest ?? 0), allowed.longest ?? Infinity) };
  if (source.kind === 'integer' || source.kind === 'real') return { ...source, ...range(source, allowed) };
  const isText = source.kind === 'words' || source.kind === 'text' || source.kind === 'pattern';
  const { shortest, longest } = allowed;
  if (!isText || (shortest === null && longest === null)) return source;
  const isTooShort = shortest !== null && shortest > 3;
  // Words that are cut after a few letters are words no more.
  if (!isTooShort && (longest === null || longest > 12)) return source;
  const length = Math.min(longest ?? Infinity, Math.max(shortest ?? 1, Math.min(longest ?? 8, 8)));
  return { kind: 'pattern', pattern: 'a'.repeat(length) };
}

function range(
  { from, to }: { readonly from: number; readonly to: number },
  { least, most }: AllowedValues,
): { readonly from: number; readonly to: number } {
  const low = Math.max(from, least ?? from);
  const high = Math.min(to, most ?? to);
  if (low <= high) return { from: low, to: high };
  // The allowed range lies outside the one that the name suggests.
  const width = to - from;
  return least === null ? { from: most! - width, to: most! } : { from: least, to: most ?? least + width };
}

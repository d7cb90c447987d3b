// Types of columns that only the whole file can tell: guessed from its beginning, so that one pass counts and imports.
import { typeInTable } from '#shared/import/column-choices.ts';
import type { ColumnFacts, ImportPlan } from '#shared/protocol/import.ts';
import type { RecordBatch } from '../records/record-batch.ts';
import { AnalysisCount } from './facts/fact-counter.ts';

/** The file has, or may have, columns of other types than those that were guessed. Nothing was imported. */
export class OtherTypes extends Error {}

export const hasOpenTypes = ({ columns }: ImportPlan): boolean => columns.some(({ isTypeOpen }) => isTypeOpen);

/** The plan with the types that these facts suggest. */
export function withTypes(plan: ImportPlan, facts: readonly ColumnFacts[]): ImportPlan {
  const isStrict = plan.target.kind === 'new-table' && plan.target.strict;
  const columns = plan.columns.map(({ isTypeOpen, ...column }) => {
    const suggested = column.from === null ? undefined : facts[column.from]?.suggested;
    return { ...column, type: isTypeOpen && suggested ? typeInTable(suggested, isStrict) : column.type };
  });
  return { ...plan, columns };
}

const sameTypes = (a: ImportPlan, b: ImportPlan): boolean =>
  a.columns.every(({ type }, at) => type === b.columns[at]!.type);

/** The plan with the types that these first records suggest, for a preview. */
export function previewTypes(
  plan: ImportPlan,
  records: readonly RecordBatch[],
  columns: readonly string[],
): ImportPlan {
  if (!hasOpenTypes(plan)) return plan;
  const count = new AnalysisCount(plan.options);
  for (const record of records) count.add(record, []);
  return withTypes(plan, count.facts(columns));
}

interface GuessedTypes {
  readonly plan: ImportPlan;
  /** Whether what is read by now suggests other types. Cheap as long as the facts are the same. */
  readonly isRefuted: () => boolean;
}

/** @param reader whose facts grow while it reads */
export function guessTypes(open: ImportPlan, reader: { readonly facts: readonly ColumnFacts[] }): GuessedTypes {
  let looked = reader.facts;
  let isRefuted = false;
  const plan = withTypes(open, looked);
  return {
    plan,
    isRefuted: () => {
      if (looked !== reader.facts) isRefuted = !sameTypes(plan, withTypes(open, (looked = reader.facts)));
      return isRefuted;
    },
  };
}

// The plan of an import as its choices make it: the one way from what was chosen to what is run.
import type { ImportOptions, ImportPlan, ImportSource } from '../protocol/index.ts';
import { planColumns } from './column-choices.ts';
import type { ColumnChoice } from './column-choices.ts';
import type { TargetChoice } from './target-choice.ts';

interface ImportChoices {
  readonly source: ImportSource;
  readonly options: ImportOptions;
  readonly target: TargetChoice;
  readonly columns: readonly ColumnChoice[];
  /** Nobody knows yet what the whole file holds: types that are not chosen are left to the import. */
  readonly typesAreOpen: boolean;
  readonly maxProblems: number;
}

export function planOf({ source, options, target, columns, typesAreOpen, maxProblems }: ImportChoices): ImportPlan {
  const { kind, newTable, strict, table, mode, key, existing } = target;
  return {
    source,
    options,
    target:
      kind === 'new-table'
        ? { kind, table: newTable, strict }
        : { kind, table: table ?? '', mode, key: mode === 'upsert' ? key : [], existing },
    columns: planColumns(columns, kind, typesAreOpen),
    maxProblems,
  };
}

// State of an import tab as plain values: created by its session, read by its components.
import type {
  DatabaseId,
  HistoryStep,
  ImportAnalysis,
  DetectedSource,
  ImportOptions,
  ImportPlan,
  ImportPreview,
  ImportSource,
  Progress,
  TableDetail,
} from '#shared/protocol/index.ts';
import type { ImportFormatId } from '#shared/import-formats.ts';
import { planOf } from '#shared/import/plan.ts';
import type { ColumnChoice } from '#shared/import/column-choices.ts';
import type { OfferedRecipe } from '#shared/import/recipes.ts';
import type { TargetChoice } from '#shared/import/target-choice.ts';
import type { ShownWork } from '../../workbench/jobs.ts';
import type { NearReadings } from './near-readings.ts';

/** Work on the whole file in the background. */
type Analysis =
  | { readonly state: 'running'; readonly progress: Progress | null; readonly startedAtMs: number }
  | { readonly state: 'done'; readonly analysis: ImportAnalysis }
  | { readonly state: 'failed'; readonly message: string };

export interface Preview {
  readonly preview: ImportPreview;
  /** Indexes into the column choices, in the order of its columns. */
  readonly from: readonly number[];
}

/** Result of an import; rows that were corrected later are added. */
export interface Outcome {
  readonly id: string;
  readonly format: ImportFormatId;
  readonly database: DatabaseId;
  readonly databaseName: string;
  readonly table: string;
  readonly added: number;
  /** Rows that were in the table before and were replaced. */
  readonly removed: number;
  readonly changed: number;
  readonly equal: number;
  readonly skipped: number;
  readonly problems: number;
  /** Rows that were imported again are renumbered: this maps them to lines of the file. Null: they are numbered by line. */
  readonly lines: readonly number[] | null;
  /** Whole sentences about what was done to rows that were not as they should be. */
  readonly notes: readonly string[];
  readonly timeMs: number;
  /** Steps that undo it, the newest first; none if the history does not keep them. */
  readonly steps: readonly HistoryStep[];
  readonly isUndone: boolean;
}

export interface ImportView {
  readonly fileName: string;
  readonly detected: DetectedSource | null;
  /** Why the file cannot be read. `isGone`: the user has to choose it again. */
  readonly failure: { readonly message: string; readonly isGone: boolean } | null;
  /** Options as changed by the user; replaced by the detected ones once detection has caught up. */
  readonly options: ImportOptions | null;
  /** Other readings of the file that are nearly as likely as the detected one. */
  readonly near: NearReadings | null;
  readonly target: TargetChoice;
  /** Definition of the existing table; null until it is read. */
  readonly detail: TableDetail | null;
  readonly columns: readonly ColumnChoice[];
  readonly analysis: Analysis | null;
  readonly preview: Preview | null;
  /** The file consists of tables: everything else is about rows. */
  readonly isOfTables: boolean;
  readonly previewProblem: string | null;
  readonly recipe: OfferedRecipe | null;
  readonly running: ShownWork | null;
  readonly outcome: Outcome | null;
  /** Why the last import was not done. */
  readonly problem: string | null;
}

/** When everything is bad, more problems are no help. */
const MAX_PROBLEMS = 10_000;

export const plannedBy = ({ options, target, columns, analysis }: ImportView, source: ImportSource): ImportPlan =>
  planOf({
    source,
    options: options!,
    target,
    columns,
    typesAreOpen: isCounting(analysis),
    maxProblems: MAX_PROBLEMS,
  });

export const isCounting = (analysis: ImportView['analysis']): boolean =>
  analysis === null || analysis.state === 'running';

/** Names of the columns of the existing table, generated ones included; null: the table is new, or not known. */
export const namesInTable = ({ detail, target }: ImportView): readonly string[] | null =>
  target.kind === 'table' && detail ? detail.columns.map(({ name }) => name) : null;

/** Whether the table that the rows go into is STRICT. */
export const isStrict = ({ detail, target }: ImportView): boolean =>
  target.kind === 'table' ? detail?.strict === true : target.strict;

/** Whether the two differ only in the progress of running work, if at all. */
export function isSameButProgress(a: ImportView, b: ImportView): boolean {
  const names = Object.keys(b) as (keyof ImportView)[];
  return names.every((name) => {
    if (a[name] === b[name]) return true;
    if (name === 'running') return a.running !== null && b.running !== null;
    return name === 'analysis' && a.analysis?.state === 'running' && b.analysis?.state === 'running';
  });
}

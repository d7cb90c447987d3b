// Plans a paste into a table: which column each field goes into, and an import plan for it.
import { choicesByName, writable } from '#shared/import/column-choices.ts';
import { AppError } from '#shared/protocol/index.ts';
import type { ImportColumn, DetectedSource, ImportOptions, ImportPlan } from '#shared/protocol/index.ts';
import type { GridHandle } from '../../../grid/grid-handle.ts';
import { activeRange, placesOf } from '../../../grid/input/selection.ts';
import type { TableSource } from '../../../workbench/rows/table-source.ts';
import { columnsFrom } from '../paste.ts';
import { formatCount } from '../../../ui/format.ts';
import { transposed } from '../../../grid/input/text-block.ts';

/** Target of a paste: the cells from the selected one on, new rows, or a new table. */
export type PasteAs = 'cells' | 'rows' | 'table';

export interface PasteChoice {
  readonly pasteAs: PasteAs;
  readonly trims: boolean;
  readonly transposes: boolean;
}

export interface PlannedPaste {
  readonly plan: ImportPlan;
  /** Table columns, in the order of the plan's columns. */
  readonly columns: readonly number[];
  /** How fields were matched with columns, in a sentence. */
  readonly mapping: string;
}

/** Keeps numbers from JSON as numbers. */
const TRIMMED = "iif(typeof(value) = 'text', trim(value), value)";

export interface PasteTarget {
  readonly source: TableSource;
  readonly grid: GridHandle;
  readonly text: string;
}

/** @throws AppError `refused` with a whole sentence if the fields do not fit */
export function planPaste(
  { source, grid, text }: PasteTarget,
  detected: DetectedSource,
  choice: PasteChoice,
): PlannedPaste {
  const { columns, mapping } = columnsOf({ source, grid }, detected, choice.pasteAs);
  const planned = columns.map(({ column, from }): ImportColumn => ({
    name: source.columns[column]!.name,
    from,
    type: '',
    notNull: false,
    primaryKey: false,
    defaultSql: '',
    expression: choice.trims ? TRIMMED : '',
  }));
  return {
    plan: {
      source: { kind: 'text', text, name: 'Clipboard' },
      options: detected.options,
      target: { kind: 'table', table: source.detail.name, mode: 'append', key: [], existing: 'skip' },
      columns: planned,
      // All or nothing.
      maxProblems: 1,
    },
    columns: columns.map(({ column }) => column),
    mapping,
  };
}

/** Names in the first row that the table does not have are more likely a row: a block of words could be either. */
export const isLikelyRow = (
  { options, columns }: Pick<DetectedSource, 'options' | 'columns'>,
  { detail }: Pick<TableSource, 'detail'>,
): boolean =>
  options.format === 'csv' &&
  options.hasHeader &&
  choicesByName(columns, writable(detail.columns)).every(({ name }) => name === null);

interface Mapped {
  readonly columns: readonly { readonly column: number; readonly from: number }[];
  readonly mapping: string;
}

function columnsOf({ source, grid }: Omit<PasteTarget, 'text'>, detected: DetectedSource, pasteAs: PasteAs): Mapped {
  const byName = pasteAs === 'rows' && hasNames(detected.options) ? namedColumns(source, detected) : [];
  if (byName.length > 0) {
    const missing = detected.columns.length - byName.length;
    const rest =
      missing === 0
        ? ''
        : ` ${missing === 1 ? 'One' : missing} of them ${missing === 1 ? 'has' : 'have'} no column and ${missing === 1 ? 'is' : 'are'} left out.`;
    return { columns: byName, mapping: `Cells go into the columns with the same names.${rest}` };
  }
  const { first } = placesOf(activeRange(grid.selection), grid.bounds);
  const columns = columnsFrom(source, grid, first, detected.columns.length);
  return {
    columns: columns.map((column, from) => ({ column, from })),
    mapping: `Cells go into the columns in order, starting with “${source.columns[columns[0]!]!.name}”.`,
  };
}

const hasNames = ({ format, hasHeader }: ImportOptions): boolean => format !== 'csv' || hasHeader;

function namedColumns(source: TableSource, detected: DetectedSource): Mapped['columns'] {
  const names = source.columns.map(({ name }) => name);
  return choicesByName(detected.columns, writable(source.detail.columns)).flatMap(({ name }, from) =>
    name === null ? [] : [{ column: names.indexOf(name), from }],
  );
}

/** SQLite's default limit of columns (sqlite.org/limits.html). */
const MAX_COLUMNS = 2000;

/** Rows of JSON have names, which are not cells; a text without a delimiter has one column. */
export const canTranspose = ({ format, delimiter }: ImportOptions): boolean => format === 'csv' && delimiter !== '';

/** @throws AppError `too-big` if a table cannot have that many columns */
export function transposedText(text: string, { delimiter, quote }: ImportOptions): string {
  const turned = transposed(text, { delimiter, quote }, MAX_COLUMNS);
  if (turned !== null) return turned;
  throw AppError.tooBig(
    `Text with more than ${formatCount(MAX_COLUMNS)} rows cannot be transposed, because a table has at most ${formatCount(MAX_COLUMNS)} columns.`,
  );
}

// The first rows as they will be stored, in the grid, with the settings of each column above it.
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { ChevronDown } from 'lucide-react';
import { placeWord } from '#shared/import-formats.ts';
import type { Column } from '#shared/protocol/index.ts';
import { useCopyCommands } from '../../workbench/cells/use-copy-commands.ts';
import { notifyFailure } from '../../state/databases.ts';
import { useSchema } from '../../state/schema.ts';
import { useStore } from '../../state/store.ts';
import { PLAIN_VIEW, type GridView } from '../../grid/layout/geometry.ts';
import { Grid } from '../../grid/grid.tsx';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount, plural } from '../../ui/format.ts';
import { Menu } from '../../ui/menu.tsx';
import { importedOf, nameProblems, unfilled, writableColumns } from '#shared/import/column-choices.ts';
import type { ColumnChoice } from '#shared/import/column-choices.ts';
import { COLUMN_WIDTH, ColumnStrip } from './column-strip.tsx';
import type { ImportSession } from './import-session.ts';
import { isCounting, isStrict, type ImportView, type Preview } from './import-view.ts';
import { MemorySource } from '../../workbench/rows/memory-source.ts';
import { leftEntries } from './left-columns.ts';
import { replacedRows } from './import-label.ts';
import { ScrollLink } from './scroll-link.ts';

interface PreviewPartProps {
  readonly tabId: string;
  readonly session: ImportSession;
  readonly view: ImportView;
}

export function PreviewPart({ tabId, session, view }: PreviewPartProps): ReactNode {
  const { columns, detail, target, analysis, preview } = view;
  const tableColumns = target.kind === 'table' && detail ? writableColumns(detail.columns) : null;
  const imported = useMemo(() => importedOf(columns), [columns]);
  const problems = useMemo(() => nameProblems(columns), [columns]);
  const facts = analysis?.state === 'done' ? analysis.analysis.columns : null;
  const [link] = useState(() => new ScrollLink());
  const [widths, setWidths] = useState<GridView['widths']>({});
  const gridView = useMemo(
    () =>
      viewOf(
        imported.map(({ at }) => at),
        widths,
      ),
    [imported, widths],
  );
  const shown = imported.map(({ choice, at }) => ({
    choice,
    at,
    facts: choice.isAdded ? null : (facts?.[at] ?? null),
    problem: problems.get(at),
  }));
  return (
    <section className="stack fill shrink-x" aria-label="Preview">
      <PreviewNotes session={session} view={view} tableColumns={tableColumns} />
      {imported.length === 0 ? (
        <p className="import-empty" role="status">
          {columns.length === 0 ? noRows(view) : 'No columns are imported. Choose one above.'}
        </p>
      ) : (
        <>
          <ColumnStrip
            session={session}
            columns={shown}
            tableColumns={tableColumns}
            canAdd={detail?.kind === 'table'}
            isStrict={isStrict(view)}
            isCounting={isCounting(analysis)}
            rowCount={preview?.preview.rows.length ?? 0}
            view={gridView}
            link={link}
          />
          <PreviewGrid
            tabId={tabId}
            preview={preview}
            columns={imported}
            view={gridView}
            link={link}
            onWidths={(byPlace) =>
              setWidths(Object.fromEntries(imported.map(({ at }, place) => [at, byPlace[place] ?? COLUMN_WIDTH])))
            }
          />
        </>
      )}
    </section>
  );
}

/** Widths are stored by column, and shown by position. */
const viewOf = (sources: readonly number[], widths: GridView['widths']): GridView => ({
  ...PLAIN_VIEW,
  widths: Object.fromEntries(sources.map((at, place) => [place, widths[at] ?? COLUMN_WIDTH])),
});

interface PreviewGridProps {
  readonly tabId: string;
  readonly preview: Preview | null;
  readonly columns: readonly { readonly choice: ColumnChoice; readonly at: number }[];
  readonly view: GridView;
  readonly link: ScrollLink;
  readonly onWidths: (widths: GridView['widths']) => void;
}

function PreviewGrid({ tabId, preview, columns, view, link, onWidths }: PreviewGridProps): ReactNode {
  const grid = useRef<GridHandle>(null);
  const key = columns.map(({ at }) => at).join();
  const source = useMemo(
    () => sourceOf(preview, columns),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- names and types are no business of the rows
    [preview, key],
  );
  const isActive = useStore(({ activeTabId }) => activeTabId === tabId);
  useCopyCommands(() => grid.current, isActive);
  return (
    <div className="fill anchor">
      <Grid
        ref={grid}
        source={source}
        view={view}
        sort={[]}
        label="Rows as they will be stored"
        companion={link.companion}
        onViewChange={({ widths }) => onWidths(widths)}
        onError={notifyFailure}
      />
    </div>
  );
}

function sourceOf(
  preview: Preview | null,
  columns: readonly { readonly choice: ColumnChoice; readonly at: number }[],
): MemorySource {
  const rows = preview?.preview.rows ?? [];
  // A column that was just chosen appears in the next preview.
  const places = columns.map(({ at }) => preview?.from.indexOf(at) ?? -1);
  return new MemorySource(
    columns.map(({ choice }) => ({ name: choice.source, typeLabel: '' })),
    rows.length,
    (row, column) => rows[row]?.[places[column]!] ?? null,
  );
}

const placeOf = (options: ImportView['options'], line: number): string =>
  `${placeWord(options!.format)} ${formatCount(line)}`;

function noRows({ analysis, options }: ImportView): string {
  const problem = analysis?.state === 'done' ? analysis.analysis.firstProblem : null;
  if (problem === null) return 'There are no rows in this file, so there is nothing to import.';
  return `No row of this file can be read. ${placeOf(options, problem.line)}: ${problem.reason}`;
}

/** Empty if something else on screen says why there are no rows. */
function statusOf(view: ImportView): string {
  if (view.preview) return shownText(view);
  return view.previewProblem !== null || importedOf(view.columns).length === 0 ? '' : 'Reading the first rows…';
}

interface PreviewNotesProps {
  readonly session: ImportSession;
  readonly view: ImportView;
  readonly tableColumns: readonly Column[] | null;
}

function PreviewNotes({ session, view, tableColumns }: PreviewNotesProps): ReactNode {
  const { columns, options, preview, previewProblem, target } = view;
  const replaced = replacedRows(target, useSchema(target.database));
  const left = columns.flatMap((choice, at) => (choice.name === null ? [{ choice, at }] : []));
  const free = tableColumns
    ? unfilled(
        columns,
        tableColumns.map(({ name }) => name),
      )
    : [];
  const canAdd = view.detail?.kind === 'table';
  const problems = preview?.preview.problems ?? [];
  const first = problems[0];
  return (
    <div className="row ruled-bar import-notes import-preview-notes">
      {/* First what has a fixed width, then what becomes longer and shorter by itself. */}
      <div className="row gap-8 fixed shrink-x import-preview-buttons">
        <Button
          size="small"
          why={tableColumns !== null && free.length === 0 && !canAdd ? 'Every column of the table gets a value.' : null}
          onClick={() => session.addColumn()}
        >
          Add column
        </Button>
        {left.length > 0 && (
          <Menu
            trigger={
              <Button size="small">
                {`Not imported: ${left.length === 1 ? left[0]!.choice.source : plural(left.length, 'column')}`}
                <ChevronDown size={12} aria-hidden />
              </Button>
            }
            entries={leftEntries(session, view, free)}
          />
        )}
      </div>
      <div className="fill-x full-height import-preview-texts" role="region" aria-label="Notes" tabIndex={0}>
        {previewProblem && (
          <p className="import-bad" role="alert">
            {previewProblem}
          </p>
        )}
        <span role="status">{statusOf(view)}</span>
        {replaced !== null && <span className="import-warning">{`Replaces ${replaced}`}</span>}
        {first && (
          <span className="import-warning">
            {`${plural(problems.length, 'row')} cannot be imported. ${placeOf(options, first.line)}: ${first.reason}`}
          </span>
        )}
        {preview?.preview.notes.map((note) => (
          <span key={note}>{note}</span>
        ))}
      </div>
    </div>
  );
}

/** “First 1,000 rows: 12 new, 3 changed, …” */
function shownText({ preview, analysis }: ImportView): string {
  const { rows, changes } = preview!.preview;
  const total = analysis?.state === 'done' ? analysis.analysis.records : null;
  const isAll = total !== null && total <= rows.length;
  if (isAll && rows.length === 0) return 'No rows';
  const all = rows.length === 1 ? 'The only row' : `All ${plural(rows.length, 'row')}`;
  const shown = isAll ? all : `First ${plural(rows.length, 'row')}`;
  if (!changes) return `${shown}, as stored`;
  const { added, changed, equal, skipped } = changes;
  const counts = `${formatCount(added)} new, ${formatCount(changed)} changed, ${formatCount(equal)} equal, ${formatCount(skipped)} skipped`;
  return `${shown}: ${counts}`;
}

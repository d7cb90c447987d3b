// The chart of a result, in place of its rows. Loaded when the first chart is shown.
import { useLayoutEffect, useMemo, useRef, useState, useEffect, type ReactNode, type RefObject } from 'react';
import type { ChartData, ChartRequest, ChartSpan, Value, AppError, ColumnContents } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { client } from '../../../connection/database-client.ts';
import type { ResultSource } from '../../../workbench/rows/result-source.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { plural } from '../../../ui/format.ts';
import type { QueryResult } from '../query-view.ts';
import { ChevronDown, Download, Table2, ZoomOut } from 'lucide-react';
import { CHART_KINDS, COMBINATIONS, toAppError } from '#shared/protocol/index.ts';
import { Menu, type MenuEntry } from '../../../ui/menu.tsx';
import { Select } from '../../../ui/select.tsx';
import { canCountRows, dateFormOf, fits, suggestChart, withKind, xColumns, yColumns } from './chart-choice.ts';
import type { ChartChoice, ChartColumn } from './chart-choice.ts';
import { chartNotes, COMBINATION_NAMES, KIND_NAMES, momentText, placesOf, seriesNames, xName } from './chart-labels.ts';
import { Grid } from '../../../grid/grid.tsx';
import type { GridHandle } from '../../../grid/grid-handle.ts';
import { PLAIN_VIEW } from '../../../grid/layout/geometry.ts';
import { notifyFailure } from '../../../state/databases.ts';
import { useCopyCommands } from '../../../workbench/cells/use-copy-commands.ts';
import { MemorySource } from '../../../workbench/rows/memory-source.ts';
import { useColumnCommands } from '../../../workbench/columns/use-column-commands.ts';
import type { NameOf } from './chart-labels.ts';
import type { PlotSubject } from './plot.ts';
import { PlotView, type PlotSize } from './plot-view.tsx';
import { shell } from '../../../connection/shell.ts';
import { notify } from '../../../state/store.ts';
import { formatEntries, saveAs, type ExportFormat } from '../../../workbench/files/export-format.ts';
import { svgPng } from '../../../workbench/pictures/svg-png.ts';
import { chartSvg, PICTURE, type ChartPicture } from './chart-picture.ts';
import { lineStyle, themeColors } from './series-style.ts';
import './chart.css';

const svgOf = (picture: ChartPicture): string => chartSvg(picture, themeColors());
const pngOf = (picture: ChartPicture): Promise<Uint8Array> => svgPng(svgOf(picture), PICTURE);

const FORMATS: readonly ExportFormat<ChartPicture>[] = [
  { extension: 'svg', label: 'SVG…', hint: 'scalable picture', contents: svgOf },
  { extension: 'png', label: 'PNG…', contents: pngOf },
];

function savingEntries(picture: ChartPicture): readonly MenuEntry[] {
  const { choice, nameOf } = picture;
  const title = `${seriesNames(choice, nameOf)[0]!} by ${xName(choice, nameOf)}`;
  return [
    { heading: 'Save as' },
    ...formatEntries(FORMATS, (format) => void saveAs(format, picture, { title, topic: 'chart' })),
    { heading: 'Copy' },
    { label: 'Copy as PNG', hint: 'picture', run: () => void copyPicture(picture) },
    {
      label: 'Copy as SVG',
      hint: 'SVG source',
      run: () => void shell.writeClipboard(svgOf(picture)).catch(notifyFailure),
    },
  ];
}

async function copyPicture(picture: ChartPicture): Promise<void> {
  try {
    await shell.writeClipboardImage(await pngOf(picture));
    notify({ tone: 'success', topic: 'chart', text: 'The chart is on the clipboard as a picture.' });
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

interface ChartBarProps {
  readonly choice: ChartChoice;
  readonly columns: readonly ChartColumn[];
  readonly showsValues: boolean;
  readonly isEnlarged: boolean;
  /** Empty while there is nothing to save. */
  readonly saving: readonly MenuEntry[];
  onChoose(choice: ChartChoice): void;
  onShowValues(shown: boolean): void;
  onShowAll(): void;
}

const ICON = { size: 14, 'aria-hidden': true } as const;
const ROWS = 'rows';

/** The bar above a chart: its kind, its columns, and its actions. */
function ChartBar(props: ChartBarProps): ReactNode {
  const { choice, columns, showsValues, isEnlarged, saving, onChoose, onShowValues, onShowAll } = props;
  const { kind, x } = choice;
  const options = xColumns(kind, columns).map(({ index, name }) => [String(index), visibleName(name)] as const);
  return (
    <div className="row ruled-bar wrap chart-bar" role="toolbar" aria-label="Chart">
      <Select
        label="Kind of chart"
        value={kind}
        options={CHART_KINDS.map((each) => [each, KIND_NAMES[each]])}
        onChoose={(chosen) => onChoose(withKind(choice, chosen, columns))}
      />
      <label>
        {kind === 'histogram' ? 'Column' : 'X'}
        <Select
          label={kind === 'histogram' ? 'Column' : 'X axis'}
          value={x === null ? ROWS : String(x)}
          options={canCountRows(kind) ? [[ROWS, 'Row number'], ...options] : options}
          onChoose={(chosen) => onChoose({ ...choice, x: chosen === ROWS ? null : Number(chosen), before: undefined })}
        />
      </label>
      {kind !== 'histogram' && <SeriesMenu choice={choice} columns={columns} onChoose={onChoose} />}
      {kind === 'bar' && choice.y.length > 0 && (
        <Select
          label="Combine as"
          value={choice.combine}
          options={COMBINATIONS.map((each) => [each, COMBINATION_NAMES[each]])}
          onChoose={(combine) => onChoose({ ...choice, combine })}
        />
      )}
      <span className="gap-2 push-end chart-bar-end">
        {isEnlarged && (
          <IconButton label="Reset zoom" shortcut="Esc" onClick={onShowAll}>
            <ZoomOut {...ICON} />
          </IconButton>
        )}
        <IconButton
          label="Show the values as a table"
          aria-pressed={showsValues}
          onClick={() => onShowValues(!showsValues)}
        >
          <Table2 {...ICON} />
        </IconButton>
        <Menu
          align="end"
          trigger={
            <IconButton label="Save or copy the chart" disabled={saving.length === 0}>
              <Download {...ICON} />
            </IconButton>
          }
          entries={saving}
        />
      </span>
    </div>
  );
}

function SeriesMenu({ choice, columns, onChoose }: Pick<ChartBarProps, 'choice' | 'columns' | 'onChoose'>): ReactNode {
  const { y, kind } = choice;
  const offered = yColumns(columns);
  const names = y.map((column) => visibleName(columns.find(({ index }) => index === column)?.name ?? ''));
  const toggle = (column: number): void => {
    const chosen = toggled(y, column);
    const combine = kind === 'bar' && chosen.length === 0 ? 'count' : y.length === 0 ? 'sum' : choice.combine;
    const before = choice.before && { ...choice.before, y: toggled(choice.before.y, column) };
    onChoose({ ...choice, y: chosen, combine, before });
  };
  const shown = names.join(', ') || (kind === 'bar' ? 'Number of rows' : 'Nothing');
  return (
    <Menu
      trigger={
        <button type="button" className="row gap-6 chart-series small-field">
          <span>
            Y<span className="visually-hidden"> axis:</span>
          </span>{' '}
          <b>{shown}</b> <ChevronDown size={12} aria-hidden="true" />
        </button>
      }
      entries={
        offered.length === 0
          ? [{ heading: 'No column has numbers' }]
          : offered.map(({ index, name }) => ({
              label: visibleName(name),
              checked: y.includes(index),
              run: () => toggle(index),
            }))
      }
    />
  );
}

const toggled = (series: readonly number[], column: number): readonly number[] =>
  series.includes(column) ? series.filter((each) => each !== column) : [...series, column];

interface ChartPaneProps {
  readonly result: QueryResult;
  readonly isActive: boolean;
  /** Null: the choice that suits the columns. */
  readonly chosen: ChartChoice | null;
  onChoose(choice: ChartChoice): void;
}

export function ChartPane({ result, isActive, chosen, onChoose }: ChartPaneProps): ReactNode {
  const { source } = result;
  const [attempt, setAttempt] = useState(0);
  const { contents, error } = useContents(source, attempt);
  const columns = useMemo(() => {
    const offset = source.hiddenColumns;
    return (contents?.columns ?? [])
      .map((each, index) => ({ ...each, index, name: source.info.columns[index]?.name ?? '' }))
      .slice(offset);
  }, [contents, source]);
  if (error) return <Problem text={error.message} onRetry={() => setAttempt((count) => count + 1)} />;
  if (!contents) return <div className="stack full-height chart-pane" aria-busy="true" />;
  const suggested = chosen && fits(chosen, columns) ? chosen : suggestChart(columns);
  if (contents.rows === 0) return <Empty text="There are no rows to draw." />;
  if (!suggested) return <Empty text="There is nothing to draw: every value is NULL." />;
  return <Drawn result={result} columns={columns} choice={suggested} isActive={isActive} onChoose={onChoose} />;
}

interface DrawnProps {
  readonly result: QueryResult;
  readonly columns: readonly ChartColumn[];
  readonly choice: ChartChoice;
  readonly isActive: boolean;
  onChoose(choice: ChartChoice): void;
}

function Drawn({ result, columns, choice, isActive, onChoose }: DrawnProps): ReactNode {
  const { source } = result;
  const place = useRef<HTMLDivElement>(null);
  const size = useSize(place);
  const [span, setSpan] = useState<ChartSpan | null>(null);
  const [showsValues, setShowsValues] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const request = useRequest(choice, columns, span, size);
  const { drawn, error } = useChart(source, request, attempt);
  const nameOf = namesOf(source);
  const shown = useMemo(() => drawn && subjectOf(drawn, source), [drawn, source]);
  const choose = (next: ChartChoice): void => {
    if (next.x !== choice.x || next.kind !== choice.kind) setSpan(null);
    onChoose(next);
  };
  const isEmpty = shown !== null && shown.data.y.every((series) => series.every(Number.isNaN));
  return (
    <div className="stack full-height chart-pane">
      <ChartBar
        choice={choice}
        columns={columns}
        showsValues={showsValues}
        isEnlarged={span !== null}
        saving={shown && !isEmpty ? savingEntries({ ...shown, nameOf }) : []}
        onChoose={choose}
        onShowValues={setShowsValues}
        onShowAll={() => setSpan(null)}
      />
      {!isEmpty && <Legend names={seriesNames(choice, nameOf)} />}
      <div className="fill chart-body">
        <div ref={place} className="fill shrink-x clip anchor">
          {error && <Problem text={error.message} onRetry={() => setAttempt((count) => count + 1)} />}
          {!error && isEmpty && <Empty text={emptyText(shown.choice, columns, nameOf)} />}
          {!error && !isEmpty && shown && size && (
            <PlotView subject={shown} nameOf={nameOf} size={size} onSpan={setSpan} />
          )}
        </div>
        {showsValues && shown && (
          <div className="fixed chart-values">
            <ChartValues choice={shown.choice} data={shown.data} nameOf={nameOf} isActive={isActive} />
          </div>
        )}
      </div>
      {/* Shown before the numbers arrive: it would otherwise take its space from the plot, which would be drawn twice. */}
      <p className="cut note fixed chart-notes" role="status">
        {shown ? chartNotes(shown.choice, shown.data).join('. ') || plural(shown.data.rows, 'row') : '\u00a0'}
      </p>
    </div>
  );
}

const namesOf =
  ({ info }: ResultSource): NameOf =>
  (column) =>
    visibleName(info.columns[column]?.name ?? '');

const subjectOf = ({ request, data }: NonNullable<ChartState['drawn']>, source: ResultSource): PlotSubject => ({
  choice: request,
  data,
  span: request.span,
  xLabel: xName(request, namesOf(source)),
});

function useRequest(
  choice: ChartChoice,
  columns: readonly ChartColumn[],
  span: ChartSpan | null,
  size: PlotSize | null,
): ChartRequest | null {
  const { kind, x, y, combine } = choice;
  const xDates = dateFormOf(choice, columns);
  const key = JSON.stringify([kind, x, y, combine, xDates, span, size]);
  const [held, setHeld] = useState<{ readonly key: string; readonly request: ChartRequest } | null>(null);
  if (!size) return null;
  if (held?.key === key) return held.request;
  const request = { kind, x, y, combine, xDates, span, width: size.width, height: size.height };
  setHeld({ key, request });
  return request;
}

/** Size in whole pixels; null until it is known. */
function useSize(element: RefObject<HTMLElement | null>): PlotSize | null {
  const [size, setSize] = useState<PlotSize | null>(null);
  useLayoutEffect(() => {
    const own = element.current!;
    const measure = (): void => {
      const [width, height] = [Math.floor(own.clientWidth), Math.floor(own.clientHeight)];
      if (width < 1 || height < 1) return;
      setSize((before) => (before?.width === width && before.height === height ? before : { width, height }));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(own);
    measure();
    return () => observer.disconnect();
  }, [element]);
  return size;
}

function Legend({ names }: { readonly names: readonly string[] }): ReactNode {
  return (
    <ul className="fixed wrap small chart-legend" aria-label="Series">
      {names.map((name, series) => (
        <li key={series}>
          <svg width="14" height="8" aria-hidden="true">
            <line
              x1="0"
              y1="4"
              x2="14"
              y2="4"
              stroke={`var(--${lineStyle(series).ink})`}
              strokeWidth="3"
              strokeDasharray={lineStyle(series).dash.join(' ')}
            />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}

function emptyText(choice: ChartChoice, columns: readonly ChartColumn[], nameOf: NameOf): string {
  if (yColumns(columns).length === 0) return 'No column has numbers. A bar chart can show how often each value occurs.';
  if (choice.kind !== 'bar' && choice.kind !== 'histogram' && choice.y.length === 0)
    return 'Choose a column for the Y axis.';
  const names = choice.y.map((column) => `“${nameOf(column)}”`).join(' or ');
  const axis = `“${xName(choice, nameOf)}”`;
  const what =
    choice.kind === 'time'
      ? `a date in ${axis} and a number in ${names}`
      : names
        ? `a number in ${names}`
        : `a number in ${axis}`;
  return `No row has ${what}. Choose other columns.`;
}

const Empty = ({ text }: { readonly text: string }): ReactNode => (
  <p className="stack gap-10 dim chart-empty" role="status">
    {text}
  </p>
);

function Problem({ text, onRetry }: { readonly text: string; readonly onRetry: () => void }): ReactNode {
  return (
    <div className="stack gap-10 dim chart-empty" role="alert">
      <p className="selectable">{text}</p>
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}

interface ChartValuesProps {
  readonly choice: ChartChoice;
  readonly data: ChartData;
  readonly nameOf: NameOf;
  readonly isActive: boolean;
}

/** The numbers of a chart as a table, for those who want exact values or do not see the picture. */
function ChartValues({ choice, data, nameOf, isActive }: ChartValuesProps): ReactNode {
  const grid = useRef<GridHandle>(null);
  const [view, setView] = useState(PLAIN_VIEW);
  const [held, setHeld] = useState(() => ({ data, source: sourceOf(choice, data, nameOf) }));
  if (held.data !== data) setHeld({ data, source: sourceOf(choice, data, nameOf) });
  useCopyCommands(() => grid.current, isActive);
  useColumnCommands(() => grid.current, isActive);
  return (
    <Grid
      ref={grid}
      source={held.source}
      view={view}
      sort={[]}
      label="Values of the chart"
      onViewChange={setView}
      onError={notifyFailure}
    />
  );
}

function sourceOf(choice: ChartChoice, data: ChartData, nameOf: NameOf): MemorySource {
  const axis = xName(choice, nameOf);
  const isHistogram = choice.kind === 'histogram';
  const names = isHistogram ? [`${axis} from`, `${axis} to`] : [axis];
  const columns = [...names, ...seriesNames(choice, nameOf)].map((name) => ({ name, typeLabel: '' }));
  const valueAt = (row: number, column: number): Value => {
    if (isHistogram && column === 1) return data.x[row + 1]!;
    if (column < names.length) return xValue(choice, data, row);
    const value = data.y[column - names.length]![row]!;
    return Number.isNaN(value) ? null : value;
  };
  return new MemorySource(columns, placesOf(data), valueAt);
}

function xValue({ kind }: ChartChoice, { x, labels }: ChartData, row: number): Value {
  if (labels) return labels[row] ?? null;
  return kind === 'time' ? momentText(x[row]!) : x[row]!;
}

// The numbers of a chart, requested when it is shown or changed, and again when the rows have changed.

interface ChartState {
  /** The request and its answer. The previous chart stays until the next one is ready. */
  readonly drawn: { readonly request: ChartRequest; readonly data: ChartData } | null;
  readonly error: AppError | null;
}

const NOTHING: ChartState = { drawn: null, error: null };

/** @param request must stay the same object as long as the chart is the same; null while it is not known */
function useChart(source: ResultSource, request: ChartRequest | null, attempt: number): ChartState {
  const [state, setState] = useState(NOTHING);
  useEffect(() => {
    if (!request) return;
    const abort = new AbortController();
    let [isReading, isOld] = [false, false];
    const read = async (): Promise<void> => {
      isReading = true;
      isOld = false;
      try {
        const params = { reader: source.reader, chart: request };
        const data = await client.call('chart.read', params, { signal: abort.signal });
        if (!abort.signal.aborted) setState({ drawn: { request, data }, error: null });
      } catch (thrown) {
        if (!abort.signal.aborted) setState((before) => ({ ...before, error: toAppError(thrown) }));
      }
      isReading = false;
      if (isOld && !abort.signal.aborted) await read();
    };
    const note = (): void => {
      isOld = true;
      if (!isReading) void read();
    };
    // A live result runs again only if rows are watched; `changed` then says that the new ones have arrived.
    void source.watch({ start: 0, count: 1 }).catch(() => undefined);
    const stopListening = source.subscribe(({ kind }) => kind !== 'extent' && note());
    void read();
    return () => {
      stopListening();
      abort.abort();
    };
  }, [source, request, attempt]);
  return state;
}

interface Contents {
  readonly rows: number;
  readonly columns: readonly ColumnContents[];
}

/** Contents of the columns when the chart is first shown. */
function useContents(
  source: ResultSource,
  attempt: number,
): { readonly contents: Contents | null; readonly error: AppError | null } {
  const [state, setState] = useState<{ readonly contents: Contents | null; readonly error: AppError | null }>({
    contents: null,
    error: null,
  });
  useEffect(() => {
    let isGone = false;
    client.call('chart.columns', { reader: source.reader }).then(
      (contents) => !isGone && setState({ contents, error: null }),
      (thrown: unknown) => !isGone && setState({ contents: null, error: toAppError(thrown) }),
    );
    return () => void (isGone = true);
  }, [source, attempt]);
  return state;
}

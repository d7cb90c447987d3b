// The chart of a result, in place of its rows. Loaded when the first chart is shown.
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import type { ChartRequest, ChartSpan } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import type { ResultSource } from '../../../workbench/rows/result-source.ts';
import { Button } from '../../../ui/button.tsx';
import { plural } from '../../../ui/format.ts';
import type { QueryResult } from '../query-view.ts';
import { ChartBar } from './chart-bar.tsx';
import { dateFormOf, fits, suggestChart, yColumns } from './chart-choice.ts';
import type { ChartChoice, ChartColumn } from './chart-choice.ts';
import { ChartValues } from './chart-values.tsx';
import { chartNotes, seriesNames, xName } from './chart-labels.ts';
import type { NameOf } from './chart-labels.ts';
import type { PlotSubject } from './plot.ts';
import { PlotView } from './plot-view.tsx';
import type { PlotSize } from './plot-view.tsx';
import { savingEntries } from './save-chart.ts';
import { lineStyle } from './series-style.ts';
import { useChart, useContents } from './use-chart.ts';
import type { ChartState } from './use-chart.ts';
import './chart.css';

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
  if (!contents) return <div className="chart-pane" aria-busy="true" />;
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
    <div className="chart-pane">
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
      <div className="chart-body">
        <div ref={place} className="chart-place-of-plot">
          {error && <Problem text={error.message} onRetry={() => setAttempt((count) => count + 1)} />}
          {!error && isEmpty && <Empty text={emptyText(shown.choice, columns, nameOf)} />}
          {!error && !isEmpty && shown && size && (
            <PlotView subject={shown} nameOf={nameOf} size={size} onSpan={setSpan} />
          )}
        </div>
        {showsValues && shown && (
          <div className="chart-values">
            <ChartValues choice={shown.choice} data={shown.data} nameOf={nameOf} isActive={isActive} />
          </div>
        )}
      </div>
      {/* Shown before the numbers arrive: it would otherwise take its space from the plot, which would be drawn twice. */}
      <p className="chart-notes" role="status">
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
    <ul className="chart-legend" aria-label="Series">
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
  <p className="chart-empty" role="status">
    {text}
  </p>
);

function Problem({ text, onRetry }: { readonly text: string; readonly onRetry: () => void }): ReactNode {
  return (
    <div className="chart-empty" role="alert">
      <p className="selectable">{text}</p>
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}

// One result: its bar, its warnings, and the table, plots, growth or environment, with the details of a cell beside them.
import { ChevronDown } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { BenchCell, BenchResult, EngineFacts } from '#shared/bench/result.ts';
import { Button } from '../../../ui/button.tsx';
import { ChoiceRow } from '../../../ui/choice-row.tsx';
import { plural } from '../../../ui/format.ts';
import { Menu } from '../../../ui/menu.tsx';
import type { MenuEntry } from '../../../ui/menu.tsx';
import { Tooltip } from '../../../ui/tooltip.tsx';
import { useWidth } from '../../../ui/use-width.ts';
import { formatEntries, saveAs } from '../../../workbench/files/export-format.ts';
import type { BenchChoice, ResultView, ScreenProps } from '../choice.ts';
import { stackScenes } from '../charts/scene.ts';
import { boxPlot, scalingChart } from '../charts/charts.ts';
import type { ScalingSeries } from '../charts/charts.ts';
import type { Scene } from '../charts/scene.ts';
import { RESULT_FORMATS, tableScene } from '../export/formats.ts';
import { CellDetails } from './cell-details.tsx';
import { groupBy } from '#shared/group-by.ts';
import { suiteOf } from '#shared/bench/suites.ts';
import { SceneSvg } from '../charts/scene-view.tsx';
import { CODE_MEANING, ENGINE_COLUMNS, machineFacts, profileFacts, runFacts, FactRows } from './facts.tsx';
import { cellKey, firstTest, indexOf, suitesOf, tableModel } from './table-model.ts';
import type { TableModel, TablePosition, TestRow } from './table-model.ts';
import { sizeText, suiteTitle, TIMINGS, engineLabel, formatTime } from './labels.ts';
import type { Timing } from './labels.ts';
import { ResultTable } from './result-table.tsx';
import { OUTCOME_TERMS, outcomeOf, warningsOf } from './findings.ts';

interface ShownChart {
  readonly key: string;
  readonly title: string;
  /** What the title leaves open. */
  readonly about: string;
  readonly inPicture: string;
  /** Null when nothing was measured. */
  readonly scene: Scene | null;
  /** The cell whose details belong to it, if there is one such cell. */
  readonly cell?: BenchCell | undefined;
}

interface ChartOptions {
  readonly model: TableModel;
  readonly timing: Timing;
  readonly width: number;
}

type ChartView = Extract<ResultView, 'plots' | 'scaling'>;

/**
 * A result as charts. `plots`: dots and boxes for every test, engines below one another; `scaling`: how times grow with the size, a chart for
 * each test that was measured at more than one.
 */
const CHARTS: Readonly<Record<ChartView, (options: ChartOptions) => readonly ShownChart[]>> = {
  plots: (options) => options.model.rows.flatMap((row) => (row.kind === 'test' ? [plotOf(row, options)] : [])),
  scaling: ({ model, width }) => {
    const tests = model.rows.filter((row) => row.kind === 'test');
    const byTest = groupBy(tests, ({ suite, test }) => `${suite}/${test}`);
    return [...byTest].flatMap(([key, rows]) => scalingOf(key, rows, model, Math.min(width, 900)) ?? []);
  },
};

const NOTES: Readonly<Record<ChartView, readonly [some: string, none: string]>> = {
  plots: [
    'A box is the middle half of the samples, the line through it the median, the bar below it the median’s 95% interval. Hollow points are mild outliers, red ones severe. The axis is logarithmic when times are far apart.',
    'This run has no tests.',
  ],
  scaling: [
    'Both axes are logarithmic. With n^1, twice the size takes twice as long; a smaller exponent means that fixed costs dominate.',
    'No test was measured at more than one size. Choose several sizes for a run.',
  ],
};

function plotOf(row: TestRow, { model, timing, width }: ChartOptions): ShownChart {
  const { key, test: title, suite } = row;
  const size = sizeText(suite, row.size);
  const found = model.columns.flatMap((column) => {
    const shown = row.cells[column.engine];
    return shown ? [{ ...column, ...shown }] : [];
  });
  const rows = found
    .filter(({ shown }) => shown.samples.length > 0)
    .map(({ label, isReference, cell, shown: { samples } }) => {
      return { label, isReference, samples, perRound: timing === 'engine' ? cell.perRound : 1, unit: cell.unit };
    });
  const scene = rows[0] ? boxPlot({ title: `${title}, ${size}`, unit: rows[0].unit, rows, width }) : null;
  const inPicture = `${suiteTitle(suite)}: ${title}, ${size}`;
  return { key, title, about: `${size} · ${suiteTitle(suite)}`, inPicture, scene, cell: found[0]?.cell };
}

const HEIGHT = 220;

function scalingOf(key: string, rows: readonly TestRow[], model: TableModel, width: number): ShownChart | null {
  const series = model.columns.flatMap(({ engine, label }, index): ScalingSeries[] => {
    const points = rows.flatMap(({ size, cells }) => {
      const time = cells[engine]?.shown.median;
      return time ? [{ size, time }] : [];
    });
    return points.length > 1 ? [{ label, index, points }] : [];
  });
  if (series.length === 0) return null;
  const { suite, test: title, cells } = rows[0]!;
  const unit = Object.values(cells)[0]?.cell.unit ?? 'ms';
  const about = `${suiteTitle(suite)}, over ${suiteOf(suite)?.sizeUnit ?? 'size'}`;
  const scene = scalingChart({ title, unit, series, width, height: HEIGHT });
  return { key, title, about, inPicture: `${suiteTitle(suite)}: ${title}`, scene };
}

interface ChartsProps extends Omit<ChartOptions, 'width'> {
  readonly view: ChartView;
  readonly onOpen: (cell: BenchCell) => void;
}

function Charts({ view, model, timing, onOpen }: ChartsProps): ReactNode {
  const [box, width] = useWidth<HTMLDivElement>(640, 200);
  const charts = useMemo(() => CHARTS[view]({ model, timing, width }), [view, model, timing, width]);
  return (
    <div className="fill scroll bench-charts">
      <div ref={box}>
        <p className="note bench-note">{NOTES[view][charts.length > 0 ? 0 : 1]}</p>
        {charts.map(({ key, title, about, scene, cell }) => (
          <figure key={key} className="flush bench-chart">
            <figcaption className="bench-heading">
              <b>{title}</b> <span className="fill-x faint small">{about}</span>
              {cell && (
                <button type="button" className="text-link small" onClick={() => onOpen(cell)}>
                  Details
                </button>
              )}
            </figcaption>
            {scene ? (
              <SceneSvg scene={scene} />
            ) : (
              <p className="note bench-note">No engine has samples of this test.</p>
            )}
          </figure>
        ))}
      </div>
    </div>
  );
}

export interface Rerun {
  /** Why no cell of this result can be measured again; null when it can. */
  readonly why: string | null;
  cell(cell: BenchCell): void;
}

interface ResultScreenProps extends ScreenProps {
  readonly result: BenchResult;
  readonly title: string;
  readonly rerun: Rerun;
  /** Shown while the run is still in progress. */
  readonly progress?: ReactNode;
  /** Actions on the run as a whole. */
  readonly actions: ReactNode;
}

const PICTURE_WIDTH = 860;
const MOST_PLOTS = 60;

export function ResultScreen(props: ResultScreenProps): ReactNode {
  const { result, title, choice, choose, rerun, progress } = props;
  const { timing, view } = choice;
  const suite = result.cells.some((cell) => cell.suite === choice.suite) ? choice.suite : null;
  const model = useMemo(() => tableModel(result, { timing, suite }), [result, timing, suite]);
  const outcome = useMemo(() => outcomeOf(model, result.profile.name), [model, result]);
  const published = publishedColumns(choice, model);
  const { body, cell, position, setPlace, setOpened, open, close } = useOpenedCell(result, model, published.length);
  const picture = (): Scene => pictureOf(choice, model, title, result, published);
  const menuOf = (of: BenchCell): readonly MenuEntry[] => cellMenu(of, rerun, () => setOpened(cellKey(of)));
  return (
    <>
      <ResultBar {...props} suite={suite} picture={picture} />
      {progress}
      {outcome !== null && view !== 'environment' && (
        <Tooltip text={OUTCOME_TERMS}>
          <p className="selectable ruled bench-pad">{outcome}</p>
        </Tooltip>
      )}
      <Warnings result={result} onOpen={() => choose({ view: 'environment' })} />
      <div ref={body} className={cell ? 'fill bench-body bench-with-details' : 'fill bench-body'}>
        {view === 'table' && (
          <ResultTable
            model={model}
            published={published}
            position={position}
            onPosition={setPlace}
            onOpen={open}
            menuOf={menuOf}
          />
        )}
        {(view === 'plots' || view === 'scaling') && (
          <Charts view={view} model={model} timing={timing} onOpen={(of) => setOpened(cellKey(of))} />
        )}
        {view === 'environment' && <EnvironmentView result={result} />}
        {cell && view !== 'environment' && (
          <CellDetails
            key={cellKey(cell)}
            result={result}
            cell={cell}
            timing={timing}
            onClose={close}
            rerun={{
              run: rerun.why === null ? () => rerun.cell(cell) : null,
              why: rerun.why ?? 'Measures this row again, all engines in turn, so that ratios stay paired',
            }}
          />
        )}
      </div>
    </>
  );
}

interface ResultBarProps extends Omit<ResultScreenProps, 'rerun' | 'progress'> {
  readonly suite: string | null;
  readonly picture: () => Scene;
}

const VIEWS: readonly { readonly id: ResultView; readonly label: string }[] = [
  { id: 'table', label: 'Table' },
  { id: 'plots', label: 'Plots' },
  { id: 'scaling', label: 'Growth' },
  { id: 'environment', label: 'Environment' },
];

/** What is shown of a result and where it can be exported: view, timing, suite, published figures, export. */
function ResultBar({ result, title, choice, choose, suite, picture, actions }: ResultBarProps): ReactNode {
  const suites = suitesOf(result.cells);
  const exports = formatEntries(RESULT_FORMATS, (format) => {
    void saveAs(
      format,
      { result, title, timing: choice.timing, picture },
      { title, topic: 'benchmark', noun: 'result' },
    );
  });
  const suiteEntries: MenuEntry[] = [null, ...suites].map((id) => ({
    label: id === null ? 'All suites' : suiteTitle(id),
    checked: id === suite,
    run: () => choose({ suite: id }),
  }));
  const publishedEntries: MenuEntry[] = (
    [
      ['best', 'Best of each test'],
      ['all', 'All published figures'],
      ['none', 'None'],
    ] as const
  ).map(([id, label]) => ({ label, checked: choice.published === id, run: () => choose({ published: id }) }));
  return (
    <div className="row wrap gap-14 ruled-bar bench-bar" role="toolbar" aria-label="Result">
      <ChoiceRow role="radio" label="View" choices={VIEWS} chosen={choice.view} onChoose={(view) => choose({ view })} />
      {choice.view !== 'environment' && (
        <>
          <ChoiceRow
            role="radio"
            label="Time"
            choices={TIMINGS}
            chosen={choice.timing}
            onChoose={(timing) => choose({ timing })}
          />
          {suites.length > 1 && (
            <Choice label={suite === null ? 'All suites' : suiteTitle(suite)} entries={suiteEntries} />
          )}
          {choice.view === 'table' && <Choice label="Published" entries={publishedEntries} />}
        </>
      )}
      <span className="fill-x" />
      {actions}
      <Choice label="Export" entries={exports} align="end" />
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly entries: readonly MenuEntry[];
  readonly align?: 'start' | 'end';
}

function Choice({ label, entries, align = 'start' }: ChoiceProps): ReactNode {
  return (
    <Menu
      align={align}
      entries={entries}
      trigger={
        <Button size="small">
          {label} <ChevronDown size={12} aria-hidden />
        </Button>
      }
    />
  );
}

function cellMenu(cell: BenchCell, rerun: ResultScreenProps['rerun'], showDetails: () => void): readonly MenuEntry[] {
  const { why } = rerun;
  return [
    { label: 'Details', hint: 'Enter', run: showDetails },
    { label: 'Re-run this cell', run: () => rerun.cell(cell), disabled: why !== null, hint: why ?? undefined },
  ];
}

function publishedColumns({ published }: BenchChoice, { contenders }: TableModel): readonly string[] {
  if (published === 'all') return contenders;
  return published === 'best' && contenders.length > 0 ? ['best'] : [];
}

function useOpenedCell(result: BenchResult, model: TableModel, published: number) {
  const [opened, setOpened] = useState<string | null>(null);
  const [position, setPlace] = useState<TablePosition>({ row: firstTest(model.rows), column: 0 });
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (opened !== null) body.current?.querySelector<HTMLElement>('.bench-details')?.focus();
  }, [opened]);
  return {
    body,
    cell: opened === null ? null : (indexOf(result).get(opened) ?? null),
    position: clampPosition(position, model, published),
    setPlace,
    setOpened,
    open({ row: index, column }: TablePosition): void {
      const row = model.rows[index];
      if (row?.kind !== 'test') return;
      // A published figure opens the first cell of its row, where all of them are listed.
      const engine = model.columns[column]?.engine ?? model.columns.find(({ engine: id }) => row.cells[id])?.engine;
      const found = engine ? row.cells[engine]?.cell : undefined;
      if (found) setOpened(cellKey(found));
    },
    close(): void {
      setOpened(null);
      // If there is no room for both, the table is back in the next frame.
      requestAnimationFrame(() => body.current?.querySelector<HTMLElement>('.bench-table, .chart svg')?.focus());
    },
  };
}

function Warnings({ result, onOpen }: { readonly result: BenchResult; readonly onOpen: () => void }): ReactNode {
  const warnings = useMemo(() => warningsOf(result), [result]);
  const bad = result.cells.filter(({ status }) => status === 'void' || status === 'failed').length;
  if (warnings.length === 0 && bad === 0) return null;
  return (
    <div className="row gap-6 wrap ruled bench-pad" role="status" aria-label="Warnings">
      {bad > 0 && <span className="tiny error-note bench-badge">{plural(bad, 'cell')} void or failed</span>}
      {warnings.map(({ badge, text }) => (
        <Tooltip key={badge} text={text}>
          <button type="button" className="tiny warn-note bench-badge" onClick={onOpen}>
            {badge}
          </button>
        </Tooltip>
      ))}
    </div>
  );
}

function clampPosition({ row, column }: TablePosition, model: TableModel, published: number): TablePosition {
  const isTest = model.rows[row]?.kind === 'test';
  return {
    row: isTest ? row : firstTest(model.rows),
    column: Math.min(column, Math.max(0, model.columns.length + published - 1)),
  };
}

function pictureOf(
  { view, timing }: BenchChoice,
  model: TableModel,
  title: string,
  result: BenchResult,
  published: readonly string[],
): Scene {
  if (view === 'plots' || view === 'scaling') {
    const charts = CHARTS[view]({ model, timing, width: PICTURE_WIDTH });
    const shown = charts.flatMap(({ inPicture, scene }) => (scene ? [{ title: inPicture, scene }] : []));
    return stackScenes(title, shown.slice(0, MOST_PLOTS));
  }
  const facts = [result.env.cpu, result.env.os, `profile ${result.profile.name}`, result.env.startedAt].join(' · ');
  return tableScene(model, title, facts, published.includes('best') ? [] : published);
}

const FACTS = [
  ['Machine', machineFacts],
  ['Run', runFacts],
  ['Requested profile', profileFacts],
] as const;

// Where and how a result was measured: machine, versions, engines, settings, disturbances.
function EnvironmentView({ result }: { readonly result: BenchResult }): ReactNode {
  const warnings = warningsOf(result);
  return (
    <div className="fill scroll selectable bench-environment" role="region" aria-label="Environment" tabIndex={0}>
      {warnings.length > 0 && (
        <section className="stack gap-6 bench-environment-wide">
          <h2 className="small strong">Before you trust this result</h2>
          {warnings.map(({ badge, text }) => (
            <p key={badge} className="break-words small warn-note bench-aside">
              <b>{badge}</b> {text}
            </p>
          ))}
        </section>
      )}
      {FACTS.map(([title, factsOf]) => (
        <section key={title}>
          <h2 className="small strong">{title}</h2>
          <FactRows facts={factsOf(result)} />
        </section>
      ))}
      <section className="bench-environment-wide">
        <h2 className="small strong">Engines</h2>
        <EngineTable engines={result.env.engines} />
        <p className="note bench-note">{CODE_MEANING}</p>
        <CompileOptions engines={result.env.engines} />
      </section>
    </div>
  );
}

function EngineTable({ engines }: { readonly engines: readonly EngineFacts[] }): ReactNode {
  const columns = [
    ...ENGINE_COLUMNS,
    { name: 'Clock step', isNumber: true, read: ({ timerStepMs }: EngineFacts) => formatTime(timerStepMs, 'ms') },
    { name: 'Runs in', isNumber: false, read: ({ runtime }: EngineFacts) => runtime },
  ];
  return (
    <table className="figures bench-list bench-engines" tabIndex={0} aria-label="Engines">
      <thead>
        <tr>
          {columns.map(({ name, isNumber }) => (
            <th key={name} className={isNumber ? 'bench-number' : ''}>
              {name}
            </th>
          ))}
          <th>SHA-256, source id</th>
        </tr>
      </thead>
      <tbody>
        {engines.map((engine) => (
          <tr key={engine.engine}>
            {columns.map(({ name, isNumber, read }) => (
              <td key={name} className={isNumber ? 'bench-number' : ''}>
                {read(engine) ?? '–'}
              </td>
            ))}
            <td title={[engine.sha256, engine.sourceId].filter(Boolean).join('\n')}>
              {[engine.sha256?.slice(0, 12), engine.sourceId?.slice(0, 32)].filter(Boolean).join(' · ')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Compile options that not all engines share: they cause differences that have nothing to do with wasm or native. */
function CompileOptions({ engines }: { readonly engines: readonly EngineFacts[] }): ReactNode {
  const told = engines.filter(({ compileOptions }) => compileOptions.length > 0);
  const differing = told.flatMap(({ engine, compileOptions }) => {
    const own = compileOptions.filter((option) => !told.every((other) => other.compileOptions.includes(option)));
    return own.length > 0 ? [{ engine, own }] : [];
  });
  if (differing.length === 0) return null;
  return (
    <details className="break-words note bench-note">
      <summary className="text-color">Compile options that differ</summary>
      {differing.map(({ engine, own }) => (
        <p key={engine} className="note bench-note">
          <b>{engineLabel(engine)}:</b> {own.join(', ')}
        </p>
      ))}
    </details>
  );
}

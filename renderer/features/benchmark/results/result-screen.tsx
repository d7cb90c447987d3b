// One result: its bar, its warnings, and the table, plots, growth or environment, with the details of a cell beside them.
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import type { BenchCell, BenchResult } from '#shared/bench/result.ts';
import { plural } from '../../../ui/format.ts';
import type { MenuEntry } from '../../../ui/menu.tsx';
import { Tooltip } from '../../../ui/tooltip.tsx';
import type { BenchChoice, Choose } from '../choice.ts';
import type { Scene } from '../charts/scene.ts';
import { tableScene } from '../export/table-scene.ts';
import { stackScenes } from '../export/stack-scenes.ts';
import { CellDetails } from './cell-details.tsx';
import { EnvironmentView } from './environment-view.tsx';
import { PlotsView, testScene } from './plots-view.tsx';
import { ResultBar } from './result-bar.tsx';
import { ResultTable } from './result-table.tsx';
import { ScalingView, scalingScenes } from './scaling-view.tsx';
import { firstTest } from './table-keys.ts';
import type { TablePosition } from './table-keys.ts';
import { cellKey, indexOf, tableModel } from './table-model.ts';
import type { TableModel } from './table-model.ts';
import { warningsOf } from './warnings.ts';
import { sizeText, suiteTitle } from './labels.ts';

export interface Rerun {
  /** Why no cell of this result can be measured again; null when it can. */
  readonly why: string | null;
  cell(cell: BenchCell): void;
}

interface ResultScreenProps {
  readonly result: BenchResult;
  readonly title: string;
  readonly choice: BenchChoice;
  readonly choose: Choose;
  readonly rerun: Rerun;
  /** Shown while the run is still in progress. */
  readonly progress?: ReactNode;
  /** Actions on the run as a whole. */
  readonly actions: ReactNode;
}

const PICTURE_WIDTH = 860;
const MOST_PLOTS = 60;

export function ResultScreen(props: ResultScreenProps): ReactNode {
  const { result, title, choice, choose, rerun, progress, actions } = props;
  const { timing, view } = choice;
  const suite = result.cells.some((cell) => cell.suite === choice.suite) ? choice.suite : null;
  const model = useMemo(() => tableModel(result, { timing, suite }), [result, timing, suite]);
  const published = publishedColumns(choice, model);
  const { body, cell, position, setPlace, setOpened, open, close } = useOpenedCell(result, model, published.length);
  const picture = (): Scene => pictureOf(view, model, title, choice.timing, result, published);
  const menuOf = (of: BenchCell): readonly MenuEntry[] => cellMenu(of, rerun, () => setOpened(cellKey(of)));
  return (
    <>
      <ResultBar
        result={result}
        title={title}
        choice={choice}
        choose={choose}
        suite={suite}
        picture={picture}
        actions={actions}
      />
      {progress}
      <Warnings result={result} onOpen={() => choose({ view: 'environment' })} />
      <div ref={body} className={cell ? 'bench-body bench-with-details' : 'bench-body'}>
        {view === 'table' && (
          <ResultTable
            model={model}
            timing={timing}
            published={published}
            position={position}
            onPosition={setPlace}
            onOpen={open}
            menuOf={menuOf}
          />
        )}
        {view === 'plots' && <PlotsView model={model} timing={timing} onOpen={(of) => setOpened(cellKey(of))} />}
        {view === 'scaling' && <ScalingView model={model} />}
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

interface OpenedCell {
  readonly body: RefObject<HTMLDivElement | null>;
  readonly cell: BenchCell | null;
  /** Position of the cursor in the table. */
  readonly position: TablePosition;
  setPlace(place: TablePosition): void;
  setOpened(key: string): void;
  open(place: TablePosition): void;
  close(): void;
}

function useOpenedCell(result: BenchResult, model: TableModel, published: number): OpenedCell {
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
    open({ row: index, column }) {
      const row = model.rows[index];
      if (row?.kind !== 'test') return;
      // A published figure opens the first cell of its row, where all of them are listed.
      const engine = model.columns[column]?.engine ?? model.columns.find(({ engine: id }) => row.cells[id])?.engine;
      const found = engine ? row.cells[engine]?.cell : undefined;
      if (found) setOpened(cellKey(found));
    },
    close() {
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
    <div className="bench-warnings" role="status" aria-label="Warnings">
      {bad > 0 && <span className="bench-badge bench-badge-bad">{plural(bad, 'cell')} void or failed</span>}
      {warnings.map(({ badge, text }) => (
        <Tooltip key={badge} text={text}>
          <button type="button" className="bench-badge" onClick={onOpen}>
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
  view: BenchChoice['view'],
  model: TableModel,
  title: string,
  timing: BenchChoice['timing'],
  result: BenchResult,
  published: readonly string[],
): Scene {
  const facts = [result.env.cpu, result.env.os, `profile ${result.profile.name}`, result.env.startedAt].join(' · ');
  if (view === 'plots') {
    const charts = model.rows.flatMap((row) => {
      const scene = row.kind === 'test' ? testScene(model, row, timing, PICTURE_WIDTH) : null;
      if (!scene || row.kind !== 'test') return [];
      return [{ title: `${suiteTitle(row.suite)}: ${row.test}, ${sizeText(row.suite, row.size)}`, scene }];
    });
    return stackScenes(title, charts.slice(0, MOST_PLOTS));
  }
  if (view === 'scaling') {
    const charts = scalingScenes(model, PICTURE_WIDTH).map(({ title: own, suite, scene }) => ({
      title: `${suiteTitle(suite)}: ${own}`,
      scene,
    }));
    return stackScenes(title, charts.slice(0, MOST_PLOTS));
  }
  return tableScene(model, title, facts, published.includes('best') ? [] : published);
}

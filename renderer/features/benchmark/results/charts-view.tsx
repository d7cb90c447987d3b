// A result as charts: dots and boxes for every test, engines below one another; and how times grow with the size, a chart for each test that was
// measured at more than one.
import { groupBy } from '#shared/group-by.ts';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import type { BenchCell } from '#shared/bench/result.ts';
import { suiteOf } from '#shared/bench/suites.ts';
import { boxPlot } from '../charts/box-plot.ts';
import { scalingChart } from '../charts/scaling-chart.ts';
import type { ScalingSeries } from '../charts/scaling-chart.ts';
import type { Scene } from '../charts/scene.ts';
import { SceneSvg, useWidth } from '../charts/scene-view.tsx';
import type { TableModel, TestRow } from './table-model.ts';
import type { Timing } from './timing.ts';
import { sizeText, suiteTitle } from './labels.ts';
import './charts-view.css';

interface PlotsViewProps {
  readonly model: TableModel;
  readonly timing: Timing;
  readonly onOpen: (cell: BenchCell) => void;
}

export function PlotsView({ model, timing, onOpen }: PlotsViewProps): ReactNode {
  const [box, width] = useWidth<HTMLDivElement>(640);
  const tests = model.rows.filter((row) => row.kind === 'test');
  return (
    <div className="bench-charts">
      <div ref={box} className="bench-charts-width">
        <p className="bench-note">
          A box is the middle half of the samples, the line through it the median, the bar below it the median’s 95%
          interval. Hollow points are mild outliers, red ones severe. The axis is logarithmic when times are far apart.
        </p>
        {tests.map((row) => (
          <Plot key={row.key} row={row} model={model} timing={timing} width={width} onOpen={onOpen} />
        ))}
        {tests.length === 0 && <p className="bench-note">This run has no tests.</p>}
      </div>
    </div>
  );
}

interface PlotProps extends PlotsViewProps {
  readonly row: TestRow;
  readonly width: number;
}

function Plot({ row, model, timing, width, onOpen }: PlotProps): ReactNode {
  const scene = useMemo(() => testScene(model, row, timing, width), [model, row, timing, width]);
  const first = model.columns.map(({ engine }) => row.cells[engine]?.cell).find((cell) => cell !== undefined);
  return (
    <figure className="bench-figure-box">
      <figcaption>
        <b>{row.test}</b> <span>{`${sizeText(row.suite, row.size)} · ${suiteTitle(row.suite)}`}</span>
        {first && (
          <button type="button" className="bench-link" onClick={() => onOpen(first)}>
            Details
          </button>
        )}
      </figcaption>
      {scene ? <SceneSvg scene={scene} /> : <p className="bench-note">No engine has samples of this test.</p>}
    </figure>
  );
}

/** Null when nothing was measured. */
export function testScene(model: TableModel, row: TestRow, timing: Timing, width: number): Scene | null {
  const rows = model.columns.flatMap(({ engine, label, isReference }) => {
    const found = row.cells[engine];
    if (!found || found.shown.samples.length === 0) return [];
    const perRound = timing === 'engine' ? found.cell.perRound : 1;
    return [{ label, samples: found.shown.samples, perRound, isReference, unit: found.cell.unit }];
  });
  const unit = rows[0]?.unit;
  if (!unit) return null;
  return boxPlot({ title: `${row.test}, ${sizeText(row.suite, row.size)}`, unit, rows, width });
}

const HEIGHT = 220;

export function ScalingView({ model }: { readonly model: TableModel }): ReactNode {
  const [box, width] = useWidth<HTMLDivElement>(640);
  const charts = scalingScenes(model, Math.min(width, 900));
  return (
    <div className="bench-charts">
      <div ref={box} className="bench-charts-width">
        <p className="bench-note">
          {charts.length === 0
            ? 'No test was measured at more than one size. Choose several sizes for a run.'
            : 'Both axes are logarithmic. With n^1, twice the size takes twice as long; a smaller exponent means that fixed costs dominate.'}
        </p>
        {charts.map(({ key, title, suite, scene }) => (
          <figure key={key} className="bench-figure-box">
            <figcaption>
              <b>{title}</b>{' '}
              <span>
                {suiteTitle(suite)}, over {suiteOf(suite)?.sizeUnit ?? 'size'}
              </span>
            </figcaption>
            <SceneSvg scene={scene} />
          </figure>
        ))}
      </div>
    </div>
  );
}

interface ScalingScene {
  readonly key: string;
  readonly title: string;
  readonly suite: string;
  readonly scene: Scene;
}

export function scalingScenes(model: TableModel, width: number): readonly ScalingScene[] {
  const tests = model.rows.filter((row) => row.kind === 'test');
  const byTest = groupBy(tests, ({ suite, test }) => `${suite}/${test}`);
  return [...byTest].flatMap(([key, rows]) => {
    const series = model.columns.flatMap(({ engine, label }, index): ScalingSeries[] => {
      const points = rows.flatMap(({ size, cells }) => {
        const time = cells[engine]?.shown.median;
        return time ? [{ size, time }] : [];
      });
      return points.length > 1 ? [{ label, index, points }] : [];
    });
    const { suite, test, cells } = rows[0]!;
    const unit = Object.values(cells)[0]?.cell.unit ?? 'ms';
    if (series.length === 0) return [];
    return [{ key, title: test, suite, scene: scalingChart({ title: test, unit, series, width, height: HEIGHT }) }];
  });
}

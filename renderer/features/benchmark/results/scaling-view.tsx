// How times grow with the size, a chart for each test that was measured at more than one.
import { groupBy } from '#shared/group-by.ts';
import type { ReactNode } from 'react';
import { suiteOf } from '#shared/bench/suites.ts';
import { scalingChart } from '../charts/scaling-chart.ts';
import type { ScalingSeries } from '../charts/scaling-chart.ts';
import type { Scene } from '../charts/scene.ts';
import { SceneSvg } from '../charts/scene-svg.tsx';
import type { TableModel } from './table-model.ts';
import { useWidth } from './use-width.ts';
import { suiteTitle } from './labels.ts';
import './charts-view.css';

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

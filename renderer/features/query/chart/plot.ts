// One chart on screen: uPlot draws it on a canvas; the axes, the shapes of bars, and the text at the pointer are our own.
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { ChartData, ChartSpan } from '#shared/protocol/index.ts';
import { axesOf, barBounds, type Axis } from './chart-axes.ts';
import type { ChartChoice } from './chart-choice.ts';
import { isSparse, lineStyle, themeColors, type Ink } from './series-style.ts';

export interface PlotSubject {
  readonly choice: ChartChoice;
  readonly data: ChartData;
  readonly span: ChartSpan | null;
  readonly xLabel: string;
}

interface PlotEvents {
  /** The pointer is near a position on the X axis, or near none. */
  onPlace(index: number | null): void;
  /** It is laid out, and the cursor can be moved. */
  onReady(): void;
  /** A part of the X axis was selected with the pointer. */
  onSpan(span: ChartSpan): void;
}

const FONT = '11px ';
const MIN_DRAG = 4;
const LABEL_CHAR = 6.4;

export class Plot {
  readonly #plot: UPlot;
  readonly #subject: PlotSubject;

  constructor(element: HTMLElement, subject: PlotSubject, events: PlotEvents, width: number, height: number) {
    this.#subject = subject;
    this.#plot = new UPlot(optionsOf(subject, events, width, height), dataOf(subject.data), element);
  }

  /** Moves the cross line to a position on the X axis; null hides it. */
  moveTo(index: number | null): void {
    const { data } = this.#subject;
    const isThere = index !== null && index < (data.y[0]?.length ?? 0);
    const at = isThere ? this.#plot.valToPos(middleOf(this.#subject, data.x, index), 'x') : -10;
    this.#plot.setCursor({ left: at, top: isThere ? 0 : -10 }, false);
  }

  dispose(): void {
    this.#plot.destroy();
  }
}

const isBars = ({ kind }: ChartChoice): boolean => kind === 'bar' || kind === 'histogram';

function middleOf({ choice }: PlotSubject, x: Float64Array, index: number): number {
  return choice.kind === 'histogram' ? (x[index]! + x[index + 1]!) / 2 : x[index]!;
}

/** uPlot represents a missing value as null. */
function dataOf({ x, y }: ChartData): UPlot.AlignedData {
  const count = y[0]?.length ?? 0;
  return [
    Array.from(x.subarray(0, count)),
    ...y.map((series) => Array.from(series, (value) => (Number.isNaN(value) ? null : value))),
  ];
}

function optionsOf(subject: PlotSubject, events: PlotEvents, width: number, height: number): UPlot.Options {
  const { choice, data, span } = subject;
  const color = themeColors();
  const axes = axesOf(choice, data, span, width - 70, height - 50);
  const fixed = ({ from, to }: Axis): UPlot.Scale => ({ time: false, auto: false, range: [from, to] });
  const widest = Math.max(2, ...axes.y.ticks.map(({ label }) => label.length));
  return {
    width,
    height,
    padding: [10, 16, 0, 0],
    legend: { show: false },
    scales: { x: fixed(axes.x), y: fixed(axes.y) },
    axes: [
      { ...axisOf(axes.x, color), grid: { show: false }, size: 26, label: subject.xLabel, labelSize: 20 },
      { ...axisOf(axes.y, color), size: widest * LABEL_CHAR + 18 },
    ],
    series: [{}, ...data.y.map((_, series) => seriesOf(subject, series, color))],
    cursor: {
      y: false,
      drag: { x: !isBars(choice), y: false, setScale: false },
      points: { show: !isBars(choice), size: 7 },
    },
    hooks: {
      // Without an event, the pointer has not been over the chart yet.
      setCursor: [
        ({ cursor }) => {
          if (cursor.event) events.onPlace((cursor.left ?? -1) < 0 ? null : placeAt(subject, cursor.idx));
        },
      ],
      ready: [events.onReady],
      setSelect: [
        (plot) => {
          const { left, width: dragged } = plot.select;
          if (dragged < MIN_DRAG) return;
          events.onSpan({ from: plot.posToVal(left, 'x'), to: plot.posToVal(left + dragged, 'x') });
        },
      ],
    },
  };
}

const placeAt = ({ data }: PlotSubject, index: number | null | undefined): number | null =>
  index !== null && index !== undefined && index < (data.y[0]?.length ?? 0) ? index : null;

function axisOf({ ticks }: Axis, color: (ink: Ink) => string): UPlot.Axis {
  const font = FONT + getComputedStyle(document.documentElement).getPropertyValue('--ui').trim();
  return {
    stroke: color('dim'),
    font,
    labelFont: font,
    gap: 4,
    splits: () => ticks.map(({ at }) => at),
    values: () => ticks.map(({ label }) => label),
    grid: { stroke: color('line'), width: 1 },
    ticks: { stroke: color('line'), width: 1, size: 4 },
    border: { show: true, stroke: color('line-strong'), width: 1 },
  };
}

function seriesOf({ choice, data }: PlotSubject, series: number, color: (ink: Ink) => string): UPlot.Series {
  const { ink, dash } = lineStyle(series);
  const stroke = color(ink);
  if (isBars(choice)) return { fill: stroke, width: 0, points: { show: false }, paths: barPaths(choice, data) };
  if (choice.kind === 'scatter')
    return { stroke, width: 0, paths: () => null, points: { show: true, size: 5, fill: stroke, width: 0 } };
  const count = data.y[series]!.reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : 1), 0);
  return {
    stroke,
    width: 1.5,
    ...(dash.length > 0 && { dash: [...dash] }),
    points: {
      show: isSparse(count) || hasLonely(data.y[series]!),
      size: isSparse(count) ? 5 : 3,
      fill: stroke,
      width: 0,
    },
  };
}

/** A value between two missing ones has no line. */
function hasLonely(values: Float64Array): boolean {
  const isMissing = (index: number): boolean => Number.isNaN(values[index] ?? NaN);
  return values.some((_, index) => !isMissing(index) && isMissing(index - 1) && isMissing(index + 1));
}

function barPaths(choice: ChartChoice, data: ChartData): UPlot.Series.PathBuilder {
  const gap = choice.kind === 'histogram' ? 1 : 0;
  return (plot, seriesIndex, first, last) => {
    const fill = new Path2D();
    const values = data.y[seriesIndex - 1]!;
    const zero = plot.valToPos(0, 'y', true);
    for (let index = first; index <= last; index++) {
      if (Number.isNaN(values[index]!)) continue;
      const { from, to } = barBounds(choice.kind, data.x, index, seriesIndex - 1, data.y.length);
      const [left, right] = [plot.valToPos(from, 'x', true), plot.valToPos(to, 'x', true)];
      const top = plot.valToPos(values[index]!, 'y', true);
      fill.rect(left, Math.min(top, zero), Math.max(1, right - left - gap), Math.abs(zero - top));
    }
    return { fill };
  };
}

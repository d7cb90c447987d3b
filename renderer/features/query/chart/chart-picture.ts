// A chart as a self-contained SVG file that runs nothing. Pure.
import type { ChartData, ChartSpan } from '#shared/protocol/index.ts';
import { visibleText } from '#shared/visible-text.ts';
import { attributes, escapeXml } from '../../../workbench/pictures/svg-text.ts';
import { axesOf, barBounds, type Axis } from './chart-axes.ts';
import type { ChartChoice } from './chart-choice.ts';
import { chartText, seriesNames, xName, type NameOf } from './chart-labels.ts';
import { isSparse, lineStyle, type Ink } from './series-style.ts';

export interface ChartPicture {
  readonly choice: ChartChoice;
  readonly data: ChartData;
  readonly span: ChartSpan | null;
  readonly nameOf: NameOf;
}

export const PICTURE = { width: 960, height: 540 } as const;
const FONTS = "system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif";
const MARGIN = { top: 44, right: 24, bottom: 48 } as const;
const LABEL_CHAR = 6.4;

type Scale = (value: number) => number;

export function chartSvg({ choice, data, span, nameOf }: ChartPicture, color: (ink: Ink) => string): string {
  const { width, height } = PICTURE;
  const axes = axesOf(choice, data, span, width - 100, height - MARGIN.top - MARGIN.bottom);
  const left = 20 + LABEL_CHAR * Math.max(2, ...axes.y.ticks.map(({ label }) => label.length));
  const at = { left, right: width - MARGIN.right, top: MARGIN.top, bottom: height - MARGIN.bottom };
  const x = scale(axes.x, at.left, at.right);
  const y = scale(axes.y, at.bottom, at.top);
  const text = (value: string, style: Readonly<Record<string, string | number>>): string =>
    `<text${attributes({ 'font-size': 12, fill: color('dim'), ...style })}>${escapeXml(visibleText(value))}</text>`;
  const grid = axes.y.ticks.map(({ at: value, label }) =>
    [
      `<line${attributes({ x1: at.left, x2: at.right, y1: y(value), y2: y(value), stroke: color('line') })}/>`,
      text(label, { x: at.left - 8, y: y(value) + 4, 'text-anchor': 'end' }),
    ].join(''),
  );
  const names = axes.x.ticks.map(({ at: value, label }) =>
    text(label, { x: x(value), y: at.bottom + 18, 'text-anchor': 'middle' }),
  );
  const clip = attributes({ x: at.left, y: at.top - 4, width: at.right - at.left, height: at.bottom - at.top + 8 });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="${escapeXml(FONTS)}">`,
    `<title>${escapeXml(visibleText(chartText(choice, data, nameOf)))}</title>`,
    `<rect${attributes({ width, height, fill: color('bg') })}/>`,
    legend(seriesNames(choice, nameOf), at.left, color, text),
    ...grid,
    ...names,
    text(xName(choice, nameOf), { x: (at.left + at.right) / 2, y: height - 10, 'text-anchor': 'middle' }),
    `<svg${clip} viewBox="${at.left} ${at.top - 4} ${at.right - at.left} ${at.bottom - at.top + 8}">`,
    ...data.y.map((_, series) => seriesSvg(choice, data, series, x, y, color)),
    '</svg>',
    `<line${attributes({ x1: at.left, x2: at.right, y1: at.bottom, y2: at.bottom, stroke: color('line-strong') })}/>`,
    '</svg>',
    '',
  ].join('\n');
}

const scale =
  ({ from, to }: Axis, start: number, end: number): Scale =>
  (value) =>
    start + ((value - from) / (to - from)) * (end - start);

function legend(
  names: readonly string[],
  left: number,
  color: (ink: Ink) => string,
  text: (value: string, style: Readonly<Record<string, string | number>>) => string,
): string {
  let x = left;
  return names
    .map((name, series) => {
      const start = x;
      x += 34 + visibleText(name).length * LABEL_CHAR;
      const mark = attributes({ x: start, y: 17, width: 12, height: 4, fill: color(lineStyle(series).ink) });
      return `<rect${mark}/>${text(name, { x: start + 18, y: 23, fill: color('text') })}`;
    })
    .join('');
}

function seriesSvg(
  { kind }: ChartChoice,
  { x: places, y: all }: ChartData,
  series: number,
  x: Scale,
  y: Scale,
  color: (ink: Ink) => string,
): string {
  const values = all[series]!;
  const { ink, dash } = lineStyle(series);
  const stroke = color(ink);
  const points = Array.from(values, (value, index) => ({ value, index })).filter(({ value }) => !Number.isNaN(value));
  if (kind === 'bar' || kind === 'histogram')
    return points
      .map(({ value, index }) => {
        const { from, to } = barBounds(kind, places, index, series, all.length);
        const [top, bottom] = [Math.min(y(value), y(0)), Math.max(y(value), y(0))];
        const gap = kind === 'histogram' ? 1 : 0;
        const box = { x: x(from), y: top, width: Math.max(1, x(to) - x(from) - gap), height: bottom - top };
        return `<rect${attributes({ ...box, fill: stroke })}/>`;
      })
      .join('');
  const dots = kind === 'scatter' || isSparse(points.length);
  const circles = dots
    ? points.map(
        ({ value, index }) => `<circle${attributes({ cx: x(places[index]!), cy: y(value), r: 2.5, fill: stroke })}/>`,
      )
    : [];
  if (kind === 'scatter') return circles.join('');
  const d = points
    .map(({ value, index }) => {
      const isNew = index === 0 || Number.isNaN(values[index - 1]!);
      return `${isNew ? 'M' : 'L'}${x(places[index]!).toFixed(1)} ${y(value).toFixed(1)}`;
    })
    .join('');
  const style = { d, fill: 'none', stroke, 'stroke-width': 1.6, 'stroke-linejoin': 'round' };
  return `<path${attributes({ ...style, 'stroke-dasharray': dash.length > 0 ? dash.join(' ') : undefined })}/>${circles.join('')}`;
}

// A scene in the window, as SVG that the pointer and the arrow keys read out point by point, and as a PNG in the colors on screen.
import { createElement, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent, ReactNode, RefObject } from 'react';
import { svgPng } from '../../../workbench/pictures/svg-png.ts';
import { attributes, escapeXml } from '../../../workbench/pictures/svg-text.ts';
import type { Ink, Shape, Scene } from './scene.ts';
import { FONT_SIZE } from './scene.ts';

/** A pointer farther from all points than this selects none. */
const NEAR = 24;

export function SceneSvg({ scene }: { readonly scene: Scene }): ReactNode {
  const { width, height, label, marks, stops } = scene;
  const [chosen, setChosen] = useState<number | null>(null);
  const stop = chosen === null ? undefined : stops[chosen];
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = chosen ?? -1;
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: stops.length - 1 }[event.key];
    if (next === undefined || stops.length === 0) return;
    event.preventDefault();
    setChosen(Math.max(0, Math.min(stops.length - 1, next)));
  };
  const onPointerMove = (event: PointerEvent<SVGSVGElement>): void => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const [x, y] = [event.clientX - left, event.clientY - top];
    let [nearest, distance]: [number | null, number] = [null, NEAR];
    stops.forEach((each, index) => {
      const away = Math.hypot(each.x - x, each.y - y);
      if (away < distance) [nearest, distance] = [index, away];
    });
    setChosen(nearest);
  };
  return (
    <div className="chart">
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={label}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => setChosen(null)}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setChosen(null)}
      >
        {marks.map((mark, key) => {
          const { tag, values, text } = elementOf(mark, (ink) => `var(--${ink})`);
          return createElement(tag, { key, ...values }, text);
        })}
        {stop && <circle cx={stop.x} cy={stop.y} r={5} fill="none" stroke="var(--accent)" strokeWidth={1.5} />}
      </svg>
      <output className="cut note figures chart-readout">{stop?.text ?? ''}</output>
    </div>
  );
}

interface MarkElement {
  readonly tag: string;
  readonly values: Readonly<Record<string, string | number | undefined>>;
  readonly text?: string;
}

function elementOf(mark: Shape, color: (ink: Ink) => string): MarkElement {
  switch (mark.kind) {
    case 'line': {
      const { x1, y1, x2, y2, ink, width = 1, dash } = mark;
      const stroke = { stroke: color(ink), strokeWidth: width, strokeDasharray: dash?.join(' ') };
      return { tag: 'line', values: { x1, y1, x2, y2, ...stroke } };
    }
    case 'path': {
      const { points, ink, width = 1, dash } = mark;
      const stroke = { stroke: color(ink), strokeWidth: width, strokeDasharray: dash?.join(' ') || undefined };
      return { tag: 'polyline', values: { points: points.map(String).join(' '), fill: 'none', ...stroke } };
    }
    case 'rect': {
      const { x, y, width, height, radius, fill, stroke } = mark;
      const inks = { fill: fill ? color(fill) : 'none', stroke: stroke ? color(stroke) : 'none' };
      return { tag: 'rect', values: { x, y, width, height, rx: radius, ...inks } };
    }
    case 'dot': {
      const { x: cx, y: cy, r, ink, hollow, opacity } = mark;
      const inks = { fill: color(hollow ? 'bg' : ink), stroke: hollow ? color(ink) : 'none', opacity };
      return { tag: 'circle', values: { cx, cy, r, ...inks } };
    }
    case 'text': {
      const { x, y, text, ink, size = FONT_SIZE, bold, align = 'start' } = mark;
      const font = { fontSize: size, fontWeight: bold ? 600 : 400, textAnchor: align };
      return { tag: 'text', values: { x, y, fill: color(ink), ...font }, text };
    }
  }
}

/** @throws when the picture cannot be painted */
export function scenePng({ width, height, marks }: Scene, element: Element): Promise<Uint8Array> {
  const style = getComputedStyle(element);
  const color = (ink: Ink): string => style.getPropertyValue(`--${ink}`).trim() || 'gray';
  const font = style.getPropertyValue('--ui').trim() || 'sans-serif';
  const shapes = marks.map((mark) => {
    const { tag, values, text = '' } = elementOf(mark, color);
    const named = Object.entries(values).map(([name, value]) => [
      name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`),
      value === undefined ? undefined : String(value),
    ]);
    return `<${tag}${attributes(Object.fromEntries(named))}>${escapeXml(text)}</${tag}>`;
  });
  const size = attributes({ width, height, 'font-family': font, 'xml:space': 'preserve' });
  const paper = `<rect width="100%" height="100%"${attributes({ fill: color('bg') })}/>`;
  return svgPng(`<svg xmlns="http://www.w3.org/2000/svg"${size}>${paper}${shapes.join('')}</svg>`, { width, height });
}

/** How wide an element is, for pictures that are laid out in pixels. */
export function useWidth<E extends HTMLElement>(fallback: number): [RefObject<E | null>, number] {
  const element = useRef<E>(null);
  const [width, setWidth] = useState(fallback);
  useLayoutEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.max(200, Math.floor(entry!.contentRect.width))));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}

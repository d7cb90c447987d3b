// A scene in the window, as SVG that the pointer and the arrow keys read out point by point, and as a PNG in the colors on screen.
import { createElement, useState } from 'react';
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import { svgPng } from '../../../workbench/pictures/svg-png.ts';
import { attributes, escapeXml } from '../../../workbench/pictures/svg-text.ts';
import type { Ink, Shape, Scene } from './scene.ts';

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
    <div className="anchor chart">
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
        {marks.map((mark, key) => drawn(mark, key))}
        {stop && <circle cx={stop.x} cy={stop.y} r={5} fill="none" stroke="var(--accent)" strokeWidth={1.5} />}
      </svg>
      <output className="cut small figures picture-place">{stop?.text ?? ''}</output>
    </div>
  );
}

/** Attributes of a shape, with its colors. */
function valuesOf({ at, fill, stroke }: Shape, color: (ink: Ink) => string): Shape['at'] {
  return { ...at, fill: fill ? color(fill) : 'none', stroke: stroke ? color(stroke) : 'none' };
}

function drawn(shape: Shape, key: number): ReactNode {
  const { tag, text, parts } = shape;
  return createElement(tag, { key, ...valuesOf(shape, (ink) => `var(--${ink})`) }, text ?? parts?.map(drawn));
}

/** @throws when the picture cannot be painted */
export function scenePng({ width, height, marks }: Scene, element: Element): Promise<Uint8Array> {
  const style = getComputedStyle(element);
  const color = (ink: Ink): string => style.getPropertyValue(`--${ink}`).trim() || 'gray';
  const font = style.getPropertyValue('--ui').trim() || 'sans-serif';
  const svgOf = (shape: Shape): string => {
    const { tag, text = '', parts = [] } = shape;
    const named = Object.entries(valuesOf(shape, color)).map(([name, value]) => [
      name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`),
      value === undefined ? undefined : String(value),
    ]);
    return `<${tag}${attributes(Object.fromEntries(named))}>${escapeXml(text)}${parts.map(svgOf).join('')}</${tag}>`;
  };
  const size = attributes({ width, height, 'font-family': font, 'xml:space': 'preserve' });
  const paper = `<rect width="100%" height="100%"${attributes({ fill: color('bg') })}/>`;
  return svgPng(`<svg xmlns="http://www.w3.org/2000/svg"${size}>${paper}${marks.map(svgOf).join('')}</svg>`, {
    width,
    height,
  });
}

// A scene in the window: drawn as SVG, read out point by point by the pointer or the arrow keys.
import { useState } from 'react';
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import type { Shape, Scene } from './scene.ts';
import { FONT_SIZE } from './scene.ts';
import './charts.css';

const color = (ink: string): string => `var(--${ink})`;
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
        {marks.map((mark, index) => (
          <MarkSvg key={index} mark={mark} />
        ))}
        {stop && <circle cx={stop.x} cy={stop.y} r={5} fill="none" stroke={color('accent')} strokeWidth={1.5} />}
      </svg>
      <output className="chart-readout">{stop?.text ?? ''}</output>
    </div>
  );
}

function MarkSvg({ mark }: { readonly mark: Shape }): ReactNode {
  switch (mark.kind) {
    case 'line':
      return (
        <line
          x1={mark.x1}
          y1={mark.y1}
          x2={mark.x2}
          y2={mark.y2}
          stroke={color(mark.ink)}
          strokeWidth={mark.width ?? 1}
          strokeDasharray={mark.dash?.join(' ')}
        />
      );
    case 'rect':
      return (
        <rect
          x={mark.x}
          y={mark.y}
          width={mark.width}
          height={mark.height}
          rx={mark.radius}
          fill={mark.fill ? color(mark.fill) : 'none'}
          stroke={mark.stroke ? color(mark.stroke) : 'none'}
        />
      );
    case 'dot':
      return (
        <circle
          cx={mark.x}
          cy={mark.y}
          r={mark.r}
          fill={mark.hollow ? color('bg') : color(mark.ink)}
          stroke={mark.hollow ? color(mark.ink) : 'none'}
          opacity={mark.opacity}
        />
      );
    case 'path':
      return (
        <polyline
          points={mark.points.map((point) => point.join(',')).join(' ')}
          fill="none"
          stroke={color(mark.ink)}
          strokeWidth={mark.width ?? 1}
          strokeDasharray={mark.dash?.join(' ')}
        />
      );
    case 'text':
      return <TextSvg mark={mark} />;
  }
}

function TextSvg({ mark }: { readonly mark: Extract<Shape, { readonly kind: 'text' }> }): ReactNode {
  return (
    <text
      x={mark.x}
      y={mark.y}
      fill={color(mark.ink)}
      fontSize={mark.size ?? FONT_SIZE}
      fontWeight={mark.bold ? 600 : 400}
      textAnchor={mark.align ?? 'start'}
    >
      {mark.text}
    </text>
  );
}

// Shapes of a diagram in the window.
import type { ReactNode } from 'react';
import type { Shape } from './scene.ts';

const color = (ink: string): string => `var(--${ink})`;

interface ShapesProps {
  readonly shapes: readonly Shape[];
  /** Lines keep their width, however small the picture is. */
  readonly hairlines?: boolean;
}

export function Shapes({ shapes, hairlines = false }: ShapesProps): ReactNode {
  const effect = hairlines ? 'non-scaling-stroke' : undefined;
  return shapes.map((shape, index) => {
    switch (shape.kind) {
      case 'rect': {
        const { x, y, width, height, fill, stroke, radius } = shape;
        const line = stroke ? color(stroke) : undefined;
        const place = { x, y, width, height, rx: radius };
        return <rect key={index} {...place} fill={color(fill)} stroke={line} vectorEffect={effect} />;
      }
      case 'path': {
        const dash = shape.dashed ? '5 4' : undefined;
        const style = { fill: 'none', stroke: color(shape.ink), strokeWidth: 1.3, strokeDasharray: dash };
        return <path key={index} d={shape.d} {...style} vectorEffect={effect} />;
      }
      case 'text': {
        const { x, y, ink, size, bold, align, text } = shape;
        const style = { fill: color(ink), fontSize: size, fontWeight: bold ? 600 : undefined, textAnchor: align };
        return (
          <text key={index} x={x} y={y} {...style}>
            {text}
          </text>
        );
      }
    }
  });
}

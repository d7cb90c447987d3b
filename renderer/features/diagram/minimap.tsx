// The whole diagram in a corner, with a frame around the visible part. For the pointer: the keyboard moves from table to table.
import { useEffect, useRef } from 'react';
import type { PointerEvent, ReactNode } from 'react';
import type { Camera } from './camera.ts';
import { contains, grown } from './geometry.ts';
import { boundsOfPlacement } from './placement.ts';
import type { Placement } from './placement.ts';

const WIDTH = 168;
const HEIGHT = 112;

interface MinimapProps {
  readonly camera: Camera;
  readonly placement: Placement;
}

export function Minimap({ camera, placement }: MinimapProps): ReactNode {
  const map = useRef<SVGSVGElement>(null);
  const frame = useRef<SVGRectElement>(null);
  const bounds = boundsOfPlacement(placement);
  const box = grown(bounds, Math.max(bounds.width, bounds.height) * 0.05 + 1);

  useEffect(() => {
    const paint = (): void => {
      // Hide the map if everything is on screen: it would only be in the way.
      map.current?.classList.toggle('diagram-minimap-off', contains(camera.view, boundsOfPlacement(placement)));
      const { x, y, width, height } = camera.view;
      for (const [name, value] of Object.entries({ x, y, width, height }))
        frame.current?.setAttribute(name, String(value));
    };
    paint();
    return camera.subscribe(paint);
  }, [camera, placement]);

  const goThere = (event: PointerEvent<SVGSVGElement>): void => {
    event.stopPropagation();
    if (event.buttons !== 1) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const scale = Math.min(WIDTH / box.width, HEIGHT / box.height);
    const x = box.x + (event.clientX - left - (WIDTH - box.width * scale) / 2) / scale;
    const y = box.y + (event.clientY - top - (HEIGHT - box.height * scale) / 2) / scale;
    camera.center({ x, y, width: 0, height: 0 });
  };
  return (
    <svg
      ref={map}
      className="diagram-minimap"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`${box.x} ${box.y} ${box.width} ${box.height}`}
      aria-hidden
      onPointerDown={goThere}
      onPointerMove={goThere}
    >
      {placement.nodes.map(({ name, x, y, width, height }) => (
        <rect key={name} x={x} y={y} width={width} height={height} />
      ))}
      <rect ref={frame} className="diagram-minimap-view" vectorEffect="non-scaling-stroke" />
    </svg>
  );
}

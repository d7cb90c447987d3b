// Keeps the picture in step with the camera: one attribute for each frame, and only now and then another set of tables to draw.
import { useEffect, useLayoutEffect, useState } from 'react';
import type { RefObject } from 'react';
import type { Camera } from './camera.ts';
import { contains, grown } from './geometry.ts';
import type { Box } from './geometry.ts';
import type { Size } from './graph.ts';
import type { Detail } from './scene.ts';

/** Columns are drawn from this zoom on, and names alone from the next one on; smaller ones would be illegible. */
const COLUMNS_ZOOM = 0.38;
const NAMES_ZOOM = 0.09;

export interface Drawn {
  readonly box: Box;
  readonly detail: Detail;
}

const drawnFor = (camera: Camera): Drawn => {
  const { view } = camera;
  return { box: grown(view, Math.max(view.width, view.height) / 2), detail: detailAt(camera.zoom()) };
};

const detailAt = (zoom: number): Detail => (zoom >= COLUMNS_ZOOM ? 'columns' : zoom >= NAMES_ZOOM ? 'names' : 'boxes');

interface CameraParts {
  readonly surface: RefObject<HTMLElement | null>;
  readonly world: RefObject<SVGGElement | null>;
}

export function useCamera(camera: Camera, { surface, world }: CameraParts, onResize: (size: Size) => void): Drawn {
  const [drawn, setDrawn] = useState(() => drawnFor(camera));

  useLayoutEffect(() => {
    let frame: number | null = null;
    const paint = (): void => {
      frame = null;
      const { x, y, zoom } = camera.state();
      world.current?.setAttribute('transform', `scale(${zoom}) translate(${-x} ${-y})`);
      setDrawn((before) => {
        const now = drawnFor(camera);
        const isEnough = contains(before.box, camera.view) && before.box.width < now.box.width * 3;
        return isEnough && before.detail === now.detail ? before : now;
      });
    };
    const soon = (): void => {
      frame ??= requestAnimationFrame(paint);
    };
    paint();
    const off = camera.subscribe(soon);
    return () => {
      off();
      if (frame !== null) cancelAnimationFrame(frame);
    };
  }, [camera, world]);

  useLayoutEffect(() => {
    const element = surface.current!;
    const measure = (): void => onResize({ width: element.clientWidth, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [surface, onResize]);

  useEffect(() => {
    const element = surface.current!;
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      const [dx, dy] = event.shiftKey && event.deltaX === 0 ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
      if (!event.ctrlKey && !event.metaKey) return camera.panBy(dx * unit, dy * unit);
      const { left, top } = element.getBoundingClientRect();
      const factor = Math.exp(-Math.max(-60, Math.min(60, event.deltaY * unit)) / 240);
      camera.zoomTo(camera.zoom() * factor, { x: event.clientX - left, y: event.clientY - top });
    };
    // React's own listener is passive: it could not keep the page from zooming.
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [camera, surface]);

  return drawn;
}

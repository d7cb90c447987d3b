// Where a map is on screen: moved and enlarged by buttons, keys, and the pointer. Outside React, because each move is a frame, not a render.
import { useEffect, useState } from 'react';
import { fitted, moved, revealing, zoomed, type MapSize, type MapView } from './map-camera.ts';
import type { MapReading } from './read-shapes.ts';

type Listener = (view: MapView, size: MapSize) => void;

export class MapControl {
  #reading: MapReading | null = null;
  #size: MapSize = { width: 0, height: 0 };
  #view: MapView = { x: 0, y: 0, scale: 1 };
  /** Shows everything until the user has moved the map. */
  #isFitted = true;
  #listener: Listener | null = null;

  get view(): MapView {
    return this.#view;
  }
  get size(): MapSize {
    return this.#size;
  }

  /** One canvas listens. */
  listen(listener: Listener | null): void {
    this.#listener = listener;
    this.#tell();
  }

  /** Other coordinates, or another column, are another place. */
  show(reading: MapReading | null): void {
    const before = this.#reading;
    this.#reading = reading;
    if (
      before &&
      reading &&
      (before.coordinates !== reading.coordinates || before.column?.name !== reading.column?.name)
    )
      this.#isFitted = true;
    if (this.#isFitted) this.fit();
    else this.#tell();
  }

  resize(size: MapSize): void {
    this.#size = size;
    if (this.#isFitted) this.fit();
    else this.#tell();
  }

  readonly fit = (): void => {
    const { bounds } = this.#reading?.shapes ?? {};
    if (bounds && this.#size.width > 0) this.#view = fitted(bounds, this.#size);
    this.#isFitted = true;
    this.#tell();
  };

  moveBy(right: number, down: number): void {
    this.#change(moved(this.#view, right, down));
  }

  /** @param at the point of the screen that stays where it is, from its middle */
  zoomBy(factor: number, at?: { readonly right: number; readonly down: number }): void {
    const { bounds } = this.#reading?.shapes ?? {};
    if (bounds) this.#change(zoomed(this.#view, factor, fitted(bounds, this.#size), at));
  }

  /** Moves the map if a shape is not on screen. */
  reveal(shape: number): void {
    const { shapes } = this.#reading ?? {};
    if (!shapes || shape < 0 || this.#size.width === 0) return;
    const box = {
      minX: shapes.box(shape, 0),
      minY: shapes.box(shape, 1),
      maxX: shapes.box(shape, 2),
      maxY: shapes.box(shape, 3),
    };
    const view = revealing(this.#view, box, this.#size);
    if (view !== this.#view) this.#change(view);
  }

  #change(view: MapView): void {
    this.#view = view;
    this.#isFitted = false;
    this.#tell();
  }

  #tell(): void {
    this.#listener?.(this.#view, this.#size);
  }
}

export function useMapControl(reading: MapReading | null): MapControl {
  const [control] = useState(() => new MapControl());
  useEffect(() => control.show(reading), [control, reading]);
  return control;
}

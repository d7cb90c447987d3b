// Pixels drawn one by one, without smoothing: a hundred thousand small shapes take milliseconds, where paths of a canvas take seconds.

export class PixelLayer {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint32Array;
  readonly #color: number;

  /** @param color as four bytes in the order of a canvas */
  constructor(width: number, height: number, color: number) {
    this.width = width;
    this.height = height;
    this.pixels = new Uint32Array(width * height);
    this.#color = color;
  }

  disc(x: number, y: number, radius: number): void {
    const [middle, row] = [Math.floor(x), Math.floor(y)];
    const reach = Math.floor(radius);
    for (let down = -reach; down <= reach; down++) {
      const half = Math.floor(Math.sqrt(radius * radius - down * down));
      this.#run(middle - half, middle + half, row + down);
    }
  }

  /** A line one pixel wide; only for lines that are short, as each of its pixels takes a step, on screen or not. */
  edge(x1: number, y1: number, x2: number, y2: number): void {
    const steps = Math.max(1, Math.ceil(Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1))));
    for (let step = 0; step <= steps; step++) {
      const [x, y] = [Math.floor(x1 + ((x2 - x1) * step) / steps), Math.floor(y1 + ((y2 - y1) * step) / steps)];
      if (x >= 0 && y >= 0 && x < this.width && y < this.height) this.pixels[y * this.width + x] = this.#color;
    }
  }

  /** Fills a part of a row, both ends included. */
  #run(from: number, to: number, row: number): void {
    if (row < 0 || row >= this.height) return;
    const [first, last] = [Math.max(0, from), Math.min(this.width - 1, to)];
    for (let x = first; x <= last; x++) this.pixels[row * this.width + x] = this.#color;
  }
}

// Watches what moves on a page after it was painted although nobody asked for it: elements by the browser's own measure, and the columns, row
// numbers, and rows of grids by what is painted on their canvas.
import type { Page } from '@playwright/test';

declare global {
  interface Window {
    shiftedLayout?: string[];
  }
}

/** Call when the page has loaded: elements count from its load on, grids from now on. */
export async function watchLayout(page: Page): Promise<void> {
  await page.evaluate(watchInPage);
}

/** What has moved since it was asked last. */
export async function layoutShifts(page: Page): Promise<string[]> {
  return await page.evaluate(takeShifts);
}

/** Runs in the page: what is painted until then counts, and the browser tells of it only afterwards. */
async function takeShifts(): Promise<string[]> {
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  await new Promise((resolve) => setTimeout(resolve));
  if (!window.shiftedLayout) throw new Error('The layout of this page is not watched.');
  return window.shiftedLayout.splice(0);
}

/** Runs in the page. */
function watchInPage(): void {
  interface LayoutShiftEntry extends PerformanceEntry {
    readonly sources: readonly {
      readonly node: Node | null;
      readonly previousRect: DOMRectReadOnly;
      readonly currentRect: DOMRectReadOnly;
    }[];
  }
  /** Where a grid has painted its header and its first row number. */
  interface Picture {
    readonly names: readonly (readonly [text: string, x: number])[];
    readonly gutter: number;
    readonly firstRow: readonly [text: string, y: number] | null;
    readonly left: number;
    readonly top: number;
    readonly atMs: number;
  }
  const HEADER_MIDDLE = 14.5;
  const ANSWER_FRAMES = 4;
  /** The mirror of a grid is invisible, and follows what is painted; tabs push what is behind them, and messages what is above them. */
  const MOVABLE = '.grid-mirror, .tab-strip, .app-corner';
  const shifts: string[] = (window.shiftedLayout = []);
  /** When the user did something last. */
  let inputMs = -Infinity;
  /** Times in which what moves is the direct answer to what the user did: until a few frames later. */
  const answers: { readonly from: number; to: number }[] = [];
  const noteInput = (): void => {
    inputMs = performance.now();
    const answer = { from: inputMs, to: Infinity };
    answers.push(answer);
    if (answers.length > 500) answers.shift();
    let frames = 0;
    const next = (): void =>
      void (++frames < ANSWER_FRAMES ? requestAnimationFrame(next) : (answer.to = performance.now()));
    requestAnimationFrame(next);
  };
  for (const kind of ['pointerdown', 'pointerup', 'click', 'keydown', 'keyup', 'wheel', 'input', 'change', 'resize'])
    addEventListener(kind, noteInput, { capture: true, passive: true });

  const nameOf = (node: Node | null): string => {
    const element = node instanceof Element ? node : (node?.parentElement ?? null);
    if (!element) return 'an element that is gone';
    const path: string[] = [];
    for (let each: Element | null = element; each && path.length < 3; each = each.parentElement)
      path.unshift(each.tagName.toLowerCase() + (each.classList.length > 0 ? `.${[...each.classList].join('.')}` : ''));
    return `${path.join(' > ')} “${(element.textContent ?? '').trim().slice(0, 40)}”`;
  };
  const mayMove = (node: Node | null): boolean =>
    (node instanceof Element ? node : node?.parentElement)?.closest(MOVABLE) != null;
  /** A number that is aligned at its end became longer or shorter. */
  const endsAtSamePlace = (before: DOMRectReadOnly, now: DOMRectReadOnly): boolean =>
    Math.abs(before.right - now.right) < 1.5 && Math.abs(before.y - now.y) < 1.5;
  const at = ({ x, y, width, height }: DOMRectReadOnly): string =>
    [x, y, width, height].map((value) => Math.round(value)).join(',');
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as LayoutShiftEntry[]) {
      if (answers.some(({ from, to }) => entry.startTime >= from && entry.startTime <= to)) continue;
      for (const { node, previousRect, currentRect } of entry.sources) {
        if (mayMove(node) || endsAtSamePlace(previousRect, currentRect)) continue;
        const late = Math.round(
          entry.startTime - Math.max(...answers.map(({ from }) => from).filter((from) => from <= entry.startTime)),
        );
        shifts.push(`${nameOf(node)}: ${at(previousRect)} → ${at(currentRect)}, ${late} ms after input`);
      }
    }
  }).observe({ type: 'layout-shift', buffered: true });

  const pictures = new WeakMap<HTMLCanvasElement, Picture>();
  let names: [string, number][] = [];
  let firstRow: [string, number] | null = null;
  const compare = (canvas: HTMLCanvasElement, before: Picture, now: Picture): void => {
    // What the user did since the picture before may have moved it.
    if (inputMs >= before.atMs || before.left !== now.left) return;
    const label = canvas.parentElement?.querySelector('[role=grid]')?.getAttribute('aria-label') ?? 'a grid';
    const note = (what: string, from: number, to: number): void => {
      if (Math.abs(from - to) > 0.5) shifts.push(`${label}: ${what}: ${Math.round(from)} → ${Math.round(to)}`);
    };
    note('row numbers', before.gutter, now.gutter);
    now.names.forEach(([text, x], index) => {
      const was = before.names[index];
      if (was?.[0] === text) note(`column “${text}”`, was[1], x);
    });
    if (before.top === now.top && before.firstRow && before.firstRow[0] === now.firstRow?.[0])
      note(`row ${before.firstRow[0]}`, before.firstRow[1], now.firstRow[1]);
  };
  const prototype = CanvasRenderingContext2D.prototype;
  const { fillText } = prototype;
  prototype.fillText = function (this: CanvasRenderingContext2D, text, x, y, ...rest) {
    fillText.call(this, text, x, y, ...rest);
    if (!this.canvas.classList.contains('grid-canvas')) return;
    if (y !== HEADER_MIDDLE) {
      if (this.textAlign === 'right' && y > HEADER_MIDDLE) firstRow ??= [text, y];
      return;
    }
    if (this.textAlign !== 'right') return void names.push([text, x]);
    // The sign above the row numbers is painted last.
    const scroller = this.canvas.parentElement?.querySelector('.grid-scroller');
    const picture: Picture = {
      names,
      gutter: x,
      firstRow,
      left: scroller?.scrollLeft ?? 0,
      top: scroller?.scrollTop ?? 0,
      atMs: performance.now(),
    };
    const before = pictures.get(this.canvas);
    if (before) compare(this.canvas, before, picture);
    pictures.set(this.canvas, picture);
    names = [];
    firstRow = null;
  };
}

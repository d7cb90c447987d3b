// Moving through a table of millions of rows: how long frames take, and how long a jump waits for its rows.
import type { Page } from '@playwright/test';
import { jumpTo, takeFrames } from './in-page.ts';
import { memoryOf, quietMoment } from './machine.ts';
import type { Report } from './report.ts';
import { withBigTable } from './apps.ts';
import type { TableWindow } from './apps.ts';

const ROWS = 5_000_000;
const WHEEL_STEPS = 120;
const PAGE_DOWNS = 60;
const DRAG_FRAMES = 240;
const JUMPS = 60;
const STEP_MS = 16;

export async function measureGrid(report: Report): Promise<void> {
  await withBigTable(ROWS, async (table) => {
    const { app, page, grid } = table;
    await quietMoment();
    report.add('grid, at rest: frame', 'ms', await framesWhile(page, () => pause(2000)));
    report.add('grid, wheel: frame', 'ms', await framesWhile(page, () => wheel(table)));
    report.add('grid, Page Down: frame', 'ms', await framesWhile(page, () => pageDown(page)));
    const drag = framesWhile(page, () => page.evaluate(dragThumb, DRAG_FRAMES));
    report.add('grid, dragging the scroll bar: frame', 'ms', await drag);
    await quietMoment();
    const jumps: number[] = [];
    for (let index = 0; index < JUMPS; index++)
      jumps.push(await page.evaluate(jumpTo, { share: (0.5 + index * 0.618) % 1, text: 'row num' }));
    report.add('grid, jump: until all its rows are painted', 'ms', jumps);
    const { main, host, window } = await memoryOf(app);
    report.add('grid, afterwards: memory of main', 'MB', [main]);
    report.add('grid, afterwards: memory of host', 'MB', [host]);
    report.add('grid, afterwards: memory of window', 'MB', [window]);
    report.add('grid, afterwards: JavaScript heap of window', 'MB', [await page.evaluate(usedHeap)]);
    report.note(`grid: ${(await grid.rowCount()).toLocaleString('en')} rows`);
  });
}

async function framesWhile(page: Page, body: () => Promise<unknown>): Promise<number[]> {
  await page.evaluate(takeFrames);
  await body();
  return page.evaluate(takeFrames);
}

async function wheel({ page, grid }: TableWindow): Promise<void> {
  const box = (await grid.root.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  for (let step = 0; step < WHEEL_STEPS; step++) {
    await page.mouse.wheel(0, 120);
    await pause(STEP_MS);
  }
}

async function pageDown(page: Page): Promise<void> {
  for (let step = 0; step < PAGE_DOWNS; step++) {
    await page.keyboard.press('PageDown');
    await pause(STEP_MS * 2);
  }
}

/** Steps of this size are what dragging the thumb does: the grid takes them for jumps. */
async function dragThumb(frames: number): Promise<void> {
  const scroller = document.querySelector('.grid-scroller')!;
  const range = scroller.scrollHeight - scroller.clientHeight;
  for (let frame = 0; frame < frames; frame++) {
    scroller.scrollTop = (range * (frame + 1)) / (frames + 1);
    await new Promise(requestAnimationFrame);
  }
}

function usedHeap(): number {
  return (
    (performance as unknown as { readonly memory: { readonly usedJSHeapSize: number } }).memory.usedJSHeapSize / 1e6
  );
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

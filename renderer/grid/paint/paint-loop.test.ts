// Tests what is painted when: everything when something has changed, only the rows that glow while they fade.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { Glow } from './glow.ts';
import { PaintLoop } from './paint-loop.ts';
import type { CachedRow } from '../rows/row-cache.ts';

const FRAME_MS = 16;
const ROWS = Array.from({ length: 30 }, row);
let nowMs = 1000;
let frames: (() => void)[] = [];
let glow: Glow;
const grid = { isLaidOut: true };
const wanted: number[] = [];
let loop: PaintLoop;
const painted: string[] = [];
const painter = {
  context: { canvas: { clientWidth: 100, clientHeight: 100 } },
  paint: () => painted.push('all'),
  paintNothing: () => painted.push('nothing'),
  paintRows: (_frame: unknown, first: number, last: number) => painted.push(`${first}–${last}`),
};

beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => frames.push(callback));
  vi.stubGlobal('cancelAnimationFrame', () => (frames = []));
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  painted.length = 0;
  wanted.length = 0;
  grid.isLaidOut = true;
  frames = [];
  glow = new Glow();
  const rows = { glow, row: (position: number) => ROWS[position] ?? null, want: (first: number) => wanted.push(first) };
  const visible = { rows: { first: 0, last: ROWS.length - 1 }, displayColumns: { first: 0, last: 0 } };
  loop = new PaintLoop({
    grid: Object.assign(grid, { source: { columns: [] }, bounds: { rows: ROWS.length, displayColumns: 1 }, visible }),
    decorations: {},
    painter,
    viewport: { width: 100, height: 100, pixelRatio: 1, direction: 0 },
    motion: { isMoving: () => false, rowsMissing: () => 0, offset: () => 0 },
    rows: () => rows,
    onPainted: () => undefined,
  } as unknown as ConstructorParameters<typeof PaintLoop>[0]);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('rows that fade are painted alone, some thirty times a second, and once more when nothing is left of the glow', () => {
  glow.note(ROWS[4]!, null, nowMs);
  glow.note(ROWS[6]!, null, nowMs);
  loop.paint();
  run();
  expect(painted[0]).toBe('all');
  expect(new Set(painted.slice(1))).toEqual(new Set(['4–6']));
  expect(painted.length).toBeGreaterThan(20);
  expect(painted.length).toBeLessThan(26);
  expect(glow.isKnown(ROWS[4]!)).toBe(false);
});

test('what is asked for while rows fade is a whole painting', () => {
  glow.note(ROWS[4]!, null, nowMs);
  loop.paint();
  loop.request();
  nextFrame();
  expect(painted).toEqual(['all', 'all']);
});

test('until the layout is decided, rows are asked for and nothing is painted that would move', () => {
  grid.isLaidOut = false;
  glow.note(ROWS[4]!, null, nowMs);
  loop.paint();
  nextFrame();
  expect(wanted).toEqual([0]);
  expect(painted).toEqual(['nothing']);
  grid.isLaidOut = true;
  loop.request();
  nextFrame();
  expect(painted).toEqual(['nothing', 'all']);
});

function run(): void {
  for (let guard = 0; frames.length > 0 && guard < 1000; guard++) nextFrame();
}

function nextFrame(): void {
  nowMs += FRAME_MS;
  for (const callback of frames.splice(0)) callback();
}

function row(): CachedRow {
  const writer = new PackedRowsWriter(1);
  writer.text('x');
  return { rows: new PackedRowsReader(writer.finish()), index: 0 };
}

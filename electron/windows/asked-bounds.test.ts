import { EventEmitter } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { askedBounds, measureFrame } from './asked-bounds.ts';

const { platform } = process;
afterEach(() => Object.defineProperty(process, 'platform', { value: platform }));

const START = { x: 160, y: 90, width: 1280, height: 820 };

/** A window at `bounds`, whose frame the window manager puts around it once it is shown. */
function openAt(bounds: typeof START, on: string, frame = { x: 1, y: 20 }) {
  Object.defineProperty(process, 'platform', { value: on });
  let now = bounds;
  const window = Object.assign(new EventEmitter(), { getBounds: () => now, getNormalBounds: () => now });
  measureFrame(window as never);
  window.emit('show');
  const move = (dx: number, dy: number): void => {
    now = { ...now, x: now.x + dx, y: now.y + dy };
    window.emit('move');
  };
  if (on === 'linux') move(frame.x, frame.y);
  return { move, asked: () => askedBounds(window as never) };
}

test.each(['linux', 'darwin', 'win32'])('a window comes out where it was, start after start, on %s', (on) => {
  let bounds = START;
  for (let start = 0; start < 3; start++) bounds = openAt(bounds, on).asked();
  expect(bounds).toEqual(START);
  const { move, asked } = openAt(START, on);
  move(5, 30);
  expect(asked()).toEqual({ ...START, x: 165, y: 120 });
});

test('where there is no frame, a window that is moved far stays there', () => {
  expect(openAt(START, 'linux', { x: 300, y: 10 }).asked()).toEqual({ ...START, x: 460, y: 100 });
  expect(openAt(START, 'linux', { x: 0, y: -40 }).asked()).toEqual({ ...START, y: 50 });
});

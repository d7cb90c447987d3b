import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openLayer } from '../../ui/modal-layer.tsx';
import { afterFocus, endFocusMove, focusContent } from './focus-content.ts';

/** A part of the window that can have the focus. */
class Part {
  focus = (): void => {
    page.activeElement = this;
  };
}

const body = new Part();
const grid = new Part();
const page = { body, activeElement: body, querySelector: (): Part => grid };
let frames: (() => void)[] = [];

/** Runs what waits for the next frame. */
const frame = (): void => frames.splice(0).forEach((run) => run());

beforeEach(() => {
  page.activeElement = body;
  frames = [];
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.push(run));
});
afterEach(() => {
  endFocusMove();
  vi.unstubAllGlobals();
});

test('the focus arrives in the tab two frames later, and what waits for it runs', () => {
  const ran: Part[] = [];
  focusContent();
  expect(afterFocus(() => ran.push(page.activeElement))).toBe(true);
  frame();
  expect(page.activeElement).toBe(body);
  frame();
  expect(page.activeElement).toBe(grid);
  expect(ran).toEqual([grid]);
  expect(afterFocus(() => undefined)).toBe(false);
});

test('a move that begins before another one has ended takes over what waits, and only the second arrives', () => {
  const focus = vi.spyOn(grid, 'focus');
  const run = vi.fn();
  focusContent();
  afterFocus(run);
  frame();
  focusContent();
  frame();
  expect(run).not.toHaveBeenCalled();
  frame();
  expect(run).toHaveBeenCalledOnce();
  expect(focus).toHaveBeenCalledOnce();
});

test('a cell that is opened for the user keeps the focus', () => {
  const cell = new Part();
  focusContent();
  frame();
  endFocusMove();
  cell.focus();
  frame();
  frame();
  expect(page.activeElement).toBe(cell);
});

test('a dialog that opens before the focus has moved keeps the focus', () => {
  const button = new Part();
  focusContent();
  frame();
  const close = openLayer(Symbol('dialog'));
  button.focus();
  frame();
  frame();
  close();
  frame();
  expect(page.activeElement).toBe(button);
});

test('a dialog that is open already keeps the focus until it closes', () => {
  const field = new Part();
  const close = openLayer(Symbol('palette'));
  field.focus();
  focusContent();
  for (let count = 0; count < 5; count++) frame();
  expect(page.activeElement).toBe(field);
  close();
  frame();
  expect(page.activeElement).toBe(grid);
});

test('a dialog that takes the place of the one that was open keeps the focus', () => {
  const button = new Part();
  const close = openLayer(Symbol('palette'));
  focusContent();
  frame();
  close();
  const closeSecond = openLayer(Symbol('dialog'));
  button.focus();
  frame();
  frame();
  closeSecond();
  frame();
  expect(page.activeElement).toBe(button);
});

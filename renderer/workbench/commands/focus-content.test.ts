import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { afterFocus, endFocusMove, focusContent } from './focus-content.ts';

/** A part of the window that can have the focus, inside a dialog or not. */
class Part {
  readonly #dialog: object | null;
  constructor(dialog: object | null = null) {
    this.#dialog = dialog;
  }
  closest = (): object | null => this.#dialog;
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
  const button = new Part({});
  focusContent();
  frame();
  button.focus();
  frame();
  frame();
  expect(page.activeElement).toBe(button);
});

test('the focus leaves a dialog that is closing', () => {
  const button = new Part({});
  button.focus();
  focusContent();
  frame();
  frame();
  expect(page.activeElement).toBe(grid);
});

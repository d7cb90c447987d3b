import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AppWindow } from './registry.ts';

const logged: string[] = [];
vi.mock('electron', () => ({ app: {}, BrowserWindow: {} }));
vi.mock('../crash.ts', () => ({ log: (line: string) => logged.push(line) }));
const { answerOf } = await import('./page-timeout.ts');

const LIMIT = { timeoutMs: 5_000, late: 'is closed' };
const never = new Promise<string>(() => undefined);
let contents: EventEmitter;

function windowOf(isCrashed = false): AppWindow {
  contents = Object.assign(new EventEmitter(), { isCrashed: () => isCrashed, isDestroyed: () => false });
  return { number: 2, browserWindow: { webContents: contents } } as unknown as AppWindow;
}

beforeEach(() => {
  logged.length = 0;
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

test('an answer is handed on, and leaves nothing behind in the window', async () => {
  const window = windowOf();
  for (let n = 0; n < 20; n++) expect(await answerOf(window, () => Promise.resolve(n), LIMIT)).toBe(n);
  expect(contents.listenerCount('render-process-gone')).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

test('a page that has crashed is not asked, and one that crashes is not waited for', async () => {
  const ask = vi.fn(() => never);
  expect(await answerOf(windowOf(true), ask, LIMIT)).toBeNull();
  expect(ask).not.toHaveBeenCalled();
  const answer = answerOf(windowOf(), ask, LIMIT);
  contents.emit('render-process-gone');
  expect(await answer).toBeNull();
  expect(logged).toEqual([]);
});

test('a page that hangs is given up, which is logged', async () => {
  const answer = answerOf(windowOf(), () => never, LIMIT);
  await vi.advanceTimersByTimeAsync(LIMIT.timeoutMs);
  expect(await answer).toBeNull();
  expect(logged).toEqual(['Window 2 is closed: no answer within 5 s']);
});

import { EventEmitter } from 'node:events';
import { beforeEach, expect, test, vi } from 'vitest';
import type { AppWindow } from './registry.ts';

interface Asked {
  readonly message: string;
  readonly signal: AbortSignal;
}
const asked: Asked[] = [];
let answer: (response: number) => void = () => undefined;
vi.mock(
  import('electron'),
  () =>
    ({
      dialog: {
        showMessageBox: (_window: unknown, options: Asked) => {
          asked.push(options);
          return new Promise((resolve) => {
            answer = (response) => resolve({ response });
            options.signal.addEventListener('abort', () => resolve({ response: 0 }));
          });
        },
      },
      BrowserWindow: {},
    }) as never,
);
vi.mock(import('../crash.ts'), () => ({ log: () => undefined }) as never);
const { askWhenHung } = await import('./hung-question.ts');

const destroy = vi.fn();
let browserWindow: EventEmitter;
const settled = (): Promise<void> => new Promise(setImmediate);

beforeEach(() => {
  asked.length = 0;
  destroy.mockClear();
  browserWindow = Object.assign(new EventEmitter(), { destroy, isDestroyed: () => false });
  askWhenHung({ number: 2, browserWindow } as unknown as AppWindow);
});

test('a window that hangs can be closed, and is asked about once at a time', async () => {
  browserWindow.emit('unresponsive');
  browserWindow.emit('unresponsive');
  expect(asked.map(({ message }) => message)).toEqual(['Window 2 is not responding.']);
  answer(0);
  await settled();
  expect(destroy).not.toHaveBeenCalled();
  browserWindow.emit('unresponsive');
  answer(1);
  await settled();
  expect(asked).toHaveLength(2);
  expect(destroy).toHaveBeenCalledTimes(1);
});

test('the question goes away when the page reacts again', async () => {
  browserWindow.emit('unresponsive');
  browserWindow.emit('responsive');
  expect(asked[0]!.signal.aborted).toBe(true);
  await settled();
  expect(destroy).not.toHaveBeenCalled();
});

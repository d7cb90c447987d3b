import { EventEmitter } from 'node:events';
import { beforeEach, expect, test, vi } from 'vitest';
import type { PrintedPages } from '#shared/printing.ts';
import type { AppWindow } from './registry.ts';

const PDF = new Uint8Array([1]);
let isAnswered = true;
let isRefused = false;
const windows: FakeWindow[] = [];

class FakeWindow extends EventEmitter {
  readonly webContents = Object.assign(new EventEmitter(), {
    insertCSS: async () => '',
    executeJavaScript: () => (isAnswered ? Promise.resolve(0) : new Promise(() => undefined)),
    printToPDF: async () => {
      if (isRefused) throw new Error('Printing failed');
      return PDF;
    },
  });
  #isDestroyed = false;
  constructor() {
    super();
    windows.push(this);
  }
  loadURL = async (): Promise<void> => undefined;
  isDestroyed = (): boolean => this.#isDestroyed;
  destroy(): void {
    this.#isDestroyed = true;
    this.emit('closed');
  }
}
vi.mock(
  import('electron'),
  () =>
    ({
      app: { getLocaleCountryCode: () => 'DE' },
      BrowserWindow: FakeWindow,
      session: { fromPartition: () => ({ protocol: {}, webRequest: { onBeforeRequest: () => undefined } }) },
    }) as never,
);
vi.mock(import('../crash.ts'), () => ({ log: () => undefined }) as never);
vi.mock(import('../compat.ts'), () => ({ serveScheme: () => undefined }) as never);
vi.mock(import('../security/navigation.ts'), () => ({ refuseDownloads: () => undefined }) as never);
vi.mock(import('../security/permissions.ts'), () => ({ denyPermissions: () => undefined }) as never);
const { pdfOf } = await import('./printed-pages.ts');

const PAGES: PrintedPages = { title: 't', subtitle: '', notes: [], content: { kind: 'text', text: 'x' } };
const owner = (): { readonly browserWindow: FakeWindow } => ({ browserWindow: new FakeWindow() });
const print = (by: object) => pdfOf(PAGES, by as unknown as AppWindow);
/** A hidden window whose page never answers. */
async function hanging(by: object): Promise<{ readonly made: ReturnType<typeof print>; readonly hidden: FakeWindow }> {
  isAnswered = false;
  const made = print(by);
  await vi.waitFor(() => expect(windows).toHaveLength(2));
  await new Promise(setImmediate);
  return { made, hidden: windows[1]! };
}

beforeEach(() => {
  isAnswered = true;
  isRefused = false;
  windows.length = 0;
});

test('a window that is closed meanwhile ends the work, and the next one prints', async () => {
  const first = owner();
  const { made, hidden } = await hanging(first);
  const late = print(first);
  first.browserWindow.destroy();
  expect(await made).toEqual({ why: 'The window was closed.' });
  expect(hidden.isDestroyed()).toBe(true);
  expect(await late).toEqual({ why: 'The window was closed.' });
  isAnswered = true;
  expect(await print(owner())).toBe(PDF);
  expect(windows.every((window, at) => at === 2 || window.isDestroyed())).toBe(true);
});

test('pages whose process ends are refused, and the next ones are printed', async () => {
  const { made, hidden } = await hanging(owner());
  hidden.webContents.emit('render-process-gone');
  expect(await made).toEqual({ why: expect.stringMatching(/too large/) });
  isAnswered = true;
  expect(await print(owner())).toBe(PDF);
});

test('pages that Chromium cannot print are refused in a sentence', async () => {
  isRefused = true;
  expect(await print(owner())).toEqual({ why: expect.stringMatching(/too large/) });
});

test('pages that take too long are refused', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const by = owner();
  isAnswered = false;
  const made = print(by);
  await vi.advanceTimersByTimeAsync(120_001);
  vi.useRealTimers();
  expect(await made).toEqual({ why: expect.stringMatching(/too large/) });
});

import { ipcMain } from 'electron';
import type { IpcMainInvokeEvent } from 'electron';
import { beforeEach, expect, it, vi } from 'vitest';
import { APP_PAGE } from '../app-scheme/resolve-path.ts';
import { logDropped } from '../dropped.ts';
import { appWindowOf, wasAppWindow } from '../windows/registry.ts';
import { answer } from './trusted-ipc.ts';

vi.mock('electron', () => ({ ipcMain: { handle: vi.fn<() => void>() } }));
vi.mock('../crash.ts', () => ({ log: vi.fn<() => void>() }));
vi.mock('../dropped.ts', () => ({ logDropped: vi.fn<() => void>() }));
vi.mock('../windows/registry.ts', () => ({
  appWindowOf: vi.fn<() => unknown>(),
  wasAppWindow: vi.fn<() => boolean>(),
  windowTitle: () => 'Window 1',
}));

type Handler = (event: IpcMainInvokeEvent, argument: unknown) => Promise<unknown>;

const handled = vi.fn<() => null>();

/** Answers a request of a page. */
function request(url: string, parent: object | null = null): Promise<unknown> {
  answer('letters.done', handled);
  const handler = vi.mocked(ipcMain.handle).mock.lastCall![1] as Handler;
  return handler({ senderFrame: { url, parent }, sender: {} } as unknown as IpcMainInvokeEvent, 1);
}

beforeEach(() => {
  vi.resetAllMocks();
  handled.mockReturnValue(null);
});

it('answers the page of a window', async () => {
  vi.mocked(appWindowOf).mockReturnValue({} as ReturnType<typeof appWindowOf>);
  await expect(request(APP_PAGE)).resolves.toBe(null);
  expect(handled).toHaveBeenCalledOnce();
});

it('refuses other pages, and frames inside a page', async () => {
  vi.mocked(appWindowOf).mockReturnValue({} as ReturnType<typeof appWindowOf>);
  await expect(request('https://example.com/')).rejects.toThrow('letters.done is not open to this page.');
  await expect(request(APP_PAGE, {})).rejects.toThrow('letters.done is not open to this page.');
  expect(handled).not.toHaveBeenCalled();
});

it('refuses a window that is none of the app’s, even with its page', async () => {
  vi.mocked(appWindowOf).mockReturnValue(null);
  await expect(request(APP_PAGE)).rejects.toThrow('letters.done is not open to this page.');
  expect(handled).not.toHaveBeenCalled();
});

it('drops what a page still says while its window closes, without an error', async () => {
  vi.mocked(appWindowOf).mockReturnValue(null);
  vi.mocked(wasAppWindow).mockReturnValue(true);
  await expect(request(APP_PAGE)).resolves.toBe(undefined);
  expect(handled).not.toHaveBeenCalled();
  expect(logDropped).toHaveBeenCalledWith('letters.done', 'the window is closed');
});

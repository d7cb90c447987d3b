import { ipcMain } from 'electron';
import type { IpcMainInvokeEvent } from 'electron';
import { beforeEach, expect, it, vi } from 'vitest';
import { APP_PAGE } from '../app-scheme/resolve-path.ts';
import { logDropped } from '../dropped.ts';
import { Lifetime } from '../lifetime.ts';
import type { AppWindow, AppWindows } from '../windows/registry.ts';
import { trustedIpc } from './trusted-ipc.ts';

vi.mock('electron', () => ({ ipcMain: { handle: vi.fn<() => void>(), removeHandler: vi.fn<() => void>() } }));
vi.mock('../crash.ts', () => ({ log: vi.fn<() => void>() }));
vi.mock('../dropped.ts', () => ({ logDropped: vi.fn<() => void>() }));
vi.mock('../windows/registry.ts', () => ({ windowTitle: () => 'Window 1' }));

type Handler = (event: IpcMainInvokeEvent, argument: unknown) => Promise<unknown>;

const handled = vi.fn<() => null>();
const windows = { of: vi.fn<() => AppWindow | null>(), was: vi.fn<() => boolean>() };

/** Answers a request of a page. */
function request(url: string, parent: object | null = null, lifetime = new Lifetime()): Promise<unknown> {
  trustedIpc(windows as unknown as AppWindows, lifetime).answer('outbox.done', handled);
  const handler = vi.mocked(ipcMain.handle).mock.lastCall![1] as Handler;
  return handler({ senderFrame: { url, parent }, sender: {} } as unknown as IpcMainInvokeEvent, 1);
}

beforeEach(() => {
  vi.resetAllMocks();
  handled.mockReturnValue(null);
});

it('answers the page of a window', async () => {
  windows.of.mockReturnValue({} as AppWindow);
  await expect(request(APP_PAGE)).resolves.toBe(null);
  expect(handled).toHaveBeenCalledOnce();
});

it('refuses other pages, and frames inside a page', async () => {
  windows.of.mockReturnValue({} as AppWindow);
  await expect(request('https://example.com/')).rejects.toThrow('outbox.done is not open to this page.');
  await expect(request(APP_PAGE, {})).rejects.toThrow('outbox.done is not open to this page.');
  expect(handled).not.toHaveBeenCalled();
});

it('refuses a window that is none of the app’s, even with its page', async () => {
  windows.of.mockReturnValue(null);
  await expect(request(APP_PAGE)).rejects.toThrow('outbox.done is not open to this page.');
  expect(handled).not.toHaveBeenCalled();
});

it('drops what a page still says while its window closes, without an error', async () => {
  windows.of.mockReturnValue(null);
  windows.was.mockReturnValue(true);
  await expect(request(APP_PAGE)).resolves.toBe(undefined);
  expect(handled).not.toHaveBeenCalled();
  expect(logDropped).toHaveBeenCalledWith('outbox.done', 'the window is closed');
});

it('answers nothing any more when the app has ended', async () => {
  windows.of.mockReturnValue({} as AppWindow);
  const lifetime = new Lifetime();
  await request(APP_PAGE, null, lifetime);
  expect(ipcMain.removeHandler).not.toHaveBeenCalled();
  lifetime.end();
  expect(ipcMain.removeHandler).toHaveBeenCalledExactlyOnceWith('outbox.done');
});

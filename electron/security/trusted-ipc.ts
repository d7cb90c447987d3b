// The only way messages of a page enter main: it must be the main frame of one of our windows, showing our own page.
import { ipcMain } from 'electron';
import type { IpcMainEvent, IpcMainInvokeEvent } from 'electron';
import { APP_PAGE, HOST_PAGE } from '../app-scheme/resolve-path.ts';
import { allowUnanswered } from '../compat.ts';
import { HOST_NOTICE } from '../ipc/channels.ts';
import type { Notice, Requests } from '../ipc/channels.ts';
import { appWindowOf } from '../windows/registry.ts';
import type { AppWindow } from '../windows/registry.ts';

/** `senderFrame` must be read before anything is awaited: later it is null (since 33). */
function comesFrom(event: IpcMainEvent | IpcMainInvokeEvent, page: string): boolean {
  const frame = event.senderFrame;
  return frame !== null && frame.parent === null && frame.url.split(/[?#]/, 1)[0] === page;
}

function trustedWindow(event: IpcMainEvent | IpcMainInvokeEvent): AppWindow | null {
  return comesFrom(event, APP_PAGE) ? appWindowOf(event.sender) : null;
}

export function answer<K extends keyof Requests>(
  channel: K,
  handler: (window: AppWindow, argument: unknown) => Requests[K] | Promise<Requests[K]>,
): void {
  ipcMain.handle(channel, (event, argument: unknown) => {
    allowUnanswered(event);
    const window = trustedWindow(event);
    if (!window) throw new Error(`${channel} is not open to this page.`);
    return handler(window, argument);
  });
}

export function hear(channel: Notice, listener: (window: AppWindow, argument: unknown) => void): void {
  ipcMain.on(channel, (event, argument: unknown) => {
    const window = trustedWindow(event);
    if (window) listener(window, argument);
  });
}

export function hearHost(listener: (senderId: number, tag: string) => void): void {
  ipcMain.on(HOST_NOTICE, (event, tag: unknown) => {
    if (comesFrom(event, HOST_PAGE) && typeof tag === 'string') listener(event.sender.id, tag);
  });
}

/** An argument that must be a list of texts, and no more than `limit` of them. */
export function listOf(argument: unknown, limit: number): readonly string[] {
  return Array.isArray(argument) ? argument.slice(0, limit).map(text) : [];
}

/** An argument that must be text, whatever the page sent. */
export function text(argument: unknown): string {
  return typeof argument === 'string' ? argument : '';
}

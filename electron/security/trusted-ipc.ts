// The only way for messages of a page to enter main: they must come from the main frame of one of our windows, showing our own page.
import type { Returned } from '#shared/rpc/server.ts';
import { ipcMain } from 'electron';
import type { IpcMainEvent, IpcMainInvokeEvent } from 'electron';
import { APP_PAGE, HOST_PAGE } from '../app-scheme/resolve-path.ts';
import { allowUnanswered } from '../compat.ts';
import { log } from '../crash.ts';
import { logDropped } from '../dropped.ts';
import { HOST_NOTICE } from '../ipc/channels.ts';
import type { Requests } from '../ipc/channels.ts';
import type { Lifetime } from '../lifetime.ts';
import { windowTitle } from '../windows/registry.ts';
import type { AppWindow, AppWindows } from '../windows/registry.ts';

/**
 * The URL of the page that sent a message; null for a subframe. Read `senderFrame` before any `await`: later it is null (since 33), and
 * reading the URL of a frame that is gone throws.
 */
function addressOf({ senderFrame }: IpcMainEvent | IpcMainInvokeEvent): string | null {
  try {
    return senderFrame?.parent === null ? senderFrame.url.split(/[?#]/, 1)[0]! : null;
  } catch {
    return null;
  }
}

const senderLabel = (address: string | null): string =>
  `it came from ${address === null ? 'a frame inside a page, or one that is gone' : `“${address}”`}`;

export type Answer = <K extends keyof Requests>(
  channel: K,
  handler: (window: AppWindow, argument: unknown) => Returned<Requests[K]> | Promise<Returned<Requests[K]>>,
) => void;

export interface TrustedIpc {
  readonly answer: Answer;
  hearHost(listener: (senderId: number, tag: string) => void): void;
}

/** Opens main to the pages of `windows`, until the app ends. */
export function trustedIpc(windows: AppWindows, lifetime: Lifetime): TrustedIpc {
  return {
    answer(channel, handler) {
      ipcMain.handle(channel, async (event, argument: unknown) => {
        allowUnanswered(event);
        const address = addressOf(event);
        const window = address === APP_PAGE ? windows.of(event.sender) : null;
        if (!window && windows.was(event.sender)) {
          // A page may still send while its window closes: there is no one left to tell that it came too late.
          logDropped(channel, 'the window is closed');
          return undefined;
        }
        if (!window) {
          logDropped(channel, senderLabel(address));
          throw new Error(`${channel} is not open to this page.`);
        }
        try {
          return (await handler(window, argument)) ?? null;
        } catch (error) {
          log(`${channel} of ${windowTitle(window)} failed: ${error instanceof Error ? error.stack : String(error)}`);
          throw error;
        }
      });
      lifetime.add(() => ipcMain.removeHandler(channel));
    },
    hearHost(listener) {
      lifetime.on(ipcMain, HOST_NOTICE, (event: IpcMainEvent, tag: unknown) => {
        const address = addressOf(event);
        if (address === HOST_PAGE && typeof tag === 'string') listener(event.sender.id, tag);
        else logDropped(HOST_NOTICE, senderLabel(address));
      });
    },
  };
}

/** Reads an argument as a list of at most `limit` strings; empty if it is no list. */
export function listOf(argument: unknown, limit: number): readonly string[] {
  return Array.isArray(argument) ? argument.slice(0, limit).map(text) : [];
}

/** Reads an argument as a string; empty if it is not one. */
export function text(argument: unknown): string {
  return typeof argument === 'string' ? argument : '';
}

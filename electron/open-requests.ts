// Files the user asked to open from outside: command line, second start, file manager. Kept until a window has opened them.
import type { OpenedFile, OpenView } from '#shared/shell-api.ts';
import { logDropped } from './dropped.ts';
import { bringToFront, tell } from './windows/registry.ts';
import type { AppWindow, AppWindows } from './windows/registry.ts';

export interface OpenRequest {
  /** Absolute path. */
  readonly path: string;
  readonly view: OpenView | null;
}

export interface OpenRequests {
  add(requests: readonly OpenRequest[]): void;
  /** The page of this window can open files from now on. */
  windowListens(window: AppWindow): void;
  /** The app is quitting: waiting requests are dropped. */
  end(): void;
}

export function createOpenRequests(
  windows: AppWindows,
  tokenOf: (path: string, window: AppWindow) => OpenedFile,
): OpenRequests {
  const listening = new WeakSet<AppWindow>();
  let waiting: OpenRequest[] = [];

  const deliver = (window: AppWindow): void => {
    if (waiting.length === 0) return;
    const requests = waiting;
    waiting = [];
    bringToFront(window);
    for (const request of requests) {
      const { path, view } = request;
      const opened = (): OpenedFile => ({ ...tokenOf(path, window), ...(view && { view }) });
      void tell(window, 'file.openRequested', opened).then((isDone) => isDone || add([request]));
    }
  };
  const add = (requests: readonly OpenRequest[]): void => {
    waiting.push(...requests);
    const { current, all } = windows;
    const window = [...(current ? [current] : []), ...all].find((each) => listening.has(each));
    if (window) deliver(window);
  };

  return {
    add,
    windowListens(window) {
      listening.add(window);
      deliver(window);
    },
    end() {
      for (const { path } of waiting) logDropped(`the request to open ${path}`, 'the app quits');
    },
  };
}

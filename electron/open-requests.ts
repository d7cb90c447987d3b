// Files the person asked for from outside: command line, second start, file manager. Kept until a window has opened them.
import type { OpenedFile } from '#shared/shell-api.ts';
import { logDropped } from './dropped.ts';
import { appWindows, bringToFront, currentWindow, tell } from './windows/registry.ts';
import type { AppWindow } from './windows/registry.ts';

export interface OpenRequests {
  /** `files` are absolute paths. */
  add(files: readonly string[]): void;
  /** The page of this window can open files from now on. */
  windowListens(window: AppWindow): void;
  /** The app quits: nobody opens what still waits. */
  end(): void;
}

export function createOpenRequests(tokenOf: (path: string, window: AppWindow) => OpenedFile): OpenRequests {
  const listening = new WeakSet<AppWindow>();
  let waiting: string[] = [];

  const deliver = (window: AppWindow): void => {
    if (waiting.length === 0) return;
    const paths = waiting;
    waiting = [];
    bringToFront(window);
    for (const path of paths)
      void tell(window, 'file.openRequested', () => tokenOf(path, window)).then((isDone) => isDone || add([path]));
  };
  const add = (files: readonly string[]): void => {
    waiting.push(...files);
    const current = currentWindow();
    const window = [...(current ? [current] : []), ...appWindows()].find((each) => listening.has(each));
    if (window) deliver(window);
  };

  return {
    add,
    windowListens(window) {
      listening.add(window);
      deliver(window);
    },
    end() {
      for (const path of waiting) logDropped(`the request to open ${path}`, 'the app quits');
    },
  };
}

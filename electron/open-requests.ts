// Files the person asked for from outside: command line, second start, file manager. Kept until a window listens.
import type { OpenedFile } from '#shared/shell-api.ts';
import { bringToFront, currentWindow, push } from './windows/registry.ts';
import type { AppWindow } from './windows/registry.ts';

export interface OpenRequests {
  /** `files` are absolute paths. */
  add(files: readonly string[]): void;
  /** The page of this window can open files from now on. */
  windowListens(window: AppWindow): void;
}

export function createOpenRequests(tokenOf: (path: string) => OpenedFile): OpenRequests {
  const listening = new WeakSet<AppWindow>();
  let waiting: string[] = [];

  const deliver = (window: AppWindow): void => {
    if (waiting.length === 0) return;
    const paths = waiting;
    waiting = [];
    bringToFront(window);
    for (const path of paths) push(window, 'file.openRequested', tokenOf(path));
  };

  return {
    add(files) {
      waiting.push(...files);
      const window = currentWindow();
      if (window && listening.has(window)) deliver(window);
    },
    windowListens(window) {
      listening.add(window);
      deliver(window);
    },
  };
}

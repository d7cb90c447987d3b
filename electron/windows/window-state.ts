// Stores the places of the open windows, so that the next start restores them.
import * as v from 'valibot';
import { readJson, writeJson } from '../json-file.ts';
import type { AppWindow, AppWindows } from './registry.ts';
import { PLACEMENTS } from './window-placements.ts';
import type { WindowPlacement } from './window-placements.ts';

const QUIET_MS = 300;

export interface WindowState {
  /** The windows of the last run. */
  load(): readonly WindowPlacement[];
  /** Call on every change; writes after a pause. */
  changed(): void;
  /** Writes now and ignores later changes: windows that close while the app quits must not empty the list. */
  freeze(): void;
}

export function createWindowState(windows: AppWindows, storePath: string): WindowState {
  let timer: NodeJS.Timeout | undefined;
  let frozen = false;
  const save = (): void => writeJson(storePath, windows.all.map(placeOf));
  return {
    load: () => v.parse(PLACEMENTS, readJson(storePath)),
    changed() {
      clearTimeout(timer);
      if (!frozen) timer = setTimeout(save, QUIET_MS);
    },
    freeze() {
      if (frozen) return;
      clearTimeout(timer);
      save();
      frozen = true;
    },
  };
}

function placeOf({ windowId, number, browserWindow }: AppWindow): WindowPlacement {
  return {
    windowId,
    number,
    bounds: browserWindow.getNormalBounds(),
    maximized: browserWindow.isMaximized(),
    fullScreen: browserWindow.isFullScreen(),
  };
}

// One app for all its windows: the single instance, starts that join it, and the order of its end.
import { isAbsolute } from 'node:path';
import { app } from 'electron';
import type { Event } from 'electron';
import * as v from 'valibot';
import { each } from '#shared/stored.ts';
import { log } from './crash.ts';
import type { RunMarker } from './crash.ts';
import { logDropped } from './dropped.ts';
import type { Lifetime } from './lifetime.ts';
import type { NativeEngine } from './native/native-engine.ts';
import type { OpenRequest } from './open-requests.ts';
import { flush } from './windows/app-window.ts';
import type { HostWindow } from './windows/host-window.ts';
import type { AppWindows } from './windows/registry.ts';
import type { WindowState } from './windows/window-state.ts';

/** A checkpoint of a large WAL takes a while; without it nothing is lost, because the next start makes the checkpoint. */
const SETTLE_TIMEOUT_MS = 8000;

/** Returns false if another instance runs; that one then gets `requests` and comes to the front. */
export function claimSingleInstance(
  requests: readonly OpenRequest[],
  onSecondStart: (requests: readonly OpenRequest[]) => void,
): boolean {
  // Sent as one JSON text: Chromium reorders a second start's arguments, and lists inside this object were mangled (electron#40615).
  if (!app.requestSingleInstanceLock({ request: JSON.stringify(requests) })) return false;
  app.on('second-instance', (_event, _argv, _cwd, data) => onSecondStart(parseRequests(data)));
  return true;
}

/** Limit for one start. */
const MAX_FILES = 1000;
const MAX_TEXT = 2 ** 15;
const TEXT = v.pipe(v.string(), v.maxLength(MAX_TEXT));
const REQUEST = v.object({
  path: v.pipe(
    TEXT,
    v.check((path) => isAbsolute(path) && !path.includes('\0')),
  ),
  view: v.nullable(v.object({ table: v.nullable(TEXT), where: TEXT, readOnly: v.boolean() })),
});

function parseRequests(data: unknown): readonly OpenRequest[] {
  try {
    const requests: unknown = JSON.parse((data as { request: string }).request);
    if (Array.isArray(requests)) return v.parse(each(REQUEST), requests.slice(0, MAX_FILES));
  } catch {
    // Reported like any other request that makes no sense.
  }
  logDropped('the files of a second start', 'its request cannot be read');
  return [];
}

/** Resolves with `settling`, or when `settling` takes too long. */
async function closed(settling: Promise<unknown>): Promise<void> {
  let late: NodeJS.Timeout | undefined;
  const givenUp = new Promise<void>((resolve) => {
    late = setTimeout(() => {
      log(`not everything was closed within ${SETTLE_TIMEOUT_MS / 1000} s; the next start does it`);
      resolve();
    }, SETTLE_TIMEOUT_MS);
  });
  await Promise.race([settling, givenUp]);
  clearTimeout(late);
}

interface Ending {
  readonly windows: AppWindows;
  readonly lifetime: Lifetime;
  readonly host: HostWindow;
  /** Engines of files in place and of remote databases. */
  readonly engines: readonly Pick<NativeEngine, 'settle' | 'destroy'>[];
  readonly state: WindowState;
  readonly mark: RunMarker;
}

/** Windows save, then the host checkpoints, then everything closes. Never fails. */
export async function endInOrder({ windows, lifetime, host, engines, state, mark }: Ending): Promise<void> {
  const save = async (): Promise<void> => {
    state.freeze();
    await Promise.all(windows.all.map((window) => flush(window)));
    // Hides the windows and stops their requests to the host.
    for (const { browserWindow } of windows.all) browserWindow.destroy();
    await closed(Promise.all([host.settle(), ...engines.map((engine) => engine.settle())]));
    mark.remove();
  };
  await save().catch((error: unknown) => log(`quitting: ${String(error)}`));
  // After an error, a remaining window would delay quitting by asking its page.
  for (const { browserWindow } of windows.all) browserWindow.destroy();
  host.destroy();
  for (const engine of engines) engine.destroy();
  lifetime.end();
}

/**
 * Has the app end in order before Electron quits. A second request to quit does not speed it up.
 * @param mayQuit whether the windows' work may be interrupted; may ask the user
 * @param end ends the app; Electron quits afterwards
 */
export function quitInOrder(lifetime: Lifetime, mayQuit: () => Promise<boolean>, end: () => Promise<void>): void {
  let isEnding = false;
  lifetime.on(app, 'before-quit', (event: Event) => {
    event.preventDefault();
    if (isEnding) return;
    isEnding = true;
    void mayQuit().then(async (may) => {
      if (!may) {
        isEnding = false;
        return;
      }
      await end();
      app.quit();
    });
  });
}

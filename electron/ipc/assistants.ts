// What a window may ask about assistants: which are connected, what they propose, and how a client starts a server of a file that it has open.
import { app } from 'electron';
import type { AssistantServer } from '#shared/assistants.ts';
import { Assistants } from '../assistants/assistants.ts';
import type { Places } from '../assistants/assistants.ts';
import { AssistantListener } from '../assistants/listener.ts';
import { defaultProfile } from '../command/context.ts';
import { programWords } from '../command/launch.ts';
import { wordsForFile } from '../command/mcp/settings.ts';
import { log } from '../crash.ts';
import { locationIdFor } from '../files/file-locations.ts';
import type { FilesInPlace } from '../files/files-in-place.ts';
import type { Lifetime } from '../lifetime.ts';
import { text } from '../security/trusted-ipc.ts';
import type { TrustedIpc } from '../security/trusted-ipc.ts';
import type { Settings } from '../settings.ts';
import { tell } from '../windows/registry.ts';
import type { AppWindow, AppWindows } from '../windows/registry.ts';

/** Thousands of calls a second are one message. */
const TELL_EVERY_MS = 100;
const OUTCOMES = ['waiting', 'keeping', 'kept', 'discarded', 'unknown'] as const;

interface Parts {
  readonly windows: AppWindows;
  readonly lifetime: Lifetime;
  readonly settings: Settings;
  readonly inPlace: FilesInPlace;
}

export function serveAssistants({ answer }: TrustedIpc, { windows, lifetime, settings, inPlace }: Parts): void {
  const assistants = new Assistants(placesIn(windows, inPlace));
  const listener = new AssistantListener(assistants, app.getPath('userData'), log);
  const listen = (): void => (settings.get('assistants') ? listener.start() : listener.stop());
  listen();
  settings.onChange(listen);
  let timer: NodeJS.Timeout | null = null;
  const tellAll = (): void => {
    timer = null;
    for (const window of windows.all)
      void tell(window, 'assistant.changed', () => assistants.seenFrom(window.windowId), 'sessions');
  };
  const off = assistants.onChange(() => (timer ??= setTimeout(tellAll, TELL_EVERY_MS)));
  inPlace.onClosed(() => assistants.closeOthers());
  lifetime.add(() => {
    off();
    if (timer) clearTimeout(timer);
    listener.stop();
  });

  const known = new WeakSet<AppWindow>();
  answer('assistant.begin', (window) => {
    const { windowId, browserWindow } = window;
    if (!known.has(window)) browserWindow.on('closed', () => assistants.forgetPage(windowId));
    known.add(window);
    assistants.forgetPage(windowId);
    return assistants.seenFrom(windowId);
  });
  answer('assistant.read', ({ windowId }, proposal) => assistants.read(windowId, text(proposal)));
  answer('assistant.settle', ({ windowId }, argument) => {
    const { proposal, state } = (typeof argument === 'object' && argument !== null ? argument : {}) as Record<string, unknown>; // prettier-ignore
    const outcome = OUTCOMES.find((one) => one === state);
    return outcome !== undefined && assistants.settle(windowId, text(proposal), outcome);
  });
  answer('assistant.end', (_window, session) => {
    listener.end(Number(session));
    return null;
  });
  answer('assistant.serverOf', ({ windowId }, locationId) => {
    const path = inPlace.pathOfOpened(windowId, text(locationId));
    return path === null ? null : serverOf(path);
  });
}

/** A file that was opened read-only cannot be changed, and SQL could do anything with the functions of an extension. */
const placesIn = (windows: AppWindows, inPlace: FilesInPlace): Places => ({
  find(path) {
    const { current, all } = windows;
    for (const { windowId } of current === null ? all : [current, ...all]) {
      const file = inPlace.openedIn(windowId).find((one) => one.locationId === locationIdFor(path));
      if (file === undefined || file.readOnly === true || file.extensions !== undefined) continue;
      const { locationId, database, fileName } = file;
      return { windowId, locationId, database, fileName };
    }
    return null;
  },
  isOpen: ({ windowId, locationId }) => inPlace.pathOfOpened(windowId, locationId) !== null,
});

function serverOf(path: string): AssistantServer {
  const [command = '', ...args] = programWords();
  const profile = app.getPath('userData');
  const own = profile === defaultProfile() ? [] : [`--user-data-dir=${profile}`];
  return { command, args: [...args, ...own, 'mcp', ...wordsForFile(path)] };
}

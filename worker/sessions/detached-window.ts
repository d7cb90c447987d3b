// Runs work for a window outside its own lane: an export must not hold up the window that requested it.
import type { WindowSession } from './session.ts';

/** Returns a second identity with the window's name: it has its own lane and no part in the window's transaction. */
export function detachedFrom(window: WindowSession): WindowSession {
  return {
    windowId: window.windowId,
    windowTitle: window.windowTitle,
    send: (topic, value) => window.send(topic, value),
  };
}

// Work on behalf of a window that is not part of its own line: an export must not hold up the window that asked for it.
import type { WindowSession } from './session.ts';

/** Another identity with the window's name: a lane of its own, and no share in the window's transaction. */
export function detachedFrom(window: WindowSession): WindowSession {
  return {
    windowId: window.windowId,
    windowTitle: window.windowTitle,
    send: (topic, value) => window.send(topic, value),
  };
}

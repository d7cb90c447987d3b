// Shortcuts with Alt leave the focus where it is, also when Alt is released before the other key.
import type { WebContents } from 'electron';

/**
 * On Linux and Windows, Electron moves the focus to the menu bar when Alt is released, unless another key came in between. Electron knows
 * only of keys that the page leaves alone, so it takes Alt+Left for Alt pressed and released. This function sends a key that no keyboard
 * has, as the key in between.
 */
export function keepFocusOnAltChords(contents: WebContents): void {
  if (process.platform === 'darwin') return;
  contents.on('before-input-event', (_event, input) => {
    if (input.type !== 'keyDown' || !input.alt || input.key === 'Alt') return;
    // Chromium drops keys that are sent while it hands out an event.
    setImmediate(() => {
      if (!contents.isDestroyed()) contents.sendInputEvent({ type: 'keyUp', keyCode: 'F24' });
    });
  });
}

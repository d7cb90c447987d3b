// Shortcuts with Alt leave the focus where it is, also when Alt is released before the other key.
import type { WebContents } from 'electron';

/**
 * On Linux and Windows, Electron moves the focus to the menu bar when Alt is released, unless another key came in between. It knows only of
 * keys that the page leaves alone, so to it Alt+Left is Alt pressed and released. A key that no keyboard has tells it otherwise.
 */
export function keepFocusOnAltChords(contents: WebContents): void {
  if (process.platform === 'darwin') return;
  contents.on('before-input-event', (_event, input) => {
    if (input.type !== 'keyDown' || !input.alt || input.key === 'Alt') return;
    // Chromium drops what is sent while it hands out an event.
    setImmediate(() => {
      if (!contents.isDestroyed()) contents.sendInputEvent({ type: 'keyUp', keyCode: 'F24' });
    });
  });
}

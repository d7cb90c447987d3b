// Finds bounds with which the next start opens a window where it is now.
import type { BrowserWindow, Point, Rectangle } from 'electron';

/** No title bar is higher, and no border wider. */
const MAX_TITLE_BAR_PX = 64;
const MAX_BORDER_PX = 16;
const NO_FRAME: Point = { x: 0, y: 0 };

const frames = new WeakMap<BrowserWindow, Point>();

/**
 * On X11 a window is opened at the place of its frame, but reports the place of its content later. Without a correction each start would
 * open the window lower by a title bar. The window manager puts the frame around the window just after it is shown, and reports this as the
 * window's first move.
 */
export function measureFrame(browserWindow: BrowserWindow): void {
  if (process.platform !== 'linux') return;
  browserWindow.once('show', () => {
    const asked = browserWindow.getBounds();
    browserWindow.once('move', () => {
      const { x, y, width, height } = browserWindow.getBounds();
      const frame = { x: x - asked.x, y: y - asked.y };
      const isFrame =
        width === asked.width &&
        height === asked.height &&
        frame.x >= 0 &&
        frame.x <= MAX_BORDER_PX &&
        frame.y >= 0 &&
        frame.y <= MAX_TITLE_BAR_PX;
      if (isFrame) frames.set(browserWindow, frame);
    });
  });
}

/** Bounds that open the window where it is now; its normal bounds if it is maximized. */
export function askedBounds(browserWindow: BrowserWindow): Rectangle {
  const { x, y, ...size } = browserWindow.getNormalBounds();
  const frame = frames.get(browserWindow) ?? NO_FRAME;
  return { x: x - frame.x, y: y - frame.y, ...size };
}

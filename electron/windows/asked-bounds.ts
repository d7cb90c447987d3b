// Finds bounds for opening a window so that it comes out where it is now.
import type { BrowserWindow, Point, Rectangle } from 'electron';

/** No title bar is higher, and no border wider. */
const MAX_TITLE_BAR_PX = 64;
const MAX_BORDER_PX = 16;
const NO_FRAME: Point = { x: 0, y: 0 };

const frames = new WeakMap<BrowserWindow, Point>();

/**
 * On X11 a window is opened by the place of its frame, and asked later it says the place of its content. So with each start it came out
 * lower by a title bar. The window manager puts the frame around it just after it is shown, which is its first move.
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

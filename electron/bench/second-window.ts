// A second window, for measuring what other windows see: it shows what the first one sends over a port between the two.
import { randomUUID } from 'node:crypto';
import { MessageChannelMain } from 'electron';
import type { MessagePortMain } from 'electron';
import { BENCH_WINDOW_HASH, BENCH_WINDOW_TAG } from '#shared/bench/shell.ts';
import { logDropped } from '../dropped.ts';
import { BENCH_PORT } from '../ipc/channels.ts';
import { MINIMUM_SIZE } from '../windows/window-placements.ts';
import type { WindowPlacement } from '../windows/window-placements.ts';
import type { AppWindow } from '../windows/registry.ts';

/** How much of the first window stays visible: a fully covered window gets no frames. */
const ASIDE_PX = 24;

export class SecondWindow {
  readonly #open: (place: WindowPlacement, hash: string) => AppWindow;
  #owner: AppWindow | null = null;
  #window: AppWindow | null = null;
  #port: MessagePortMain | null = null;

  constructor(open: (place: WindowPlacement, hash: string) => AppWindow) {
    this.#open = open;
  }

  /** Replaces the existing one, if any. The owner's end of the port arrives as a message. Returns why it cannot be opened, or null. */
  open(owner: AppWindow): string | null {
    if (this.#owner !== null && this.#owner !== owner)
      return 'Another window is running a benchmark, and has a second window for it.';
    this.destroy();
    this.#owner = owner;
    owner.browserWindow.once('closed', () => this.end(owner));
    const { x, y } = owner.browserWindow.getNormalBounds();
    const { port1, port2 } = new MessageChannelMain();
    this.#port = port2;
    this.#window = this.#open(
      {
        windowId: randomUUID(),
        number: 0,
        bounds: { x: x + ASIDE_PX, y: y + ASIDE_PX, ...MINIMUM_SIZE },
        maximized: false,
        fullScreen: false,
      },
      BENCH_WINDOW_HASH,
    );
    send(owner, port1);
    return null;
  }

  /** The second window is listening. */
  join(window: AppWindow): void {
    if (window !== this.#window || !this.#port) return logDropped('bench.joinWindow', 'no port waits for this window');
    send(window, this.#port);
    this.#port = null;
  }

  /** Null for any window but the second one. */
  ownerOf(window: AppWindow): AppWindow | null {
    return window === this.#window ? this.#owner : null;
  }

  /** Ends the second window of this window, if it measures. */
  end(window: AppWindow): void {
    if (this.#owner === window) this.destroy();
  }

  /** Closes it at once: it has no state to save. */
  destroy(): void {
    this.#owner = null;
    this.#port?.close();
    this.#port = null;
    if (this.#window && !this.#window.browserWindow.isDestroyed()) this.#window.browserWindow.destroy();
    this.#window = null;
  }
}

function send({ browserWindow }: AppWindow, port: MessagePortMain): void {
  browserWindow.webContents.postMessage(BENCH_PORT, { tag: BENCH_WINDOW_TAG }, [port]);
}

// Which files were dropped on a page, as Chromium's own process knows it: whatever a page may have come to run cannot make that up.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WebContents } from 'electron';

/** For how long a drop counts as the one that a page tells of. */
const RECENT_MS = 1_000;
/** How long the report may take: it and the page's message take different ways. */
const PATIENCE_MS = 5_000;

/**
 * Chromium opens the first of the dropped files in a new window if the page leaves the drop to it (`navigateOnDragDrop`), and refuses every
 * address of a file that was not dragged over this page. So a window that is asked for with such an address, and always denied, is the
 * report of a drop.
 */
export class ReportedDrops {
  #last: { readonly path: string; readonly atMs: number } | null = null;
  /** One request waits at a time. */
  #turn: Promise<unknown> = Promise.resolve();
  #heard: () => void = () => undefined;

  constructor(contents: Pick<WebContents, 'setWindowOpenHandler'>) {
    contents.setWindowOpenHandler(({ url }) => {
      const path = pathIn(url);
      if (path !== null) {
        this.#last = { path, atMs: performance.now() };
        this.#heard();
      }
      return { action: 'deny' };
    });
  }

  /** The first file of the drop that has just been reported, or is reported soon; null if none is. Each report is taken once. */
  take(): Promise<string | null> {
    const taken = this.#turn.then(() => this.#take());
    this.#turn = taken;
    return taken;
  }

  async #take(): Promise<string | null> {
    if (this.#last === null || performance.now() - this.#last.atMs > RECENT_MS) {
      this.#last = null;
      await this.#next();
    }
    const path = this.#last?.path ?? null;
    this.#last = null;
    return path;
  }

  #next(): Promise<void> {
    return new Promise((resolve) => {
      const late = setTimeout(resolve, PATIENCE_MS);
      this.#heard = () => {
        clearTimeout(late);
        resolve();
      };
    });
  }
}

function pathIn(address: string): string | null {
  try {
    return address.startsWith('file:') ? fileURLToPath(address) : null;
  } catch {
    return null;
  }
}

/**
 * Those of the files a page tells of that no report covers. A report names the first file of a drop; others that were dropped with it are in
 * the same folder.
 */
export function unreported(paths: readonly string[], reported: string | null): readonly string[] {
  if (reported === null || !paths.includes(reported)) return paths;
  return paths.filter((path) => dirname(path) !== dirname(reported));
}

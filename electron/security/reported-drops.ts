// Which files were dropped on a page, as Chromium's own process knows it: whatever a page may have come to run cannot make that up.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WebContents } from 'electron';

/** For how long a drop counts as the one that a page tells of. */
const RECENT_MS = 1_000;
/** How long the report may take: it and the page's message take different ways. */
const TIMEOUT_MS = 5_000;
/** How long the reports of further files may take after the first one, where each file has its own. */
const FURTHER_TIMEOUT_MS = 500;

interface Report {
  readonly path: string;
  readonly atMs: number;
}

/**
 * Chromium opens dropped files in new windows if the page leaves the drop to it (`navigateOnDragDrop`), older versions only the first one, and
 * refuses every address of a file that was not dragged over this page. So a window that is asked for with such an address, and always
 * denied, is the report of a drop.
 */
export class ReportedDrops {
  #reports: readonly Report[] = [];
  /** Called with each report. */
  readonly #waiting = new Set<() => void>();

  constructor(contents: Pick<WebContents, 'setWindowOpenHandler'>) {
    contents.setWindowOpenHandler(({ url }) => {
      const path = pathIn(url);
      if (path !== null) {
        this.#reports = [...this.#recent(), { path, atMs: performance.now() }];
        for (const look of this.#waiting) look();
      }
      return { action: 'deny' };
    });
  }

  /** Those of the paths that have just been reported, or are reported soon. Each report is taken once. */
  async take(paths: readonly string[]): Promise<readonly string[]> {
    const taken: string[] = [];
    const taking = (isEnough: () => boolean) => (): boolean => {
      const mine = this.#recent().filter(({ path }) => paths.includes(path));
      this.#reports = this.#recent().filter((report) => !mine.includes(report));
      taken.push(...mine.map(({ path }) => path));
      return isEnough();
    };
    await this.#until(
      taking(() => taken.length > 0),
      TIMEOUT_MS,
    );
    if (taken.length > 0)
      await this.#until(
        taking(() => unreported(paths, taken).length === 0),
        FURTHER_TIMEOUT_MS,
      );
    return taken;
  }

  #recent(): readonly Report[] {
    return this.#reports.filter(({ atMs }) => performance.now() - atMs <= RECENT_MS);
  }

  /** Also resolves when the time is over. */
  #until(isOver: () => boolean, mostMs: number): Promise<void> {
    return new Promise((resolve) => {
      if (isOver()) return resolve();
      const end = (): void => {
        clearTimeout(late);
        this.#waiting.delete(look);
        resolve();
      };
      const look = (): void => void (isOver() && end());
      const late = setTimeout(end, mostMs);
      this.#waiting.add(look);
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
 * Those of the files a page tells of that no report covers. Where a report names only the first file of a drop, others that were dropped with
 * it are in the same folder.
 */
export function unreported(paths: readonly string[], reported: readonly string[]): readonly string[] {
  const folders = reported.map((path) => dirname(path));
  return paths.filter((path) => !folders.includes(dirname(path)));
}

// Which files were dropped on a page, as Chromium's own process knows it: whatever a page may have come to run cannot make that up.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WebContents } from 'electron';

/** For how long a drop counts as the one that a page tells of. */
const RECENT_MS = 1_000;
/** How long the report may take: it and the page's message take different ways. */
const PATIENCE_MS = 5_000;

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
    const isAmong = ({ path }: Report): boolean => paths.includes(path);
    const isReported = (): boolean => this.#recent().some(isAmong);
    if (!isReported()) await this.#until(isReported);
    const taken = this.#recent().filter(isAmong);
    this.#reports = this.#recent().filter((report) => !taken.includes(report));
    return taken.map(({ path }) => path);
  }

  #recent(): readonly Report[] {
    return this.#reports.filter(({ atMs }) => performance.now() - atMs <= RECENT_MS);
  }

  /** Also resolves when the patience is over. */
  #until(isReported: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(late);
        this.#waiting.delete(look);
        resolve();
      };
      const look = (): void => void (isReported() && end());
      const late = setTimeout(end, PATIENCE_MS);
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

// The second window itself: the grid with the rows of a live query, and the times at which they are painted.
import { AppError, engineOf } from '#shared/protocol/index.ts';
import type { DatabaseId, RowsPage, WatchedRange } from '#shared/protocol/index.ts';
import { domPort } from '#shared/rpc/port.ts';
import { serve } from '#shared/rpc/server.ts';
import { client, nativeClient } from '../../../../connection/database-client.ts';
import { ResultSource } from '../../../../workbench/rows/result-source.ts';
import { shell } from '../../../../connection/shell.ts';
import { frameWith } from '../app-suites/frames.ts';
import { GridStage } from '../app-suites/grid-stage.tsx';
import type { ShownGrid } from '../app-suites/grid-stage.tsx';
import { RunControl } from '../control.ts';
import { clockNow } from './clock.ts';
import { secondWindowPort } from './second-window.ts';
import type { SecondWindowOperations } from './second-window.ts';

const HIDDEN = 'The second window was hidden: nothing is painted in it then.';

export async function runSecondWindow(): Promise<void> {
  const stage = new GridStage('Measuring: the same rows in a second window');
  const arriving = secondWindowPort();
  const opened = new Set<DatabaseId>();
  let shown: { readonly source: WatchedSource; readonly sql: string; readonly stage: ShownGrid } | null = null;
  const showNothing = (): void => {
    shown?.source.close();
    shown = null;
    stage.hide();
  };

  await shell.bench.joinWindow();
  const port = await arriving.port;
  await client.ready;
  serve<SecondWindowOperations, Record<string, never>, null>(
    domPort(port),
    {
      async show({ database, sql }) {
        if (shown?.source.database === database && shown.sql === sql) return null;
        showNothing();
        if (!opened.has(database)) await open(database);
        opened.add(database);
        const reader = await client.call('live.open', { database, sql, params: [], limitMs: null });
        const source = new WatchedSource(database, reader);
        shown = { source, sql, stage: stage.show(source) };
        await shownFrame(shown.stage.isFull);
        await source.isWatched;
        return null;
      },
      async painted({ row, column, text }, { emit }) {
        if (!shown) throw AppError.invalid('The second window shows nothing yet.');
        const { source, stage: grid } = shown;
        const isThere = (): boolean => {
          const cell = grid.grid.cell(row, column);
          return cell !== null && cell.rows.text(cell.index, source.hiddenColumns + column) === text;
        };
        const painted = shownFrame(isThere);
        await emit(null);
        return { atMs: await painted };
      },
      async leave() {
        showNothing();
        for (const database of opened) await client.call('database.close', { database });
        opened.clear();
        return null;
      },
      now: () => ({ atMs: clockNow() }),
    },
    { info: null, session: null },
  );
}

/** Resolves when the grid has subscribed to its rows, which it does once scrolling stops. */
class WatchedSource extends ResultSource {
  #watched = (): void => undefined;
  readonly isWatched = new Promise<void>((resolve) => (this.#watched = resolve));

  override async watch(
    range: WatchedRange | null,
  ): Promise<{ readonly watch: number; readonly page: RowsPage } | null> {
    const answer = await super.watch(range);
    if (answer) this.#watched();
    return answer;
  }
}

/** Opens a database that the first window has created. */
async function open(database: DatabaseId): Promise<void> {
  if (engineOf(database) === 'native') {
    await shell.bench.takeFiles();
    await nativeClient.answered();
  }
  await client.call('database.open', { database });
}

/** Time at which the first frame in which it is there was done. */
async function shownFrame(isThere: () => boolean): Promise<number> {
  const control = new RunControl();
  const hide = (): void => void (document.hidden && control.stop());
  document.addEventListener('visibilitychange', hide);
  try {
    hide();
    return performance.timeOrigin + (await frameWith(isThere, control));
  } catch (error) {
    throw control.isStopped ? AppError.unavailable(HIDDEN) : error;
  } finally {
    document.removeEventListener('visibilitychange', hide);
  }
}

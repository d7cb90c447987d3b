// A second window beside the measuring one: what can be asked of it, the window itself, which shows rows and says when they were painted, and
// one clock for both.
import { BENCH_WINDOW_TAG } from '#shared/bench/shell.ts';
import { AppError, engineOf } from '#shared/protocol/index.ts';
import type { DatabaseId, Op, RowsPage, WatchedRange } from '#shared/protocol/index.ts';
import { createClient } from '#shared/rpc/client.ts';
import { domPort } from '#shared/rpc/port.ts';
import { shell } from '../../../connection/shell.ts';
import { RunControl } from './target.ts';
import { arrivingPort } from './engine-port.ts';
import { serve } from '#shared/rpc/server.ts';
import { client, nativeClient } from '../../../connection/database-client.ts';
import { ResultSource } from '../../../workbench/rows/result-source.ts';
import { aheadOf, clockNow, frameWith } from './app-suites/frames.ts';
import { GridStage } from './app-suites/grid-stage.tsx';
import type { ShownGrid } from './app-suites/grid-stage.tsx';

/** What the measuring window asks of the second one. */
interface SecondWindowOperations {
  /** Shows the rows of a live query in the grid, replacing any others. Done once they are painted; they stay up to date from then on. */
  readonly show: Op<{ readonly database: DatabaseId; readonly sql: string }, null>;
  /**
   * Waits until a frame with this text in the grid has been painted. The chunk says that it is watching.
   * @throws AppError `unavailable` while the window is hidden: it has no frames then
   */
  readonly painted: Op<
    { readonly row: number; readonly column: number; readonly text: string },
    { readonly atMs: number },
    null
  >;
  /** Shows nothing anymore, and closes every database, so that the first window can remove them. */
  readonly leave: Op<Readonly<Record<string, never>>, null>;
  /** Its clock, in milliseconds since 1970. */
  readonly now: Op<Readonly<Record<string, never>>, { readonly atMs: number }>;
}

const secondWindowPort = (): ReturnType<typeof arrivingPort> => arrivingPort(({ tag }) => tag === BENCH_WINDOW_TAG);

const TIMEOUT_MS = 30_000;

export type SecondWindow = Awaited<ReturnType<typeof openSecondWindow>>;

/** @throws AppError `unavailable` */
export async function openSecondWindow(control: RunControl) {
  const arriving = secondWindowPort();
  const why = await control.wait(shell.bench.openWindow());
  if (why !== null) {
    arriving.cancel();
    throw AppError.unavailable(why);
  }
  const line = createClient<SecondWindowOperations>(domPort(await control.wait(arriving.port)));
  await control.wait(inTime(line.ready));
  const aheadMs = await control.wait(aheadOf(() => line.call('now', {})));
  return {
    show: (database: DatabaseId, sql: string) => line.call('show', { database, sql }),
    /**
     * Begins to watch for a text. Resolves when the other window is watching; `atMs` then resolves to the paint time on this window's clock
     * (`clockNow`).
     */
    async expect(row: number, column: number, text: string): Promise<{ readonly atMs: Promise<number> }> {
      let looks = (): void => undefined;
      const looking = new Promise<void>((resolve) => (looks = resolve));
      const painted = line.call('painted', { row, column, text }, { onChunk: () => looks() });
      const atMs = painted.then((reply) => reply.atMs - aheadMs);
      atMs.catch(() => undefined); // the caller that awaits it gets the rejection
      await Promise.race([looking, painted]);
      return { atMs };
    },
    /** Afterwards, it has closed all databases, or is gone. */
    async close(): Promise<void> {
      await inTime(line.call('leave', {})).catch(() => undefined);
      line.close();
      await shell.bench.closeWindow().catch(() => undefined); // it goes with the run
    },
  };
}

function inTime<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(AppError.unavailable('The second window did not open within half a minute.')),
      TIMEOUT_MS,
    );
    work.then(resolve, reject).finally(() => clearTimeout(late));
  });
}

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

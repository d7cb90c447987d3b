// The measuring window's side of the second window, and what can be asked of it: what to show, and when it painted a change.
import { BENCH_WINDOW_TAG } from '#shared/bench/shell.ts';
import { AppError } from '#shared/protocol/index.ts';
import type { DatabaseId, Op } from '#shared/protocol/index.ts';
import { createClient } from '#shared/rpc/client.ts';
import type { Client } from '#shared/rpc/client.ts';
import { domPort } from '#shared/rpc/port.ts';
import { shell } from '../../../../connection/shell.ts';
import type { RunControl } from '../control.ts';
import { arrivingPort } from '../engine-port.ts';
import { aheadOf } from './clock.ts';

/** What the measuring window asks of the second one. */
export interface SecondWindowOperations {
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

export const secondWindowPort = (): ReturnType<typeof arrivingPort> =>
  arrivingPort(({ tag }) => tag === BENCH_WINDOW_TAG);

const TIMEOUT_MS = 30_000;

type Line = Client<SecondWindowOperations, Record<string, never>>;

export class SecondWindow {
  readonly #line: Line;
  readonly #aheadMs: number;

  private constructor(line: Line, aheadMs: number) {
    this.#line = line;
    this.#aheadMs = aheadMs;
  }

  /** @throws AppError `unavailable` */
  static async open(control: RunControl): Promise<SecondWindow> {
    const arriving = secondWindowPort();
    const why = await control.wait(shell.bench.openWindow());
    if (why !== null) {
      arriving.cancel();
      throw AppError.unavailable(why);
    }
    const line = createClient<SecondWindowOperations>(domPort(await control.wait(arriving.port)));
    await control.wait(inTime(line.ready));
    return new SecondWindow(line, await control.wait(aheadOf(() => line.call('now', {}))));
  }

  async show(database: DatabaseId, sql: string): Promise<void> {
    await this.#line.call('show', { database, sql });
  }

  /**
   * Begins to watch for a text. Resolves when the other window is watching; `atMs` then resolves to the paint time on this window's clock
   * (`clockNow`).
   */
  async expect(row: number, column: number, text: string): Promise<{ readonly atMs: Promise<number> }> {
    let looks = (): void => undefined;
    const looking = new Promise<void>((resolve) => (looks = resolve));
    const painted = this.#line.call('painted', { row, column, text }, { onChunk: () => looks() });
    const atMs = painted.then((reply) => reply.atMs - this.#aheadMs);
    atMs.catch(() => undefined); // the caller that awaits it gets the rejection
    await Promise.race([looking, painted]);
    return { atMs };
  }

  /** Afterwards, it has closed all databases, or is gone. */
  async close(): Promise<void> {
    await inTime(this.#line.call('leave', {})).catch(() => undefined);
    this.#line.close();
    await shell.bench.closeWindow().catch(() => undefined); // it goes with the run
  }
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

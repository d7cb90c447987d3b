// The requests that a measuring window sends to the second one, and how each gets its end of the port between them.
import { BENCH_WINDOW_TAG } from '#shared/bench/shell.ts';
import type { DatabaseId, Op } from '#shared/protocol/index.ts';
import { arrivingPort } from '../engine-port.ts';

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

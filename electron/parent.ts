// The program that has started this process, if it has opened a channel to it as Node's `spawn` does: it alone can order a measurement or a
// report, and gets the reply. No word of a command line, variable, or file can, and nothing is written for it.
import { app } from 'electron';
import type { ParentOrder, ReplyToParent } from '#shared/bench/shell.ts';

/** The order is sent right after the start. A parent without one gets the app as anyone does. */
const ORDER_TIMEOUT_MS = 10_000;

/** Call at the start: what comes before is lost. */
export function orderOfParent(): Promise<ParentOrder | null> {
  if (!process.send) return Promise.resolve(null);
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve(null), ORDER_TIMEOUT_MS);
    const end = (order: ParentOrder | null): void => {
      clearTimeout(late);
      resolve(order);
    };
    process.once('message', (message) => end(readOrder(message)));
    process.once('disconnect', () => end(null));
  });
}

function readOrder(message: unknown): ParentOrder | null {
  const { order } = (message ?? {}) as { readonly order?: unknown };
  return order === 'report-start' || order === 'measure' ? (message as ParentOrder) : null;
}

/** Quits the app when the parent has the reply, or is gone. */
export function replyToParent(reply: ReplyToParent): void {
  if (process.connected) process.send!(reply, () => app.quit());
  else app.quit();
}

/** Nobody waits for an order of a parent that has ended. */
export function quitWithParent(): void {
  process.once('disconnect', () => app.quit());
}

// The measuring window's side of the second window: opens it, tells it what to show, and asks when it painted a change.
import { unavailable } from '#shared/protocol/index.ts';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { createClient } from '#shared/rpc/client.ts';
import type { Client } from '#shared/rpc/client.ts';
import { domPort } from '#shared/rpc/port.ts';
import { shell } from '../../../../connection/shell.ts';
import type { RunControl } from '../control.ts';
import { aheadOf } from './clock.ts';
import { secondWindowPort } from './protocol.ts';
import type { SecondWindowOperations } from './protocol.ts';

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
      throw unavailable(why);
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
      () => reject(unavailable('The second window did not open within half a minute.')),
      TIMEOUT_MS,
    );
    work.then(resolve, reject).finally(() => clearTimeout(late));
  });
}

// For tests: stands for a window that only applies the patches it gets.
import { expect } from 'vitest';
import type { RowsPatch, WatchedRange } from '#shared/protocol/live.ts';
import type { Extent, ReaderId } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import { valuesOf } from '../operations/database-fixture.test-suite.ts';
import type { TestWindow } from '../operations/database-fixture.test-suite.ts';
import { readersOf } from './reader-registry.ts';

export class Follower {
  readonly window: TestWindow;
  readonly reader: ReaderId;
  extent: Extent = { rows: 0, exact: false };
  #watch = 0;
  #rows: Value[][] = [];
  #applied = 0;

  constructor(window: TestWindow, reader: ReaderId) {
    this.window = window;
    this.reader = reader;
  }

  static async on(window: TestWindow, reader: ReaderId, range: WatchedRange): Promise<Follower> {
    const follower = new Follower(window, reader);
    await follower.watch(range);
    return follower;
  }

  async watch(range: WatchedRange): Promise<void> {
    const reply = await this.window.call('rows.watch', { reader: this.reader, range });
    this.#watch = reply!.watch;
    this.#rows = valuesOf(reply!.page.rows);
    this.extent = reply!.page.extent;
  }

  async hide(): Promise<void> {
    expect(await this.window.call('rows.watch', { reader: this.reader, range: null })).toBeNull();
  }

  get rows(): readonly Value[][] {
    for (const patch of this.patches().slice(this.#applied)) {
      this.#applied++;
      if (patch.watch !== this.#watch) continue;
      const fresh = valuesOf(patch.rows);
      const before = this.#rows;
      this.#rows = Array.from(patch.origins, (origin) => (origin < 0 ? fresh.shift()! : before[origin]!));
      expect(fresh).toEqual([]);
      this.extent = patch.extent;
    }
    return this.#rows;
  }

  patches(): RowsPatch[] {
    const mine: RowsPatch[] = [];
    for (const { topic, value } of this.window.events) {
      if (topic === 'rows.patched' && (value as RowsPatch).reader === this.reader) mine.push(value as RowsPatch);
    }
    return mine;
  }

  async counters() {
    const all = await this.window.call('live.counters', {});
    return all.find(({ reader }) => reader === this.reader)!;
  }

  get isSettled(): boolean {
    return readersOf(this.window.session).watchOf(this.reader).isSettled;
  }

  async settled(): Promise<void> {
    while (!this.isSettled) await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

// Files that are never read to their end, in a thread of their own: whatever is asked of them, the databases answer, and it can be stopped.
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { useReadingThreads } from '../import/thread/reading-thread.ts';
import { readingThread } from '../native/reading-threads.ts';
import { failureOf } from './database-fixture.test-suite.ts';
import { disks } from './history-disks.test-suite.ts';
import type { HistoryFixture } from './history-fixture.test-suite.ts';
import { append, importsOn, newTable, ORDERS, ordersColumns } from './import-fixture.test-suite.ts';

const THREAD = new URL('../threads/test-threads/stuck-reading.test-suite.ts', import.meta.url);

describe.each(disks)('$name', (disk) => {
  let fixture: HistoryFixture;
  const { plan, all } = importsOn(disk, (opened) => (fixture = opened));
  beforeEach(() => useReadingThreads(() => readingThread(new Worker(THREAD))));
  afterEach(() => useReadingThreads(null));

  test('an edit is answered while a small file is detected, previewed, counted, and read', async () => {
    const given = plan(ORDERS, append('orders'), ordersColumns);
    const { source, options } = given;
    const settled: string[] = [];
    const waiting = [
      fixture.call('import.detect', { source, options: {} }),
      fixture.call('import.preview', { plan: given }),
      fixture.call('import.analyze', { source, options }),
      fixture.call('import.run', { plan: plan(ORDERS, newTable('found'), ordersColumns) }),
    ].map((call) => failureOf(call.finally(() => settled.push('settled'))));
    await fixture.run("UPDATE orders SET customer = 'Eve' WHERE id = 2");
    expect(all('SELECT customer FROM orders WHERE id = 2')).toEqual([['Eve']]);
    expect(settled).toEqual([]);
    fixture.cancelAll();
    expect((await Promise.all(waiting)).map(({ code }) => code)).toEqual(waiting.map(() => 'stopped'));
  });
});

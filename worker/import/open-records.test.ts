import { afterEach, expect, test } from 'vitest';
import { isForThread } from './open-records.ts';
import { plainOptions } from './plain-options.ts';
import { useReadingThreads } from './thread/reading-thread.ts';

afterEach(() => useReadingThreads(null));

test('a compressed file gets a thread long before a text does, and none does where there are no threads', () => {
  const isRead = (megabytes: number) =>
    (['csv', 'ndjson', 'parquet', 'xlsx'] as const).filter((format) =>
      isForThread({ sizeBytes: megabytes * 2 ** 20 }, plainOptions(format)),
    );
  expect(isRead(100)).toEqual([]);
  useReadingThreads(() => {
    throw new Error('not started');
  });
  expect(isRead(0.2)).toEqual([]);
  expect(isRead(0.3)).toEqual(['parquet', 'xlsx']);
  expect(isRead(4)).toEqual(['csv', 'ndjson', 'parquet', 'xlsx']);
});

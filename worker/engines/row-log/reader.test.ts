// A stored log is read as it was written, or refused as a whole.
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import { Entry } from './format.ts';
import { openRowLog } from './reader.ts';
import { RowLogWriter } from './writer.ts';

function someLog(): Uint8Array {
  const writer = new RowLogWriter(1 << 20);
  const key = { kind: 'rowid', name: 'rowid', place: null } as const;
  const table = writer.addTable({ name: 't', columns: ['a'], key });
  writer.begin(Entry.insert, table);
  writer.integer(1);
  writer.integer(-(2 ** 45));
  writer.end();
  for (const rowid of [2, 3, 4, 9]) writer.insertRowid(table, rowid);
  return writer.seal(null)!;
}

describe('openRowLog', () => {
  it('reads what was written, forwards and backwards, at any place in memory', () => {
    const bytes = someLog();
    const moved = new Uint8Array(bytes.length + 3);
    moved.set(bytes, 3);
    const log = openRowLog(moved.subarray(3));
    const keys = Array.from(log.forwards(), (change) => (change.operation === 'insert' ? change.key[0] : null));
    expect(keys).toEqual([1, 2, 3, 4, 9]);
    expect([...log.backwards()]).toEqual([...log.forwards()].toReversed());
    expect([...log.forwards()][0]).toMatchObject({ after: [-(2 ** 45)] });
    expect([log.rowCount, log.tables[0]!.inserted]).toEqual([5, 5]);
  });

  it('refuses a log with any byte changed, cut off or added', () => {
    const refused = (bytes: Uint8Array) => {
      expect(() => openRowLog(bytes)).toThrow(AppError);
    };
    const bytes = someLog();
    for (let place = 0; place < bytes.length; place++) {
      const damaged = bytes.slice();
      damaged[place]! ^= 1 << (place % 8);
      refused(damaged);
      refused(bytes.slice(0, place));
    }
    refused(new Uint8Array([...bytes, 0]));
  });
});

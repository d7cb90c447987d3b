// A stored log is read as it was written, or refused as a whole.
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import { checksumOfFormat1, Entry, FOOTER_BYTES, FORMAT_1, Tag } from './format.ts';
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

  it('reads what was stored with the checksum of before', () => {
    const bytes = someLog();
    const footer = new DataView(bytes.buffer, bytes.length - FOOTER_BYTES, FOOTER_BYTES);
    footer.setUint32(16, FORMAT_1, true);
    expect(() => openRowLog(bytes)).toThrow(AppError);
    footer.setUint32(20, checksumOfFormat1(bytes.subarray(0, bytes.length - 4)), true);
    expect(openRowLog(bytes).rowCount).toBe(5);
  });

  it('keeps a long log as it was sealed, whatever is written, taken back or cleared afterwards', () => {
    const writer = new RowLogWriter(1 << 24);
    const table = writer.addTable({ name: 't', columns: ['a'], key: { kind: 'rowid', name: 'rowid', place: null } });
    const text = new TextEncoder().encode('some text that is long enough for this '.repeat(10));
    const insert = (rowid: number): void => {
      writer.begin(Entry.insert, table);
      writer.integer(rowid);
      writer.bytes(Tag.text, text, 0, text.length);
      writer.end();
    };
    for (let rowid = 1; rowid <= 1000; rowid++) insert(rowid);
    writer.insertRowid(table, 5000);
    const mark = writer.mark();
    const afterwards = [
      () => insert(2000),
      () => writer.insertRowid(table, 5001),
      () => writer.goBack(mark),
      () => writer.clear(),
    ];
    for (const act of afterwards) {
      const sealed = writer.seal(null)!;
      const before = sealed.slice();
      act();
      for (let rowid = 1; rowid < 1000; rowid += 7) if (act !== afterwards.at(-1)) insert(rowid);
      expect(sealed).toEqual(before);
      expect(openRowLog(sealed).rowCount).toBeGreaterThanOrEqual(1001);
      if (act !== afterwards.at(-1)) writer.goBack(mark);
    }
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

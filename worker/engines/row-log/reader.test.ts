// A stored log is read as it was written, or refused as a whole.
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import { Entry, Tag } from './format.ts';
import { checksumOf, checksumOfFormat1, FOOTER_BYTES, FORMAT_1, FORMAT_2 } from './footer.ts';
import { openRowLog } from './reader.ts';
import type { LoggedChange } from './row-log.ts';
import { RowLogWriter } from './writer.ts';

function someLog(): Uint8Array {
  const writer = new RowLogWriter(1 << 20);
  const key = { kind: 'rowid', name: 'rowid', columnIndex: null } as const;
  const table = writer.addTable({ name: 't', columns: ['a'], key });
  writer.begin(Entry.insert, table);
  writer.integer(1);
  writer.integer(-(2 ** 45));
  writer.end();
  for (const rowid of [2, 3, 4, 9]) writer.insertRowid(table, rowid);
  return writer.seal(null)!;
}

const TEXT_KEY = {
  name: 't',
  columns: ['k', 'n', 'l'],
  key: { kind: 'rowid', name: 'rowid', columnIndex: null },
} as const;

/** Logs an update of row 7 from 5 to 6. */
function update(writer: RowLogWriter, table: number, name = ''): void {
  writer.begin(Entry.updateAfter, table);
  writer.integer(7);
  writer.number(1);
  writer.number(1);
  writer.integer(5);
  writer.integer(6);
  const text = new TextEncoder().encode(name);
  if (name !== '') for (let part = 0; part < 2; part++) writer.bytes(Tag.text, text, 0, text.length);
  writer.end();
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

  it.each([
    ['1', FORMAT_1, checksumOfFormat1],
    ['2', FORMAT_2, checksumOf],
  ] as const)('reads what was stored in format %s, which names no rows', (_name, format, checksum) => {
    const writer = new RowLogWriter(1 << 20);
    update(writer, writer.addTable(TEXT_KEY));
    const bytes = writer.seal(null)!;
    const footer = new DataView(bytes.buffer, bytes.length - FOOTER_BYTES, FOOTER_BYTES);
    footer.setUint32(16, format, true);
    expect(() => openRowLog(bytes)).toThrow(AppError);
    footer.setUint32(20, checksum(bytes.subarray(0, bytes.length - 4)), true);
    expect([...openRowLog(bytes).forwards()]).toMatchObject([
      { keyAfter: [7], name: null, columnIndexes: [1], after: [6] },
    ]);
  });

  it('reads the names behind updates, forwards, backwards and from any row on', () => {
    const writer = new RowLogWriter(1 << 20);
    const table = writer.addTable({ ...TEXT_KEY, declaredKey: [2, 0] });
    for (const name of ['a', 'b']) update(writer, table, name);
    writer.insertRowid(table, 9);
    update(writer, table, 'c');
    const log = openRowLog(writer.seal(null)!);
    const names = (changes: Iterable<LoggedChange>) =>
      Array.from(changes, (change) => (change.operation === 'update' ? change.name : change.operation));
    const expected = [['a', 'a'], ['b', 'b'], 'insert', ['c', 'c']];
    expect(names(log.forwards())).toEqual(expected);
    expect(names(log.backwards())).toEqual(expected.toReversed());
    expect(names(log.rowsOf(log.tables[0]!, 1))).toEqual(expected.slice(1));
  });

  it('keeps a long log as it was sealed, whatever is written, taken back or cleared afterwards', () => {
    const writer = new RowLogWriter(1 << 24);
    const table = writer.addTable({
      name: 't',
      columns: ['a'],
      key: { kind: 'rowid', name: 'rowid', columnIndex: null },
    });
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
    for (let index = 0; index < bytes.length; index++) {
      const damaged = bytes.slice();
      damaged[index]! ^= 1 << (index % 8);
      refused(damaged);
      refused(bytes.slice(0, index));
    }
    refused(new Uint8Array([...bytes, 0]));
  });
});

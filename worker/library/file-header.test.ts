import { describe, expect, it } from 'vitest';
import { checkHeader } from './file-header.ts';

function header(change: (view: DataView) => void = () => undefined): Uint8Array {
  const bytes = new Uint8Array(4096);
  bytes.set(new TextEncoder().encode('SQLite format 3\0'));
  const view = new DataView(bytes.buffer);
  view.setUint16(16, 4096);
  bytes.set([1, 1, 0, 64, 32, 32], 18);
  view.setUint32(24, 7);
  view.setUint32(28, 10);
  view.setUint32(44, 4);
  view.setUint32(56, 1);
  view.setUint32(92, 7);
  change(view);
  return bytes;
}

const file = (sizeBytes = 40960, walSizeBytes = 0) => ({ fileName: 'x.db', sizeBytes, walSizeBytes });
const text = (content: string): Uint8Array => new TextEncoder().encode(content);

it('takes a sound file, and one of 64 KiB pages', () => {
  expect(checkHeader(header(), file())).toEqual({ pageSize: 4096, empty: false, usesWal: false });
  expect(
    checkHeader(
      header((view) => view.setUint16(16, 1)),
      file(10 * 65536),
    ).pageSize,
  ).toBe(65536);
});

it('knows a database whose latest changes may be in a log beside it', () => {
  const inWalMode = header((view) => view.setUint16(18, 0x0202));
  expect(checkHeader(inWalMode, file()).usesWal).toBe(true);
});

it('takes a file of no bytes for an empty database', () => {
  expect(checkHeader(new Uint8Array(0), file(0)).empty).toBe(true);
});

describe('what is no database', () => {
  const random = new Uint8Array(4096);
  for (let at = 0; at < random.length; at++)
    random[at] = (Math.imul(at + 1, 2654435761) >>> 13) ^ (Math.imul(at, at) >>> 3);
  it.each([
    ['a text file', text('name;place\nAda;London\n')],
    ['an SQL script', text('-- dump\nCREATE TABLE t (a);\n')],
    ['a ZIP archive', text('PK\x03\x04\x14\0\0\0')],
    ['an image (PNG)', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
    ['SQLite 2', text('** This file contains an SQLite 2.1 database **\0')],
    [
      'the write-ahead log (WAL) of a database: open the database itself',
      new Uint8Array([0x37, 0x7f, 0x06, 0x82, 0, 0x2d]),
    ],
    ['the rollback journal of a database', new Uint8Array([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7])],
    ['encrypted', random],
    ['does not begin as one', new Uint8Array(4096)],
  ])('is called %s', (words, bytes) => {
    expect(() => checkHeader(bytes, file(bytes.length))).toThrow(
      expect.objectContaining({ code: 'not-a-database', message: expect.stringContaining(words) }),
    );
  });
});

it('tells formats of the future and text it cannot read', () => {
  expect(() =>
    checkHeader(
      header((view) => view.setUint8(19, 3)),
      file(),
    ),
  ).toThrow(expect.objectContaining({ code: 'too-new' }));
  expect(() =>
    checkHeader(
      header((view) => view.setUint32(44, 5)),
      file(),
    ),
  ).toThrow(expect.objectContaining({ code: 'too-new' }));
  expect(() =>
    checkHeader(
      header((view) => view.setUint32(56, 2)),
      file(),
    ),
  ).toThrow(expect.objectContaining({ code: 'unavailable' }));
});

it('offers a salvage of a file that lost its end, unless the count is not to be trusted or a WAL has the rest', () => {
  expect(() => checkHeader(header(), file(30000))).toThrow(
    expect.objectContaining({ code: 'corrupt', detail: { salvage: true } }),
  );
  expect(() => checkHeader(header(), file(30000))).toThrow('40,960 bytes long and has only 30,000');
  expect(() =>
    checkHeader(
      header((view) => view.setUint32(92, 6)),
      file(30000),
    ),
  ).not.toThrow();
  expect(() => checkHeader(header(), file(30000, 5000))).not.toThrow();
});

it.each([0, 3, 511, 1000])('does not believe a page size of %s', (size) => {
  expect(() =>
    checkHeader(
      header((view) => view.setUint16(16, size)),
      file(),
    ),
  ).toThrow(expect.objectContaining({ code: 'corrupt' }));
});

it('a text of any length is a text file', () => {
  const bytes = new Uint8Array(300_000).fill(0x61);
  expect(() => checkHeader(bytes, file(bytes.length))).toThrow('is a text file');
});

// Parts of values, values from and to files, and JSONB, on both engines, in every encoding of text.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { CellRange } from '#shared/protocol/cell.ts';
import type { Value } from '#shared/protocol/values.ts';
import { holdOpen, runIn } from '../engines/native/storage/other-program.test-suite.ts';
import { CHUNK_BYTES } from '../library/files.ts';
import { cellPieces } from '../readers/cell-range.ts';
import { failureOf } from './database-fixture.test-suite.ts';
import { disks, type FileDisk } from './history-disks.test-suite.ts';
import { HistoryFixture } from './history-fixture.test-suite.ts';

/** The wasm build of SQLite supports only UTF-8. */
const CASES = [
  { disk: disks[0]!, encoding: 'UTF-8' },
  ...['UTF-8', 'UTF-16le', 'UTF-16be'].map((encoding) => ({ disk: disks[1]!, encoding })),
];

describe.each(CASES)('$disk.id $encoding', ({ disk, encoding }) => {
  let fixture: HistoryFixture;
  beforeEach(() => {
    fixture = new HistoryFixture(
      `PRAGMA encoding = '${encoding}';
       CREATE TABLE t (id INTEGER PRIMARY KEY, v, n INTEGER NOT NULL DEFAULT 7 CHECK (n < 100), g AS (v || 'x'), s TEXT);
       INSERT INTO t (id, v) VALUES (1, 'one'), (2, x'000102ff'), (3, 4.5);`,
      disk,
    );
  });
  afterEach(() => fixture.close());

  test.skipIf(disk === disks[0])('the encoding is the one that is tested', () => {
    expect(fixture.connection.one('PRAGMA encoding')).toEqual([encoding]);
  });

  const cell = { table: 't', key: [1], column: 'v' };
  const put = (value: Value): unknown => fixture.connection.run('UPDATE t SET v = ? WHERE id = 1', [value]);
  const now = (): Value => fixture.connection.one('SELECT v FROM t WHERE id = 1')![0]!;
  const range = (offset: number, length: number): Promise<CellRange> =>
    fixture.call('cell.readRange', { cell, offset, length });

  test('texts are read in whole characters, and replacing a part leaves the others as they are', async () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'ß', '€', '😀', '\0', '\n', '\r', '\u202e'), maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(
        texts,
        texts,
        fc.nat(60),
        fc.integer({ min: 4, max: 50 }),
        async (text, typed, offset, length) => {
          put(text);
          const part = await range(offset, length);
          const before = await range(0, part.offset || 1);
          const start = part.offset === 0 ? '' : (before.value as string);
          expect(text).toBe(start + (part.value as string) + text.slice((start + (part.value as string)).length));
          const { sizeBytes } = await fixture.call('cell.replaceRange', {
            cell,
            offset: part.offset,
            removed: part.bytes,
            sizeBytes: part.sizeBytes,
            value: typed,
          });
          expect(now()).toBe(start + typed + text.slice((start + (part.value as string)).length));
          expect(sizeBytes).toBe(Number(fixture.connection.one('SELECT octet_length(v) FROM t WHERE id = 1')![0]));
        },
      ),
      { seed: 15, numRuns: seedCount(60) },
    );
  });

  test('parts of a blob are replaced byte by byte, in one step that can be undone', async () => {
    const bytes = fc.uint8Array({ maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(bytes, bytes, fc.nat(40), async (blob, value, offset) => {
        put(blob);
        const part = await range(offset, 7);
        await fixture.call('cell.replaceRange', {
          cell,
          offset: part.offset,
          removed: part.bytes,
          sizeBytes: part.sizeBytes,
          value,
        });
        const rest = blob.slice(offset + part.lengthBytes);
        expect(now()).toEqual(Uint8Array.from([...blob.slice(0, offset), ...value, ...rest]));
        // An empty change is not a step.
        if (Buffer.compare(now() as Uint8Array, blob) !== 0) await fixture.undo();
        expect(now()).toEqual(blob);
      }),
      { seed: 16, numRuns: seedCount(25) },
    );
  });

  test('what changed in the meantime is a conflict, and nothing is changed', async () => {
    put('abcdef');
    const part = await range(0, 4);
    const replace = (): Promise<unknown> =>
      fixture.call('cell.replaceRange', {
        cell,
        offset: 0,
        removed: part.bytes,
        sizeBytes: part.sizeBytes,
        value: 'X',
      });
    for (const changed of ['abcdefg', 'Abcdef', null, 5]) {
      put(changed);
      expect((await failureOf(replace())).code).toBe('conflict');
      expect(now()).toBe(changed);
    }
    const gone = { ...cell, key: [99] };
    expect((await failureOf(fixture.call('cell.readRange', { cell: gone, offset: 0, length: 4 }))).code).toBe(
      'not-found',
    );
    const generated = { ...cell, column: 'g' };
    const computed = fixture.call('cell.replaceRange', {
      cell: generated,
      offset: 0,
      removed: new Uint8Array(),
      sizeBytes: 4,
      value: '',
    });
    expect((await failureOf(computed)).code).toBe('invalid');
    expect(
      (await failureOf(fixture.call('cell.readRange', { cell: { ...cell, key: [3] }, offset: 0, length: 4 }))).code,
    ).toBe('invalid');
  });

  test('a value goes to a file as UTF-8 and comes back as text or as a blob', async () => {
    const text = 'é😀\r\n\0x';
    put(text);
    expect((await fixture.call('cell.save', { cell, sink: 'out' })).sizeBytes).toBeGreaterThan(0);
    expect(new TextDecoder().decode(fixture.files.get('out'))).toBe(text);
    const load = (source: string, loadAs: 'text' | 'blob', sizeBytes: number): Promise<unknown> =>
      fixture.call('cell.load', { cell, source, loadAs, seen: { storageClass: 'text', sizeBytes } });
    const sizeBytes = Number(fixture.connection.one('SELECT octet_length(v) FROM t WHERE id = 1')![0]);
    fixture.files.set('in', new Uint8Array([0xff, 0xfe, 0]));
    expect((await failureOf(load('in', 'text', sizeBytes))).code).toBe('invalid');
    expect((await failureOf(load('in', 'blob', sizeBytes + 1))).code).toBe('conflict');
    expect(now()).toBe(text);
    await load('in', 'blob', sizeBytes);
    expect(now()).toEqual(new Uint8Array([0xff, 0xfe, 0]));
    await fixture.undo();
    fixture.files.set('in', new TextEncoder().encode('\ufeffneu'));
    await load('in', 'text', sizeBytes);
    expect(now()).toBe('\ufeffneu');
  });

  test('reading the file of a value is reported, and can be stopped', async () => {
    put('kept');
    fixture.files.set('in', new Uint8Array(5 * CHUNK_BYTES));
    const told: unknown[] = [];
    const load = fixture.call(
      'cell.load',
      { cell, source: 'in', loadAs: 'blob', seen: { storageClass: 'text', sizeBytes: 4 } },
      undefined,
      (report) => told.push(report) === 2 && fixture.cancelAll(),
    );
    expect(await failureOf(load)).toMatchObject({ code: 'stopped', message: 'Stopped. Nothing was changed.' });
    const total = 5 * CHUNK_BYTES;
    expect(told[0]).toEqual({ phase: 'Reading', done: CHUNK_BYTES, total, unit: 'bytes' });
    expect(now()).toBe('kept');
  });

  test.skipIf(disk === disks[0])(
    'a value is saved as it was when that began, whatever another program writes',
    async () => {
      const text = 'é😀 and more '.repeat(20);
      const program = await holdOpen((disk as FileDisk).file, '');
      for (const sql of ["UPDATE t SET v = 'shorter' WHERE id = 1", 'DELETE FROM t WHERE id = 1']) {
        put(text);
        const pieces: Uint8Array[] = [];
        for (const { bytes } of cellPieces(fixture.connection, cell, 64)) {
          if (pieces.push(bytes) === 1) await runIn(program, sql);
        }
        expect(new TextDecoder(encoding).decode(Buffer.concat(pieces))).toBe(text);
        expect(fixture.connection.one('SELECT v FROM t WHERE id = 1')).not.toEqual([text]);
      }
      program.kill();
    },
  );

  test('JSON becomes JSONB and back; what is neither is said to be so', async () => {
    const convert = (value: string | Uint8Array, convertTo: 'text' | 'jsonb'): Promise<string | Uint8Array | null> =>
      fixture.call('cell.convertJson', { value, convertTo });
    const jsonb = await convert('{"a":[1,2.50,"x"]}', 'jsonb');
    expect(jsonb).toBeInstanceOf(Uint8Array);
    expect(await convert(jsonb!, 'text')).toBe('{"a":[1,2.50,"x"]}');
    expect(await convert('{a:1}', 'jsonb')).toBeNull();
    expect(await convert(new Uint8Array([0xff, 0xff, 0xff]), 'text')).toBeNull();
    expect(await convert(new Uint8Array(), 'text')).toBeNull();
  });

  test('the values a cell had before are found in the history, across a changed key', async () => {
    const set = (key: Value, values: Record<string, Value>): Promise<unknown> =>
      fixture.call('edit.apply', { table: 't', changes: [{ kind: 'update', key: [key], set: values, base: {} }] });
    await fixture.call('edit.apply', { table: 't', changes: [{ kind: 'insert', set: { id: 9, v: 'first' } }] });
    await set(9, { v: 'second' });
    await set(9, { n: 8 });
    await set(9, { id: 10, v: new Uint8Array(5000) });
    await set(10, { v: 'undone' });
    await fixture.undo();
    const past = await fixture.call('cell.past', { cell: { table: 't', key: [10], column: 'v' } });
    expect(past.values.map(({ value }) => value)).toEqual(['second', 'first']);
    expect(past.why).toBeNull();
    const ids = await fixture.call('cell.past', { cell: { table: 't', key: [10], column: 'id' } });
    expect(ids.values.map(({ value }) => value)).toEqual([9]);
    await fixture.run('CREATE TABLE other (a)');
    await set(1, { v: 'later' });
    const cut = await fixture.call('cell.past', { cell });
    expect(cut.values.map(({ value }) => value)).toEqual(['one']);
    expect(cut.why).toContain('CREATE TABLE');
  });
});

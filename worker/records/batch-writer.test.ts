import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { BatchWriter } from './batch-writer.ts';
import { fieldTexts } from './field-texts.ts';
import { FIELD } from './record-batch.ts';

const encoder = new TextEncoder();

describe('batches of records', () => {
  it('give back every field as it was written, batch after batch', () => {
    const writer = new BatchWriter();
    const records = fc.array(fc.array(fc.string({ unit: 'grapheme', maxLength: 300 }), { maxLength: 40 }), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(records, (texts) => {
        writer.clear();
        for (const [at, record] of texts.entries()) {
          writer.begin(at + 1);
          for (const [n, text] of record.entries()) {
            if (n % 2 === 0) writer.text(FIELD.quoted, text);
            else writer.field(FIELD.text, encoder.encode(text));
          }
          writer.end();
        }
        const batch = writer.take();
        expect(Array.from({ length: batch.records }, (_, at) => fieldTexts(batch, at))).toEqual(texts);
        expect([...batch.lines.subarray(0, batch.records)]).toEqual(texts.map((_, at) => at + 1));
      }),
      { seed: 20262, numRuns: seedCount(100) },
    );
  });

  it('drop a record that was begun and not ended, and fill up what is missing', () => {
    const writer = new BatchWriter();
    writer.begin(1);
    writer.text(FIELD.text, 'half');
    writer.begin(2);
    writer.text(FIELD.text, 'whole');
    writer.end(3);
    const batch = writer.take();
    expect(batch.records).toBe(1);
    expect(batch.lines[0]).toBe(2);
    expect([...batch.kinds.subarray(0, batch.recordEnds[0])]).toEqual([FIELD.text, FIELD.absent, FIELD.absent]);
    expect(fieldTexts(batch, 0)).toEqual(['whole', '', '']);
  });

  it('say when they are full, by bytes and by fields', () => {
    const writer = new BatchWriter();
    writer.begin(1);
    writer.field(FIELD.blob, new Uint8Array(2 << 20).fill(7));
    writer.end();
    expect(writer.isFull).toBe(true);
    expect(writer.take().ends[0]).toBe(2 << 20);
    writer.clear();
    expect(writer.isFull).toBe(false);
    for (let line = 1; !writer.isFull; line++) {
      writer.begin(line);
      writer.end(2_000);
    }
    expect(writer.records).toBe(132);
  });

  it('write texts of any length and script as UTF-8', () => {
    const texts = ['', 'a'.repeat(64), 'a'.repeat(65), `${'a'.repeat(63)}ä`, `ä${'b'.repeat(62)}`, '€😀', 'x\u0080'];
    const writer = new BatchWriter();
    writer.begin(1);
    for (const text of texts) writer.text(FIELD.quoted, text);
    writer.end();
    expect(fieldTexts(writer.take(), 0)).toEqual(texts);
  });

  it('take little memory before there is anything to write', () => {
    const { bytes, starts, ends, kinds, recordEnds, lines } = new BatchWriter().take();
    const taken = [bytes, starts, ends, kinds, recordEnds, lines].reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect(taken).toBeLessThan(10_000);
  });
});

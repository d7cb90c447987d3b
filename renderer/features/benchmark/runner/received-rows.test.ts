// Rows in each form they can arrive in: the values are the same, and no piece of work takes long.
import { expect, test } from 'vitest';
import type { DeliveredChunk } from '#shared/bench/protocol.ts';
import { Sink } from '#shared/bench/sink.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { showFirstRows, sinkRows } from './engine-target.ts';

const ROWS = Array.from({ length: 3_000 }, (_, index) => ({
  id: index + 1,
  name: `näme-${index}`,
  value: index + 0.25,
}));

function packed(): DeliveredChunk {
  const writer = new PackedRowsWriter(3, { expectedRows: ROWS.length, previewBytes: Infinity });
  for (const { id, name, value } of ROWS) {
    writer.integer(id);
    writer.text(name);
    writer.real(value);
  }
  return { form: 'packed', rows: writer.finish() };
}

async function checksumOf(...chunks: readonly DeliveredChunk[]): Promise<string> {
  const sink = new Sink(true);
  for (const chunk of chunks) await sinkRows(chunk, sink);
  return `${sink.rows} ${sink.checksum}`;
}

test('every form gives the same values, in one piece or in several', async () => {
  const objects = await checksumOf({ form: 'objects', rows: ROWS });
  expect(objects).toMatch(/^3000 /);
  expect(await checksumOf(packed())).toBe(objects);
  const texts = [ROWS.slice(0, 1_000), ROWS.slice(1_000)].map((rows) => JSON.stringify(rows));
  expect(await checksumOf(...texts.map((text) => ({ form: 'json' as const, text })))).toBe(objects);
});

test('other things have their turn while rows are compared', async () => {
  const turns: number[] = [];
  const timer = setInterval(() => turns.push(performance.now()));
  const many = Array.from({ length: 60 }, () => ROWS).flat();
  await checksumOf({ form: 'objects', rows: many });
  clearInterval(timer);
  expect(turns.length).toBeGreaterThan(3);
});

test('what a screen shows is decoded, and no more', () => {
  expect(showFirstRows(packed())).toBe(showFirstRows({ form: 'objects', rows: ROWS.slice(0, 50) }));
});

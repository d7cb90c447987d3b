import { expect, it, vi } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import { Answer, DATA_AT, Word } from './inspector-messages.ts';
import type { FromInspector, InspectionOrder } from './inspector-messages.ts';
import { Inspection } from './inspection.ts';
import type { InspectedFile, InspectorLike } from './inspection.ts';

function setUp(readFile: InspectedFile['readFile']) {
  let order!: InspectionOrder;
  const inspector: InspectorLike = {
    onmessage: null,
    onerror: null,
    postMessage: (given) => void (order = given),
    terminate: vi.fn(),
  };
  const inspection = new Inspection({ fileSizeBytes: 1000, readFile }, 'quick', () => inspector);
  const say = (data: FromInspector): void => inspector.onmessage?.({ data } as MessageEvent<FromInspector>);
  const ask = (offset: number, length: number): readonly [number, readonly number[]] => {
    say({ t: 'read', offset, length });
    const answer = new Int32Array(order.shared, 0, 1)[Word.answer]!;
    return [answer, [...new Uint8Array(order.shared, DATA_AT, length)]];
  };
  return { inspection, inspector, order, say, ask };
}

it('lends the bytes that are asked for, and knows how far it is', async () => {
  const { inspection, inspector, order, ask, say } = setUp((offset, length) => new Uint8Array(length).fill(offset));
  expect(order).toMatchObject({ kind: 'quick', sizeBytes: 1000 });
  expect(ask(5, 3)).toEqual([Answer.given, [5, 5, 5]]);
  expect(inspection.progress).toEqual({ done: 3, total: 2000 });
  say({ t: 'done', messages: ['wrong'] });
  expect(await inspection.result).toEqual(['wrong']);
  expect(inspector.terminate).toHaveBeenCalled();
});

it('a disk that cannot be read is the reason it gives, not what SQLite makes of it', async () => {
  const { inspection, ask, say } = setUp(() => {
    throw new AppError({ code: 'io', message: 'The disk could not be read.' });
  });
  expect(ask(0, 3)[0]).toBe(Answer.refused);
  say({ t: 'failed', error: { code: 'corrupt', message: 'disk I/O error' } });
  await expect(inspection.result).rejects.toMatchObject({ code: 'io', message: 'The disk could not be read.' });
});

it('is ended at any moment, and one that does not start says so', async () => {
  const ended = setUp(() => new Uint8Array(0));
  ended.inspection.end();
  await expect(ended.inspection.result).rejects.toMatchObject({ code: 'stopped' });
  const broken = setUp(() => new Uint8Array(0));
  broken.inspector.onerror?.(undefined as never);
  await expect(broken.inspection.result).rejects.toMatchObject({ code: 'unavailable' });
});

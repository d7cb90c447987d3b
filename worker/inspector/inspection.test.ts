import { expect, it, vi } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import { type FromInspector, type InspectionOrder, ReplyMemory } from './reply.ts';
import { Inspection, type InspectedFile, type InspectorLike } from './inspection.ts';

function setUp(readFile: InspectedFile['readFile']) {
  let order!: InspectionOrder;
  const inspector: InspectorLike = {
    onmessage: null,
    onerror: null,
    onmessageerror: null,
    postMessage: (given) => void (order = given),
    terminate: vi.fn(),
  };
  const inspection = new Inspection({ fileSizeBytes: 1000, readFile }, 'quick', () => inspector);
  const say = (data: FromInspector): void => inspector.onmessage?.({ data } as MessageEvent<FromInspector>);
  let request = 0;
  /** Null when it is refused. */
  const ask = (offset: number, length: number): readonly number[] | null => {
    say({ t: 'read', request: ++request, offset, length });
    const bytes = new ReplyMemory(order.shared).waitFor(request, length);
    return bytes && [...bytes];
  };
  return { inspection, inspector, order, say, ask };
}

it('lends the bytes that are asked for, and knows how far it is', async () => {
  const { inspection, inspector, order, ask, say } = setUp((offset, length) => new Uint8Array(length).fill(offset));
  expect(order).toMatchObject({ kind: 'quick', sizeBytes: 1000 });
  expect(ask(5, 3)).toEqual([5, 5, 5]);
  expect(inspection.progress).toEqual({ done: 3, total: 2000 });
  const findings = { messages: ['wrong'], unchecked: [] };
  say({ t: 'done', findings });
  expect(await inspection.result).toEqual(findings);
  expect(inspector.terminate).toHaveBeenCalled();
});

it('a disk that cannot be read is the reason it gives, not what SQLite makes of it', async () => {
  const { inspection, ask, say } = setUp(() => {
    throw new AppError({ code: 'io', message: 'The disk could not be read.' });
  });
  expect(ask(0, 3)).toBeNull();
  say({ t: 'failed', error: { code: 'corrupt', message: 'disk I/O error' } });
  await expect(inspection.result).rejects.toMatchObject({ code: 'io', message: 'The disk could not be read.' });
});

it('a file that gives fewer bytes than it had is refused, and that is the reason', async () => {
  const { inspection, ask, say } = setUp((_offset, length) => new Uint8Array(length - 1));
  expect(ask(0, 3)).toBeNull();
  say({ t: 'failed', error: { code: 'corrupt', message: 'disk I/O error' } });
  await expect(inspection.result).rejects.toMatchObject({ code: 'io', message: expect.stringContaining('shorter') });
});

it('is ended at any moment; one that does not start, or is lost on the way, says so', async () => {
  const ended = setUp(() => new Uint8Array(0));
  ended.inspection.end();
  await expect(ended.inspection.result).rejects.toMatchObject({ code: 'stopped' });
  const broken = setUp(() => new Uint8Array(0));
  broken.inspector.onerror?.(undefined as never);
  await expect(broken.inspection.result).rejects.toMatchObject({ message: expect.stringContaining('not start') });
  const lost = setUp((_offset, length) => new Uint8Array(length));
  lost.ask(0, 3);
  lost.inspector.onmessageerror?.(undefined as never);
  await expect(lost.inspection.result).rejects.toMatchObject({ message: expect.stringContaining('ended before') });
  expect(lost.inspector.terminate).toHaveBeenCalled();
});

it('reads nothing for a request that was on its way when it ended', () => {
  const readFile = vi.fn((_offset: number, length: number) => new Uint8Array(length));
  const { inspection, say } = setUp(readFile);
  inspection.end();
  say({ t: 'read', request: 1, offset: 0, length: 3 });
  expect(readFile).not.toHaveBeenCalled();
});

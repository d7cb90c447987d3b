import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { collectReceived } from './received-bytes.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function receiving() {
  const urged: number[] = [];
  const delivered: number[] = [];
  let collect: () => void = () => undefined;
  let sent = 0;
  const receive = collectReceived<{ readonly id: number; readonly value: unknown }>(({ id }) => delivered.push(id), {
    urge: () => void urged.push(delivered.length),
    afterNext: (listener) => void (collect = listener),
  });
  const send = (value: unknown): void => receive({ id: ++sent, value });
  const sendMegabytes = (count: number): void => {
    for (let n = 0; n < count; n++) send(new Uint8Array(1 << 20));
  };
  return { urged, delivered, collect: () => collect(), send, sendMegabytes };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

describe('collectReceived', () => {
  it('lets messages wait for the collector once 32 MB have come, urges it meanwhile, and delivers them in their order', () => {
    const { urged, delivered, collect, send, sendMegabytes } = receiving();
    sendMegabytes(31);
    expect(urged).toEqual([]);
    sendMegabytes(1);
    send('no bytes');
    expect(delivered).toEqual(upTo(31));
    vi.advanceTimersByTime(200);
    expect(urged.length).toBe(3);
    collect();
    expect(delivered).toEqual(upTo(33));
    vi.advanceTimersByTime(1000);
    sendMegabytes(31);
    expect(urged.length).toBe(3);
    expect(delivered).toEqual(upTo(64));
    sendMegabytes(1);
    expect(urged.length).toBe(4);
    expect(delivered).toEqual(upTo(64));
  });

  it('counts from a collection that came by itself', () => {
    const { delivered, collect, sendMegabytes } = receiving();
    sendMegabytes(31);
    collect();
    sendMegabytes(31);
    expect(delivered).toEqual(upTo(62));
  });

  it('goes on after a second without a collection, and waits again for the next 32 MB', () => {
    const { delivered, sendMegabytes } = receiving();
    sendMegabytes(34);
    vi.advanceTimersByTime(900);
    expect(delivered).toEqual(upTo(31));
    vi.advanceTimersByTime(100);
    expect(delivered).toEqual(upTo(34));
    sendMegabytes(32);
    expect(delivered).toEqual(upTo(65));
    vi.advanceTimersByTime(1000);
    expect(delivered).toEqual(upTo(66));
  });
});

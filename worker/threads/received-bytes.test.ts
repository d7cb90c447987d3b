import { expect, it } from 'vitest';
import { collectReceived } from './received-bytes.ts';

it('urges the collector with every message once 16 MB have come, until it has collected, and again 16 MB later', () => {
  const urged: number[] = [];
  let collected: () => void = () => undefined;
  let count = 0;
  const receive = collectReceived(() => count++, {
    urge: () => void urged.push(count),
    afterNext: (listener) => void (collected = listener),
  });
  const receiveMany = (messages: number): void => {
    for (let n = 0; n < messages; n++) receive({ t: 'ok', id: 1, value: new Uint8Array(1 << 20) });
  };
  receiveMany(18);
  receive({ t: 'ok', id: 1, value: 'no bytes' });
  expect(urged).toEqual([16, 17, 18]);
  collected();
  receiveMany(16);
  expect(urged).toEqual([16, 17, 18, 35]);
  expect(count).toBe(35);
});

import { expect, test } from 'vitest';
import { createClock } from './clock.ts';

test('what others send between two tasks is heard soon, however many tasks there are', async () => {
  const clock = createClock();
  const { port1, port2 } = new MessageChannel();
  let heard = 0;
  port1.onmessage = () => heard++;
  await clock.nextTask();
  for (let sent = 1; sent <= 50; sent++) {
    port2.postMessage(null);
    for (let task = 0; task < 3; task++) await clock.nextTask();
    expect(heard).toBe(sent);
  }
  port1.close();
});

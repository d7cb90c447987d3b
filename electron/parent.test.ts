import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { orderOfParent } from './parent.ts';

vi.mock('electron', () => ({ app: {} }));

const send = process.send;
beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  if (send) process.send = send;
  else delete process.send;
});

/** What a process with a channel makes of a message of its parent; null: the parent sends none. */
async function heard(message: object | string | null): Promise<unknown> {
  process.send = () => true;
  const once = vi.spyOn(process, 'once');
  const channel = new EventEmitter();
  once.mockImplementation((name, listener) => {
    channel.once(name, listener as () => void);
    return process;
  });
  const order = orderOfParent();
  once.mockRestore();
  if (message !== null) channel.emit('message', message);
  await vi.runAllTimersAsync();
  return order;
}

it('takes an order of the parent, and none without a channel to it', async () => {
  expect(await heard({ order: 'report-start' })).toEqual({ order: 'report-start' });
  delete process.send;
  expect(await orderOfParent()).toBeNull();
});

it('a parent that says something else, or nothing, gets the app as anyone does', async () => {
  for (const message of [{ order: 'run' }, { type: 'hot-reload' }, 'report-start', {}, null])
    expect(await heard(message)).toBeNull();
});

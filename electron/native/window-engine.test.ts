// The end of an engine process that has nothing left to do.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { NativeProcessEvents } from './native-process.ts';

const fake = vi.hoisted(() => ({ events: [] as unknown[], log: [] as string[], ended: [] as boolean[] }));
vi.mock('electron', () => ({ MessageChannelMain: class {} }));
vi.mock('../crash.ts', () => ({ log: () => undefined }));
vi.mock('../message-port.ts', () => ({ mainPort: () => null }));
vi.mock('#shared/rpc/server.ts', () => ({ serve: () => undefined, refuse: () => undefined }));
vi.mock('./native-process.ts', () => ({
  startNativeProcess: (_script: string, _args: readonly string[], events: NativeProcessEvents) => {
    fake.events.push(events);
    return {
      tell: ({ t }: { readonly t: string }) => void fake.log.push(t),
      kill: () => void fake.log.push('killed'),
    };
  },
}));
const { WindowEngine } = await import('./window-engine.ts');

let engine: InstanceType<typeof WindowEngine>;
beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(fake, { events: [], log: [], ended: [] });
  const ended = (isCrash: boolean): void => void fake.ended.push(isCrash);
  engine = new WindowEngine({ windows: { all: [] }, files: {}, args: [], name: 'engine', ended } as never);
  engine.start();
  fake.log.length = 0;
});
afterEach(() => void vi.useRealTimers());

test('a process is ended when it has closed everything', async () => {
  const stopped = engine.stop();
  expect(fake.log).toEqual(['settle']);
  (fake.events[0] as NativeProcessEvents).answered({ t: 'settled' });
  await stopped;
  expect(fake.log).toEqual(['settle', 'killed']);
  expect(vi.getTimerCount()).toBe(0);
});

test('a process that hangs is ended all the same, so that its file can be opened again', async () => {
  const stopped = engine.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(fake.log).toEqual(['settle', 'killed']);
  await stopped;
  expect(engine.start()).toBeNull();
  expect(fake.events).toHaveLength(2);
});

test.each(['exit code 0', 'exit code 15'])(
  'a process that a window ends has not crashed, whatever it says: %s',
  (how) => {
    const [first] = fake.events as NativeProcessEvents[];
    first!.answered({ t: 'end' });
    expect(fake.log).toEqual(['killed']);
    first!.exited(how);
    expect(fake.ended).toEqual([false]);
    // The next one does crash.
    (fake.events[1] as NativeProcessEvents).exited(how);
    expect(fake.ended).toEqual([false, true]);
  },
);

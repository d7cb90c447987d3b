// How tasks of the scheduler end: stopped, failed, refused, or with their window; the others go on.
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import { a, b, c, reading, schedulerFixture } from './scheduler-fixture.test-suite.ts';
import type { Pause } from './session.ts';
import type { Slice } from './task.ts';

describe('ends', () => {
  it('drops what was stopped in the queue and goes on', async () => {
    const { once, log } = schedulerFixture();
    const first = once(a, 'read', 'a1');
    const second = once(a, 'read', 'a2');
    second.stop();
    await expect(second.result).rejects.toMatchObject({ code: 'stopped' });
    await first.result;
    expect(log).toEqual(['a1']);
  });

  it('passes errors on and goes on', async () => {
    const { scheduler, once } = schedulerFixture();
    const slice: Slice = { deadlineMs: 0, stopRequested: false, pauseUntil: null };
    const body = (): never => {
      throw new Error('broken');
    };
    await expect(scheduler.add({ lane: a, kind: 'read', name: 'x', slice, body }).result).rejects.toThrow('broken');
    await once(a, 'read', 'next').result;
    expect(scheduler.idle).toBe(true);
  });

  it.each(['beforeTurn', 'afterTurn'])('a failing %s fails the task and the queue goes on', async (name) => {
    const { once, steps, state, scheduler } = schedulerFixture();
    state.broken = name;
    await expect(once(a, 'read', 'x').result).rejects.toThrow(name);
    await expect(steps(a, 'read', 'y', reading(2)).result).rejects.toThrow(name);
    state.broken = '';
    await once(a, 'read', 'z').result;
    expect(scheduler.idle).toBe(true);
  });

  it('once closed nothing waits for ever: what is there and what comes later is refused', async () => {
    const { scheduler, once, steps } = schedulerFixture();
    const results = [steps(a, 'read', 'L', reading(3)), once(b, 'write', 'W')].map(({ result }) => result);
    scheduler.close(new AppError({ code: 'disconnected', message: 'Closed.' }));
    results.push(once(c, 'read', 'late').result);
    for (const result of results) await expect(result).rejects.toMatchObject({ code: 'disconnected' });
    expect(scheduler.idle).toBe(true);
  });

  it('refuses writes while a transaction is open elsewhere, at once even behind a half-read statement', async () => {
    const { steps, once, state, log } = schedulerFixture();
    state.refuse = a;
    const long = steps(a, 'read', 'L', reading(3));
    await expect(once(b, 'write', 'W').result).rejects.toMatchObject({ code: 'transaction-elsewhere' });
    expect(log).not.toContain('L!');
    await once(a, 'read', 'own').result;
    await long.result;
  });

  it('closes paused bodies of a window that goes away, and lets waiting writes in', async () => {
    const { scheduler, once } = schedulerFixture();
    let closed = false;
    const slice: Slice = { deadlineMs: 0, stopRequested: false, pauseUntil: null };
    const long = scheduler.add({
      lane: a,
      kind: 'read',
      name: 'L',
      slice,
      *body(): Generator<Pause, void> {
        try {
          slice.pauseUntil = new Promise(() => undefined);
          yield 'reading';
        } finally {
          closed = true;
        }
      },
    });
    const write = once(b, 'write', 'W');
    await once(c, 'read', 'r').result;
    scheduler.dropLane(a, new AppError({ code: 'disconnected', message: 'Gone.' }));
    await expect(long.result).rejects.toMatchObject({ code: 'disconnected' });
    await write.result;
    expect(closed).toBe(true);
  });
});

it('what waited for a body that paused alone runs when its window closes', async () => {
  const { steps, once, scheduler } = schedulerFixture();
  const change = steps(a, 'write', 'change', ['alone', 'alone'], () => {
    // Closes the window in the middle of the first step.
    queueMicrotask(() => scheduler.dropLane(a, new AppError({ code: 'disconnected', message: 'Closed.' })));
  });
  const waiting = once(b, 'read', 'b').result;
  await expect(change.result).rejects.toMatchObject({ code: 'disconnected' });
  await waiting;
});

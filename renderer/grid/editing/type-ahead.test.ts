import { describe, expect, it } from 'vitest';
import { TypeAhead } from './type-ahead.ts';

interface Work {
  readonly promise: Promise<void>;
  end(): void;
  fail(): void;
}

function work(): Work {
  let end = (): void => undefined;
  let fail = (): void => undefined;
  const promise = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = () => reject(new Error('failed'));
  });
  return { promise, end, fail };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function typist() {
  const done: string[] = [];
  const ahead = new TypeAhead((step) => step());
  const press = (name: string) => ahead.inTurn(() => done.push(name));
  return { done, ahead, press };
}

describe('TypeAhead', () => {
  it('does at once what nothing is in the way of', () => {
    const { done, press } = typist();
    press('a');
    expect(done).toEqual(['a']);
  });

  it('keeps keys until the work has ended, also when it failed', async () => {
    const { done, ahead, press } = typist();
    const [one, two] = [work(), work()];
    ahead.during(one.promise);
    ahead.during(two.promise);
    press('a');
    press('b');
    one.fail();
    await settled();
    expect(done).toEqual([]);
    two.end();
    await settled();
    expect(done).toEqual(['a', 'b']);
    expect(ahead.isWaiting).toBe(false);
  });

  it('stops again at a key that starts work', async () => {
    const { done, ahead, press } = typist();
    const [one, two] = [work(), work()];
    ahead.during(one.promise);
    press('a');
    ahead.inTurn(() => ahead.during(two.promise));
    press('b');
    one.end();
    await settled();
    expect(done).toEqual(['a']);
    two.end();
    await settled();
    expect(done).toEqual(['a', 'b']);
  });

  it('lets the pointer wait for keys, but not for work', async () => {
    const { done, ahead, press } = typist();
    const one = work();
    ahead.during(one.promise);
    ahead.afterKeys(() => done.push('click'));
    press('a');
    ahead.afterKeys(() => done.push('second click'));
    ahead.first(() => done.push('before'));
    expect(done).toEqual(['click']);
    one.end();
    await settled();
    expect(done).toEqual(['click', 'before', 'a', 'second click']);
  });

  it('forgets what was meant for after a refusal', async () => {
    const { done, ahead, press } = typist();
    const one = work();
    ahead.during(one.promise);
    press('a');
    ahead.drop();
    one.end();
    await settled();
    expect(done).toEqual([]);
  });
});

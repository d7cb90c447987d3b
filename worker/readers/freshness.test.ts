import { expect, test } from 'vitest';
import { Freshness } from './freshness.ts';

/** A run that ends on request. */
function run(): { readonly body: () => Promise<void>; end(): void; fail(error: Error): void } {
  let end!: () => void;
  let fail!: (error: Error) => void;
  const promise = new Promise<void>((resolve, reject) => ([end, fail] = [resolve, reject]));
  return { body: () => promise, end, fail };
}

test('a change is missing until a run that began after it has ended', async () => {
  const freshness = new Freshness();
  expect(freshness.isOutdated).toBe(false);
  freshness.expire();
  const { body, end } = run();
  const ended = freshness.start('waiting', body);
  expect(freshness.run).toBe(ended);
  expect(freshness.isOutdated).toBe(true);
  freshness.renew();
  expect(freshness.isOutdated).toBe(false);
  end();
  await ended;
  expect(freshness.run).toBeNull();
  expect(freshness.isOutdated).toBe(false);
});

test('a change during a run is missing when that ends', async () => {
  const freshness = new Freshness();
  const { body, end } = run();
  const ended = freshness.start('reading', body);
  freshness.expire();
  expect(freshness.isOutdated).toBe(true);
  end();
  await ended;
  expect(freshness.isOutdated).toBe(true);
  freshness.renew();
  expect(freshness.isOutdated).toBe(false);
});

test('a run that never began, or fails before it reads, leaves everything as it was', async () => {
  const freshness = new Freshness();
  freshness.expire();
  await freshness.start('waiting', () => Promise.resolve());
  expect(freshness.isOutdated).toBe(true);
  const { body, fail } = run();
  const ended = freshness.start('waiting', body);
  fail(new Error('no turn'));
  await expect(ended).rejects.toThrow('no turn');
  expect(freshness.isOutdated).toBe(true);
  expect(freshness.run).toBeNull();
});

test('one run at a time', async () => {
  const freshness = new Freshness();
  const first = run();
  const ended = freshness.start('reading', first.body);
  const second = freshness.start('reading', () => Promise.reject(new Error('a second run')));
  expect(second).toBe(ended);
  first.end();
  await second;
});

test('a run that begins at once is known while it begins', async () => {
  const freshness = new Freshness();
  freshness.expire();
  await freshness.start('waiting', async () => {
    freshness.renew();
    expect(freshness.run).not.toBeNull();
    await Promise.resolve();
  });
  expect(freshness.isOutdated).toBe(false);
});

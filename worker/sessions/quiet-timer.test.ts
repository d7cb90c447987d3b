import { expect, test } from 'vitest';
import { fakeClock } from './fake-clock.test-suite.ts';
import { QuietTimer } from './clock.ts';

test('acts once, after the last of what happened', () => {
  const clock = fakeClock();
  let acted = 0;
  const timer = new QuietTimer(clock, 100, () => acted++);
  timer.poke();
  clock.advance(60);
  timer.poke();
  clock.advance(60);
  expect(acted).toBe(0);
  clock.advance(40);
  expect(acted).toBe(1);
  clock.advance(500);
  expect(acted).toBe(1);
});

test('acts again after it happens again, and not after it was canceled', () => {
  const clock = fakeClock();
  let acted = 0;
  const timer = new QuietTimer(clock, 100, () => acted++);
  timer.poke();
  clock.advance(100);
  timer.poke();
  timer.cancel();
  clock.advance(200);
  expect(acted).toBe(1);
  timer.poke();
  clock.advance(100);
  expect(acted).toBe(2);
});

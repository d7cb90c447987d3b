import { expect, test } from 'vitest';
import { GuardedSwitches } from './guarded-switches.ts';

/** Switches that notes what is done with them. `fails`: how often restoring them fails. */
function madeSwitches({ fails = 0 } = {}) {
  const done: string[] = [];
  let failures = fails;
  return {
    done,
    set: () => void done.push('off'),
    restore: () => {
      if (failures-- > 0) throw new Error('busy');
      done.push('on');
    },
  };
}

const UNAVAILABLE = expect.objectContaining({ code: 'unavailable' });

test('switches are off during the work, whose statements run, and on after it', () => {
  const guarded = new GuardedSwitches();
  const switches = madeSwitches();
  const result = guarded.whileOff(switches, () => {
    guarded.assertOn();
    expect([switches.done, guarded.isHeld]).toEqual([['off'], false]);
    return 7;
  });
  expect([result, switches.done]).toEqual([7, ['off', 'on']]);
  expect(() =>
    guarded.whileOff(switches, () => {
      throw new Error('of the work');
    }),
  ).toThrow('of the work');
  expect(switches.done).toEqual(['off', 'on', 'off', 'on']);
});

test('switches that are held off stay off until they are released', () => {
  const guarded = new GuardedSwitches();
  const switches = madeSwitches();
  guarded.holdOff(switches, () => expect(guarded.isHeld).toBe(false));
  guarded.assertOn();
  expect([guarded.isHeld, switches.done]).toEqual([true, ['off']]);
  guarded.release();
  guarded.release();
  expect([guarded.isHeld, switches.done]).toEqual([false, ['off', 'on']]);
});

test('a transaction that cannot begin leaves the switches on', () => {
  const guarded = new GuardedSwitches();
  const switches = madeSwitches();
  const begin = (): void => {
    throw new Error('locked');
  };
  expect(() => guarded.holdOff(switches, begin)).toThrow('locked');
  expect([guarded.isHeld, switches.done]).toEqual([false, ['off', 'on']]);
});

test('nothing runs while the switches cannot be restored, and each try begins with another attempt', () => {
  const guarded = new GuardedSwitches();
  const switches = madeSwitches({ fails: 2 });
  expect(guarded.whileOff(switches, () => 'kept')).toBe('kept');
  expect(() => guarded.assertOn()).toThrow(UNAVAILABLE);
  guarded.assertOn();
  expect(switches.done).toEqual(['off', 'on']);
  guarded.assertOn();
  expect(switches.done).toEqual(['off', 'on']);
});

test('switches that were held and cannot be restored keep the connection from running anything', () => {
  const guarded = new GuardedSwitches();
  const switches = madeSwitches({ fails: Infinity });
  guarded.holdOff(switches, () => undefined);
  guarded.release();
  expect(guarded.isHeld).toBe(false);
  expect(() => guarded.assertOn()).toThrow(UNAVAILABLE);
  expect(() => guarded.whileOff(switches, () => undefined)).toThrow(UNAVAILABLE);
});

test('restoring runs statements of its own', () => {
  const guarded = new GuardedSwitches();
  const restore = (): void => guarded.assertOn();
  guarded.whileOff({ set: () => undefined, restore }, () => undefined);
  guarded.assertOn();
});

import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { Lifetime } from './lifetime.ts';

it('takes off what was attached, in its order and once', () => {
  const process = new EventEmitter();
  const lifetime = new Lifetime();
  const happened: string[] = [];
  lifetime.on(process, 'focus', (which: string) => happened.push(`focus ${which}`));
  lifetime.add(() => happened.push('first'));
  lifetime.add(() => happened.push('second'));
  process.emit('focus', 'a');
  lifetime.end();
  process.emit('focus', 'b');
  lifetime.end();
  expect(happened).toEqual(['focus a', 'first', 'second']);
  expect(process.listenerCount('focus')).toBe(0);
});

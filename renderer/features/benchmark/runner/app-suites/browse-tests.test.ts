import { expect, it } from 'vitest';
import { BROWSE_TESTS, bytesOf, statementsOf } from './app-tests.ts';

const MEMORY = { counts: 'private', window: 1, wasm: 2, native: 3, others: 4 } as const;

it('an engine is the process that has it, and the rest of the app is the same for all', () => {
  expect(bytesOf('memory-engine', 'opfs-full', MEMORY)).toBe(2);
  expect(bytesOf('memory-engine', 'native-full', MEMORY)).toBe(3);
  expect(bytesOf('memory-window', 'native-full', MEMORY)).toBe(1);
  expect(bytesOf('memory-others', 'opfs-full', MEMORY)).toBe(4);
});

it('what nobody tells is said, and is no zero', () => {
  expect(() => bytesOf('memory-engine', 'opfs-full', null)).toThrow(/is not available here/);
  expect(() => bytesOf('memory-engine', 'native-full', { ...MEMORY, native: null })).toThrow(/does not run/);
});

it('the cell says how memory is counted, and only the engine is compared', () => {
  const timed = (counts: 'private' | 'resident'): string | undefined =>
    statementsOf('memory-engine', 1_000, 1, counts).find(({ part }) => part === 'timed')?.sql;
  expect(timed('private')).toMatch(/without this process/);
  expect(timed('resident')).toMatch(/shared with other processes/);
  const memory = BROWSE_TESTS.map(({ facts }) => facts).filter(({ unit }) => unit === 'bytes');
  expect(memory.map(({ id, scope }) => [id, scope])).toEqual([
    ['memory-engine', undefined],
    ['memory-window', 'app'],
    ['memory-others', 'app'],
  ]);
});

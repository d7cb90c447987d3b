import { beforeEach, expect, it, vi } from 'vitest';
import type { CommandId } from '#shared/commands.ts';
import type * as Store from '../../state/store.ts';
import type * as EarlyCommands from './early-commands.ts';

let early: typeof EarlyCommands;
let store: typeof Store;
const ran: CommandId[] = [];
let able: readonly CommandId[] = [];
const run = (id: CommandId): boolean => able.includes(id) && ran.push(id) > 0;

beforeEach(async () => {
  vi.resetModules();
  vi.useFakeTimers();
  early = await import('./early-commands.ts');
  store = await import('../../state/store.ts');
  ran.length = 0;
  early.forgetWaitingAfterStart();
});

const restored = (): void => store.useStore.setState({ isRestoring: false });

it('runs what was chosen while the window starts once each, in its order, as soon as it can', () => {
  expect([early.waitForStart('file.open'), early.waitForStart('library.show')]).toEqual([true, true]);
  expect(early.waitForStart('file.open')).toBe(true);
  able = ['library.show'];
  early.runWaiting(run);
  expect(ran).toEqual([]);
  able = ['file.open', 'library.show'];
  early.runWaiting(run);
  early.runWaiting(run);
  expect(ran).toEqual(['file.open', 'library.show']);
});

it('keeps nothing that could change what the person has not seen, and nothing once the window has started', () => {
  expect([early.waitForStart('history.undo'), early.waitForStart('tab.close')]).toEqual([false, false]);
  early.waitForStart('query.new');
  restored();
  expect(early.waitForStart('file.open')).toBe(false);
  vi.runAllTimers();
  able = ['query.new'];
  early.runWaiting(run);
  expect(ran).toEqual([]);
});

it('runs what the restored window can do, although it was not there before', () => {
  early.waitForStart('query.new');
  restored();
  able = ['query.new'];
  early.runWaiting(run);
  vi.runAllTimers();
  expect(ran).toEqual(['query.new']);
});

import { expect, test, vi } from 'vitest';
import { loadTabKinds, registerTabKinds } from './tab-kinds.ts';
import type { TabKind } from './tab-kinds.ts';

test('code is loaded ahead for the kinds that ask for it, and one that cannot be loaded harms nothing', async () => {
  const load = vi.fn(() => Promise.resolve());
  const cannot = vi.fn(() => Promise.reject(new Error('no such file')));
  const kinds = [{ kind: 'a', load: cannot }, { kind: 'b' }, { kind: 'c', load }];
  registerTabKinds(kinds as unknown as readonly TabKind[]);
  loadTabKinds();
  // An unhandled rejection would end this run with an error.
  await new Promise((resolve) => setTimeout(resolve));
  expect([cannot.mock.calls.length, load.mock.calls.length]).toEqual([1, 1]);
});

import { expect, test, vi } from 'vitest';
import { at, gridWith, itemSource } from './paste-fixture.test-suite.ts';

vi.mock('../../connection/database-client.ts', () => ({
  client: { on: () => () => undefined, onReconnected: () => undefined },
}));
vi.mock('../../connection/shell.ts', () => ({ shell: {} }));

const { fillSelected } = await import('./row-actions.ts');

test('one value does not go into more rows than the window can hold', async () => {
  const source = Object.assign(itemSource, { unsaved: { added: [] }, read: vi.fn() });
  const grid = { ...gridWith(at(0, 'name'), at(1_000_000, 'name')), storedRows: 1_000_001 };
  await expect(fillSelected(source, grid, 'x')).rejects.toThrow('1,000,001 rows are too many');
  expect(source.read).not.toHaveBeenCalled();
});

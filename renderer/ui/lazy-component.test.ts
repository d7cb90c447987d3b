import { expect, test, vi } from 'vitest';
import { lazyComponent } from './lazy-component.tsx';

test('code that could not be loaded is asked for again', async () => {
  const load = vi.fn<() => Promise<{ default: () => null }>>();
  load.mockRejectedValueOnce(new Error('no such file')).mockResolvedValue({ default: () => null });
  const Content = lazyComponent(load);
  await expect(Content.load()).rejects.toThrow('no such file');
  await Content.load();
  expect(load).toHaveBeenCalledTimes(2);
});

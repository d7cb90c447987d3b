import { expect, test, vi } from 'vitest';
import { newRestoredName } from '#shared/replicas.ts';

const isInRepository = vi.hoisted(() => vi.fn());
vi.mock('../../connection/shell.ts', () => ({ isDesktop: true, shell: { git: { isInRepository } } }));
vi.mock('../../connection/database-client.ts', () => ({ client: { call: vi.fn() } }));
const { startGitFiles, useGitFiles } = await import('./git-files.ts');
const { useStore } = await import('../../state/store.ts');

test('main is asked once for each plain file that is opened in place, and again when it is opened again', async () => {
  isInRepository.mockImplementation(async (locationId: string) => locationId !== 'outside');
  startGitFiles();
  const opened = (...ids: readonly string[]): void =>
    useStore.setState({ openDatabases: Object.fromEntries(ids.map((id) => [id, {} as never])) });
  opened('library', 'file:shop', 'file:outside', 'file:encrypted-shop', `file:${newRestoredName('0'.repeat(36))}`);
  await expect.poll(() => [...useGitFiles.getState().inRepository]).toEqual(['file:shop']);
  expect(isInRepository.mock.calls.flat()).toEqual(['shop', 'outside']);
  opened('file:shop');
  opened();
  isInRepository.mockResolvedValue(false);
  opened('file:shop');
  await expect.poll(() => useGitFiles.getState().inRepository.size).toBe(0);
  expect(isInRepository).toHaveBeenCalledTimes(3);
});

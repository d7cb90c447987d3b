import { expect, test, vi } from 'vitest';
import type { RecentFiles } from './recent-files.ts';

vi.mock(import('../compat.ts'), () => ({}) as never);
const { recentNames } = await import('./recent-files.ts');

const of = (...paths: readonly string[]): readonly string[] =>
  recentNames({ paths, idOf: (path: string) => `id of ${path}` } as RecentFiles).map(
    ({ id, name }) => `${id}: ${name}`,
  );

test('a page learns the names of recent files, and the folder only where two files have the same name', () => {
  expect(of('/home/ann/shop.db', '/home/ann/work/pets.db')).toEqual([
    'id of /home/ann/shop.db: shop.db',
    'id of /home/ann/work/pets.db: pets.db',
  ]);
  expect(of('/home/ann/shop.db', '/home/ann/old/shop.db').map((line) => line.split(': ')[1])).toEqual([
    'shop.db (ann)',
    'shop.db (old)',
  ]);
});

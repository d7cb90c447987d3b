// @vitest-environment node
import { beforeEach, expect, test, vi } from 'vitest';

const store = new Map<string, string>();
let isFull = false;

beforeEach(() => {
  store.clear();
  isFull = false;
  vi.resetModules();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (isFull) throw new Error('full');
      store.set(key, value);
    },
  });
});

const load = () => import('./saved-filters.ts');
const stored = (): string => store.get('sidelite.filters') ?? '';
const term = (value: bigint | string) => ({ column: 'a', operator: '=', value }) as const;

test('filters are kept by table with every kind of value, replaced by name, deleted, and follow a renamed table', async () => {
  const { saveFilter, deleteFilter, renameSavedFilters } = await load();
  expect(saveFilter('db', 't', { name: 'big', filter: [term(2n ** 60n)], where: '' })).toBe(true);
  saveFilter('db', 't', { name: 'any', filter: [{ any: [[term('x')], [term('y')]] }], where: 'a > 1' });
  saveFilter('db', 'u', { name: 'big', filter: [], where: '1' });
  saveFilter('db', 't', { name: 'big', filter: [term(2n ** 61n)], where: '' });
  expect(stored()).toContain(String(2n ** 61n));
  expect(stored()).not.toContain(String(2n ** 60n));
  renameSavedFilters('db', [{ from: 't', to: 'renamed' }]);
  expect(stored()).toContain('db renamed');
  expect(stored()).not.toContain('"db t"');
  deleteFilter('db', 'renamed', 'any');
  deleteFilter('db', 'u', 'big');
  expect(stored()).not.toMatch(/any|db u/);
});

test('what is stored by another hand costs only itself, and no room changes nothing', async () => {
  store.set(
    'sidelite.filters',
    '[["db t",[{"name":"good","filter":[{"column":"a","operator":"gone"}],"where":"x"},5]],7]',
  );
  const { saveFilter } = await load();
  saveFilter('db', 't', { name: 'second', filter: [], where: 'y' });
  expect(stored()).toMatch(/good.*second/);
  expect(stored()).not.toContain('gone');
  isFull = true;
  const before = stored();
  expect(saveFilter('db', 't', { name: 'third', filter: [], where: 'z' })).toBe(false);
  expect(stored()).toBe(before);
});

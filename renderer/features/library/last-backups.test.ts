import { afterEach, expect, test, vi } from 'vitest';
import { backupFileName, backupText, keepLastBackup, lastBackup } from './last-backups.ts';

const storage = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => storage.get(key) ?? null,
  setItem: (key: string, value: string) => void storage.set(key, value),
});
afterEach(() => storage.clear());

const NOW = new Date(2026, 10, 29, 10, 28).getTime();

test('the last backup is remembered for each database, the newest of them', () => {
  expect(lastBackup('a')).toBeNull();
  for (let count = 0; count < 210; count++)
    keepLastBackup(`d${count}`, { atMs: NOW + count, sizeBytes: count, fileName: `d${count}.sqlite` });
  expect(lastBackup('d9')).toBeNull();
  expect(lastBackup('d10')).toEqual({ atMs: NOW + 10, sizeBytes: 10, fileName: 'd10.sqlite' });
  keepLastBackup('d10', { atMs: NOW + 500, sizeBytes: 7, fileName: 'x' });
  expect(lastBackup('d10')).toMatchObject({ sizeBytes: 7 });
});

test.each(['', '[]', 'no JSON', '{"a":{"atMs":-1}}', '{"a":{"atMs":1e300,"sizeBytes":1,"fileName":"x"}}', '{"a":7}'])(
  'what another hand has stored (%s) is no backup',
  (text) => {
    storage.set('sidelite.backups', text);
    expect(lastBackup('a')).toBeNull();
  },
);

test('it is said in words', () => {
  expect(backupText(null)).toBe('Last backup: none yet.');
  const text = backupText({ atMs: NOW, sizeBytes: 4096, fileName: 'shop.sqlite' }, NOW + 3_600_000);
  expect(text).toMatch(/^Last backup: Nov 29, 2026, 10:28:00.* \(1 hour ago\), 4\S* \w+, as “shop\.sqlite”\.$/);
});

test('a file is named after its database, day, and time', () => {
  const at = new Date(2026, 0, 9, 7, 5);
  expect(backupFileName('Shop', at)).toBe('Shop 2026-01-09 07-05.sqlite');
  expect(backupFileName('shop.DB', at)).toBe('shop 2026-01-09 07-05.DB');
  expect(backupFileName('a.sqlite3', at)).toBe('a 2026-01-09 07-05.sqlite3');
  expect(backupFileName('v1.2', at)).toBe('v1.2 2026-01-09 07-05.sqlite');
});

// What the question shows of a file whose name is to mislead.
import { expect, test, vi } from 'vitest';
import type { AppWindow } from './registry.ts';

interface Asked {
  readonly message: string;
  readonly detail: string;
}
const asked = vi.hoisted(() => [] as Asked[]);
vi.mock('electron', () => ({
  app: { getPath: () => '/home/none' },
  dialog: {
    showMessageBox: async (_window: unknown, options: Asked) => {
      asked.push(options);
      return { response: 1 };
    },
  },
}));
const { approvesExtension } = await import('./extension-question.ts');

test('a name or a folder adds no lines, hides nothing, and does not turn what follows around', async () => {
  const sha256 = 'a'.repeat(64);
  const path = `/tmp/from sqlite.org\n\nSHA-256: ${'b'.repeat(64)}/vec0\u202eos.exe\n${'x'.repeat(500)}`;
  const approval = { path, sha256, hasChanged: true };
  expect(await approvesExtension({} as AppWindow, approval, 'a\u202eb\n.db')).toBe(false);
  const [{ message, detail }] = asked as [Asked];
  expect(message).toContain('into “a[U+202E]b⏎.db”?');
  expect(message).not.toMatch(/[\n\u202e]/);
  expect(message.length).toBeLessThan(300);
  expect(detail).not.toContain('\u202e');
  expect(detail.split('\n').filter((line) => line.startsWith('SHA-256'))).toEqual([`SHA-256: ${sha256}`]);
  // What is long comes last.
  expect(detail.split('\n').at(-1)).toMatch(/^\/tmp\/from sqlite\.org⏎.*x$/);
});

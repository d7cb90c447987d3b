import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { timedLoading } from './addon-time.ts';

const require = createRequire(import.meta.url);

it('the time of a native module is told, and nothing stays behind', async () => {
  const { dlopen } = process;
  const folder = dirname(require.resolve('better-sqlite3/package.json'));
  const addon = readdirSync(folder, { recursive: true })
    .map(String)
    .find((name) => name.endsWith('.node') && name.includes(process.platform) && name.includes(process.arch))!;
  const { loaded, codeMs } = await timedLoading(async () => {
    const module = { exports: {} as object };
    process.dlopen(module, join(folder, addon));
    return module.exports;
  });
  expect(Object.keys(loaded).length).toBeGreaterThan(0);
  expect(codeMs).toBeGreaterThan(0);
  expect(process.dlopen).toBe(dlopen);
});

it('nothing is told where nothing native was loaded, and a failure is passed on', async () => {
  const { dlopen } = process;
  expect(await timedLoading(async () => 1)).toEqual({ loaded: 1 });
  await expect(timedLoading(async () => process.dlopen({ exports: {} }, '/none.node'))).rejects.toThrow();
  expect(process.dlopen).toBe(dlopen);
});

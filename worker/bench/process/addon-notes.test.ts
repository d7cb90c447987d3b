import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { addonCode, addonsMs } from './addon-notes.ts';

const require = createRequire(import.meta.url);
const folder = dirname(require.resolve('better-sqlite3/package.json'));
const addon = join(
  folder,
  readdirSync(folder, { recursive: true })
    .map(String)
    .find((name) => name.endsWith('.node') && name.includes(process.platform) && name.includes(process.arch))!,
);

it('a native module is noted with its time and its size, and one that fails is not', () => {
  expect(addonsMs()).toBeUndefined();
  expect(addonCode()).toBeNull();
  expect(() => process.dlopen({ exports: {} }, '/none.node')).toThrow('none.node');
  expect(addonCode()).toBeNull();
  const module = { exports: {} as object };
  process.dlopen(module, addon);
  expect(Object.keys(module.exports).length).toBeGreaterThan(0);
  expect(addonsMs()).toBeGreaterThan(0);
  const bytes = readFileSync(addon);
  const { files, ...numbers } = addonCode()!;
  expect(files).toEqual([basename(addon)]);
  expect(numbers).toEqual({
    bytes: bytes.length,
    gzipBytes: gzipSync(bytes).length,
    compileMs: null,
    instantiateMs: addonsMs(),
  });
});

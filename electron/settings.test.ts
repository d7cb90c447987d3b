import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSettings } from './settings.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sidelite-settings-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const opened = (text: string) => {
  const path = join(folder, 'settings.json');
  writeFileSync(path, text);
  return openSettings(path);
};

test('what was set is there after the next start', () => {
  const path = join(folder, 'settings.json');
  openSettings(path).set('theme', 'dark');
  openSettings(path).set('openFiles', 'in-place');
  expect([openSettings(path).get('theme'), openSettings(path).get('openFiles')]).toEqual(['dark', 'in-place']);
});

test.each(['', '[]', '7', 'null', '{"theme":"red","openFiles":1,"lastFolder":{}}', '{"theme":["dark"]}'])(
  '%s counts as nothing chosen',
  (text) => {
    const settings = opened(text);
    expect((['theme', 'lastFolder', 'openFiles'] as const).map((key) => settings.get(key))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  },
);

test('one bad value costs only itself', () => {
  const settings = opened('{"theme":"red","lastFolder":"/home"}');
  expect([settings.get('theme'), settings.get('lastFolder')]).toEqual([undefined, '/home']);
});

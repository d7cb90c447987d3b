import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Settings } from './settings.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-settings-'));
  path = join(folder, 'settings.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

const opened = (text: string): Settings => {
  writeFileSync(path, text);
  return new Settings(path);
};
const file = (): unknown => JSON.parse(readFileSync(path, 'utf8'));

test('what was chosen is there after the next start, and goes back to the default', () => {
  new Settings(path).change({ theme: 'dark', 'history.totalMegabytes': 20 });
  const settings = new Settings(path);
  expect([settings.get('theme'), settings.get('history.totalMegabytes')]).toEqual(['dark', 20]);
  settings.change({ theme: null });
  expect(settings.get('theme')).toBe('system');
  expect(file()).toEqual({ 'history.totalMegabytes': 20 });
});

test('a page cannot choose what is no setting, or no value of one', () => {
  const settings = opened('{"theme":"dark"}');
  const bad: readonly Record<string, unknown>[] = [
    { theme: 'red' },
    { nothing: 1 },
    { constructor: 1 },
    { 'data.font': "Arial'; --x: url(//evil)" },
    { keys: { 'file.open': ['Ctrl+'] } },
    { theme: 'light', 'history.stepMegabytes': 1e9 },
  ];
  for (const change of bad) expect(() => settings.change(change)).toThrow();
  expect(file()).toEqual({ theme: 'dark' });
});

test('a bad value costs only itself, and stays in the file with all that is not known', () => {
  const settings = opened('{"theme":"red","openFiles":"copy","later":{"a":1}}');
  expect([settings.get('theme'), settings.get('openFiles')]).toEqual(['system', 'copy']);
  settings.change({ 'grid.null': '∅' });
  expect(file()).toEqual({ theme: 'red', openFiles: 'copy', 'grid.null': '∅', later: { a: 1 } });
  settings.change({ theme: 'light' });
  expect(file()).toMatchObject({ theme: 'light', later: { a: 1 } });
});

const TOO_LONG = `{"theme":"dark"${' '.repeat(1_000_000)}}`;

test.each([
  ['a list', '[]'],
  ['a number', '7'],
  ['null', 'null'],
  ['half an object', '{"theme":'],
  ['too long', TOO_LONG],
  ['too deep', `{"theme":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ['too deep in what is not known', `{"later":${'['.repeat(1000)}${']'.repeat(1000)}}`],
])('%s: the defaults, a reason, and what was there is kept', (_what, text) => {
  const settings = opened(text);
  expect(settings.get('theme')).toBe('system');
  expect(settings.state.problem).toContain('is not a JSON object');
  expect(readFileSync(path, 'utf8')).toBe(text);
  settings.change({ theme: 'dark' });
  expect(settings.state.problem).toBeNull();
  expect(readFileSync(join(folder, 'settings.broken.json'), 'utf8')).toBe(text);
});

test('an edit by hand is noticed, its own writes are not', async () => {
  const settings = opened('{}');
  let told = 0;
  settings.onChange(() => told++);
  const stop = settings.follow();
  settings.change({ theme: 'dark' });
  expect(told).toBe(1);
  settings.readAgain();
  expect(told).toBe(1);
  writeFileSync(path, '{"theme":"light"}');
  await expect.poll(() => settings.get('theme')).toBe('light');
  expect(told).toBe(2);
  stop();
});

test('a change made before an edit by hand was noticed keeps that edit', () => {
  const settings = opened('{"theme":"dark"}');
  writeFileSync(path, '{"theme":"light","grid.null":"–"}');
  settings.change({ openFiles: 'copy' });
  expect(file()).toEqual({ theme: 'light', 'grid.null': '–', openFiles: 'copy' });
  writeFileSync(path, '{"theme":"dark",');
  settings.change({ 'grid.null': null });
  expect(readFileSync(join(folder, 'settings.broken.json'), 'utf8')).toBe('{"theme":"dark",');
});

test('a file that cannot be read for a moment does not put everything back to the default', () => {
  const settings = opened('{"theme":"dark"}');
  rmSync(path);
  mkdirSync(path);
  settings.readAgain();
  expect(settings.get('theme')).toBe('dark');
});

test('the settings of another machine replace all of them; a text that is none replaces nothing', () => {
  const settings = opened('{"theme":"dark","grid.null":"–"}');
  expect(settings.replace('no settings')).toBeNull();
  expect(settings.get('theme')).toBe('dark');
  expect(settings.replace('{"openFiles":"copy","theme":7}')?.chosen).toEqual({ openFiles: 'copy', theme: 7 });
  expect([settings.get('theme'), settings.get('grid.null'), settings.get('openFiles')]).toEqual([
    'system',
    'NULL',
    'copy',
  ]);
});

test('settings that could not be read again replace nothing', () => {
  const settings = opened('{"theme":"dark"}');
  // With a line for each item, this is larger than the file may be.
  expect(settings.replace(`{"later":[${'1,'.repeat(300_000)}1]}`)).toBeNull();
  expect(settings.replace(`{"later":${'['.repeat(1000)}${']'.repeat(1000)}}`)).toBeNull();
  expect([settings.get('theme'), file()]).toEqual(['dark', { theme: 'dark' }]);
  settings.readAgain();
  expect(settings.state.problem).toBeNull();
});

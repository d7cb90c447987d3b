import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '../seed-count.test-suite.ts';
import { SECTIONS, SETTINGS } from './definitions.ts';
import { changeBack, changedSettings, parseSettings, readSettings, settingsText } from './read-settings.ts';

const anyKey = fc.oneof(fc.constantFrom(...Object.keys(SETTINGS), 'keys'), fc.string());

test('every setting is on the page once, and its default is a value of it', () => {
  const keys = SECTIONS.flatMap((section) => section.keys);
  expect([...keys].sort()).toEqual(Object.keys(SETTINGS).sort());
  const initial = Object.fromEntries(Object.entries(SETTINGS).map(([key, { initial: value }]) => [key, value]));
  expect(readSettings(initial).problems).toEqual([]);
  expect(readSettings({}).values).toMatchObject(initial);
});

test('each bad value is named with what is used instead', () => {
  const { values, problems } = readSettings({
    theme: 'red',
    'grid.fontSize': 12.3,
    'history.stepMegabytes': 501,
    'data.font': 'a;b',
    'grid.null': 'x'.repeat(300),
    openFiles: 'copy',
    keys: { 'file.open': ['Ctrl+Ö+'], 'tab.close': [], 'no.such': ['ctrl+shift+x'] },
  });
  expect(values).toMatchObject({ theme: 'system', 'grid.fontSize': 12.5, 'grid.null': 'NULL', openFiles: 'copy' });
  expect(values.keys).toEqual({ 'tab.close': [], 'no.such': ['Ctrl+Shift+X'] });
  expect(problems.map(({ key }) => key)).toEqual([
    'theme',
    'data.font',
    'grid.fontSize',
    'grid.null',
    'history.stepMegabytes',
    'keys.file.open',
  ]);
  expect(problems[0]?.message).toBe(
    '“theme” is "red", but it must be one of "system", "light", "dark". The default, "system", is used.',
  );
  expect(problems[4]?.message).toBe(
    '“history.stepMegabytes” is 501, but it must be a whole number from 1 to 500. The default, 64, is used.',
  );
});

test('a key that types or quits is refused in the file too', () => {
  const { values, problems } = readSettings({
    keys: { 'file.open': ['A'], 'tab.close': ['Ctrl+Q'], 'file.import': ['F7'] },
  });
  expect(values.keys).toEqual({ 'file.import': ['F7'] });
  expect(problems[0]?.message).toBe(
    'The keys of “file.open” are ["A"], but one of them cannot be used. Without Ctrl or Alt, only function keys and Insert can run a command. Its default keys are used.',
  );
});

test('a byte order mark is no part of the settings', () => {
  expect(parseSettings('\uFEFF{"theme":"dark"}')).toEqual({ theme: 'dark' });
});

test('whatever is in the file: complete values, and nothing of it is lost by a change', () => {
  fc.assert(
    fc.property(fc.dictionary(anyKey, fc.jsonValue()), (chosen) => {
      const read = readSettings(chosen);
      expect(readSettings(read.values as never).problems).toEqual([]);
      const next = changedSettings(chosen, { theme: 'light' });
      expect(next).toEqual({ ...chosen, theme: 'light' });
      // JSON has one zero.
      expect(parseSettings(settingsText(chosen))).toEqual(JSON.parse(JSON.stringify(chosen)));
    }),
    { seed: 716, numRuns: seedCount(100) },
  );
});

test('a change can be made and taken back', () => {
  fc.assert(
    fc.property(fc.constantFrom('light', 'dark'), fc.integer({ min: 10, max: 1000 }), (theme, runs) => {
      const before = { theme: 'system', later: 1 };
      const after = changedSettings(before, { theme, 'queryHistory.runs': runs });
      expect(changedSettings(after as never, changeBack(before, after as never))).toEqual(before);
    }),
    { seed: 717, numRuns: seedCount(100) },
  );
  expect(changedSettings({}, { theme: 'red' })).toContain('“theme” cannot be "red"');
  expect(changedSettings({}, { toString: 'x' })).toBe('There is no setting “toString”.');
});

test('the keys of one command are changed without those of others', () => {
  const odd = { 'later.command': 'what a later version means' };
  const first = changedSettings({ keys: odd }, { 'keys.file.open': ['Ctrl+Shift+9'] });
  const second = changedSettings(first as never, { 'keys.tab.close': ['Ctrl+Shift+8'] });
  expect(second).toEqual({ keys: { ...odd, 'file.open': ['Ctrl+Shift+9'], 'tab.close': ['Ctrl+Shift+8'] } });
  const third = changedSettings(second as never, { 'keys.file.open': null });
  expect(third).toEqual({ keys: { ...odd, 'tab.close': ['Ctrl+Shift+8'] } });
  expect(changedSettings({ keys: { 'tab.close': [] } }, { 'keys.tab.close': null })).toEqual({});
  expect(changedSettings({ keys: [] }, { 'keys.tab.close': ['F7'] })).toEqual({ keys: { 'tab.close': ['F7'] } });
  expect(changedSettings({}, { 'keys.tab.close': ['Ctrl+Q'] })).toContain('“tab.close”');
});

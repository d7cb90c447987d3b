import { expect, test } from 'vitest';
import { ImportFiles } from './catalogue.ts';

function store() {
  const state = new Map<string, string>();
  return {
    state,
    getState: (key: string) => state.get(key) ?? null,
    putState: (key: string, value: string | null) => void (value === null ? state.delete(key) : state.set(key, value)),
  };
}

test('a file is kept for the window that imports it, until that lets it go', () => {
  const kept = store();
  const files = new ImportFiles(kept);
  files.keep('one', 'a');
  files.keep('one', 'a');
  files.keep('two', 'b');
  expect(new ImportFiles(kept).locationIds).toEqual(['a', 'b']);
  expect([files.has('one', 'a'), files.has('two', 'a'), files.has('two', 'b')]).toEqual([true, false, true]);
  files.forget('two', 'a');
  files.forget('one', 'a');
  expect(files.locationIds).toEqual(['b']);
  files.forget('two', 'b');
  expect(kept.state.size).toBe(0);
});

test('files that an earlier version kept, under another name, are found again', () => {
  const kept = store();
  kept.putState('import-files', '[{"windowId":"one","sourceId":"a"},{"windowId":"one"}]');
  const files = new ImportFiles(kept);
  expect(files.has('one', 'a')).toBe(true);
  files.keep('one', 'b');
  expect(files.locationIds).toEqual(['a', 'b']);
});

test('what cannot be read is forgotten, and old files make room', () => {
  const kept = store();
  kept.putState('import-files', '{"not": "a list"');
  const files = new ImportFiles(kept);
  expect(files.locationIds).toEqual([]);
  for (let at = 0; at < 250; at++) files.keep('one', String(at));
  expect(files.locationIds).toHaveLength(200);
  expect(files.has('one', '249')).toBe(true);
  expect(files.has('one', '0')).toBe(false);
});

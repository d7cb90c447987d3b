import { beforeEach, expect, test, vi } from 'vitest';
import { forgetUnsaved, keepUnsaved, readUnsaved } from './unsaved-state.ts';

const items = new Map<string, string>();
let room = Infinity;

beforeEach(() => {
  items.clear();
  room = Infinity;
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => items.get(name) ?? null,
    removeItem: (name: string) => items.delete(name),
    setItem(name: string, value: string) {
      if (value.length > room) throw new DOMException('full', 'QuotaExceededError');
      items.set(name, value);
    },
  });
});

test('what is kept is read by the same window until it is forgotten', () => {
  const values = new Map([
    ['window:1', '{}'],
    ['window:1:sql:a', 'SELECT 1'],
    ['window:1:sql:b', null],
  ]);
  keepUnsaved('window:1', values);
  expect(readUnsaved('window:1')).toEqual(values);
  expect(readUnsaved('window:2')).toEqual(new Map());
  forgetUnsaved('window:1');
  expect(readUnsaved('window:1')).toEqual(new Map());
});

test('without room for the texts, the state of the window is kept', () => {
  room = 100;
  keepUnsaved('window:1', new Map([['window:1', '{}'], ['window:1:sql:a', 'x'.repeat(200)]])); // prettier-ignore
  expect(readUnsaved('window:1')).toEqual(new Map([['window:1', '{}']]));
  room = 0;
  forgetUnsaved('window:1');
  keepUnsaved('window:1', new Map([['window:1', '{}']]));
  expect(readUnsaved('window:1')).toEqual(new Map());
});

test('nothing is kept of nothing, and what others have written there is ignored', () => {
  keepUnsaved('window:1', new Map());
  expect(items.size).toBe(0);
  for (const text of ['no JSON', '{}', '[["window:1", 5]]', '[["window:10", "x"]]']) {
    items.set('sidelite:unsaved:window:1', text);
    expect(readUnsaved('window:1')).toEqual(new Map());
  }
});

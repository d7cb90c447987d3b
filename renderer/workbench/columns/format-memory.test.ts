import { beforeEach, expect, test, vi } from 'vitest';
import { choiceAt, keepChoice, resultPlaces, tablePlace, useFormatChoices } from './format-memory.ts';

const date = { format: 'unix-s', zone: 'Europe/Berlin' };
const hex = { format: 'hex', zone: 'utc' };
let stored: string | null;

beforeEach(() => {
  stored = null;
  vi.stubGlobal('localStorage', { getItem: () => stored, setItem: (_key: string, text: string) => (stored = text) });
  useFormatChoices.setState({ kept: new Map() });
});

const now = (place: Parameters<typeof keepChoice>[0]) => choiceAt(useFormatChoices.getState().kept, place);

test('formats are remembered by table and column, or by the columns of a result', () => {
  const at = tablePlace('d', 't', 'made at');
  keepChoice(at, date);
  keepChoice(tablePlace('d', 't', '__proto__'), hex);
  keepChoice(resultPlaces('d', ['a', 'a'])[1]!, hex);
  expect(now(at)).toEqual(date);
  expect(now(tablePlace('d', 't', '__proto__'))).toEqual(hex);
  expect(now(resultPlaces('d', ['a', 'a'])[1]!)).toEqual(hex);
  expect(now(resultPlaces('d', ['a', 'b'])[1]!)).toBeUndefined();
  expect(now(tablePlace('d', 'other', 'made at'))).toBeUndefined();
  expect(now(tablePlace('d', 't', 'constructor'))).toBeUndefined();
});

test('a column that is shown as stored again is forgotten', () => {
  keepChoice(tablePlace('d', 't', 'a'), date);
  expect(JSON.parse(stored!)).toEqual([['table d t', { a: date }]]);
  keepChoice(tablePlace('d', 't', 'a'), null);
  expect(stored).toBe('[]');
});

test.each([
  '{',
  '{}',
  '[["table d t", 7]]',
  '[["table d t", {"a": {"format": 1}, "b": {"format": "hex", "zone": "utc"}}]]',
])('what is not a format does no harm: %s', async (text) => {
  stored = text;
  vi.resetModules();
  const again = await import('./format-memory.ts');
  const { kept } = again.useFormatChoices.getState();
  expect(again.choiceAt(kept, tablePlace('d', 't', 'a'))).toBeUndefined();
  expect(again.choiceAt(kept, tablePlace('d', 't', 'b'))).toEqual(text.includes('"hex"') ? hex : undefined);
});

test('without room, formats last until the window closes', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => {
      throw new Error('full');
    },
  });
  keepChoice(tablePlace('d', 't', 'a'), date);
  expect(now(tablePlace('d', 't', 'a'))).toEqual(date);
});

test('the places of a result as wide as SQLite allows are found at once', () => {
  const names = Array.from({ length: 2000 }, (_, at) => `a column with a long name ${at}`);
  const write = vi.spyOn(JSON, 'stringify');
  const places = resultPlaces('d', names);
  expect(write).toHaveBeenCalledTimes(1);
  write.mockRestore();
  expect(new Set(places.map(({ column }) => column)).size).toBe(2000);
});

import { expect, test, vi } from 'vitest';

vi.mock('../../connection/shell.ts', () => ({ shell: {} }));
const { quoteName } = await import('./object-actions.ts');

test.each([
  ['Track', 'Track'],
  ['order', '"order"'],
  ['two words', '"two words"'],
  ['say "hi"', '"say ""hi"""'],
  ['', '""'],
  ['größe', '"größe"'],
  ['1st', '"1st"'],
])('%s is written %s', (name, sql) => expect(quoteName(name)).toBe(sql));

import { expect, test } from 'vitest';
import { quoteName } from './quote-name.ts';

test.each([
  ['Track', 'Track'],
  ['order', '"order"'],
  ['two words', '"two words"'],
  ['say "hi"', '"say ""hi"""'],
  ['', '""'],
  ['größe', '"größe"'],
  ['1st', '"1st"'],
])('%s is written %s', (name, sql) => expect(quoteName(name)).toBe(sql));

import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { byteText } from './byte-text.ts';
import { plainTexts } from './mysql-values.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '\0': '\\0', '\n': '\\n', '\r': '\\r', '\x1a': '\\Z', '"': '\\"', "'": "\\'", '\\': '\\\\',
}; // prettier-ignore
const inBytes = (text: string): string => byteText(new TextEncoder().encode(text));
const text = fc.string({
  unit: fc.constantFrom(
    'a',
    "'",
    "''",
    '"',
    '\\',
    '\n',
    '\r',
    '\0',
    '\x1a',
    '`',
    '#',
    '--',
    '/*',
    'é',
    '😀',
    '%',
    ',',
    ')',
  ),
});

test('texts with any escapes are what they were', () => {
  const database = new DatabaseSync(':memory:');
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (texts) => {
      const escaped = texts.map((each) => `'${[...each].map((one) => ESCAPES[one] ?? one).join('')}'`);
      const { sql, around } = plainTexts(inBytes(`INTO \`t\` VALUES (1,${escaped.join(',')})`), 'utf-8')!;
      expect(around).toBe(`INTO \`t\` VALUES (1,${texts.map(() => "''").join(',')})`);
      const read = database.prepare(sql.replace('INTO `t` ', '').replace('(1,', "(X'',"));
      read.setReturnArrays(true);
      expect((read.get() as unknown as unknown[]).slice(1)).toEqual(texts);
    }),
    { seed: 41, numRuns: seedCount(200) },
  );
  database.close();
});

test.each([
  ["VALUES ('a', \"b\\'\")"],
  ["INTO `it's` VALUES ('a\\n')"],
  ["VALUES ('a\\n') # it's"],
  ["VALUES ('a\\n') -- it's"],
  ["VALUES (/* it's */ 'a\\n')"],
  ["VALUES ('a\\n', 'b"],
  ["VALUES ('a\\n', 'b\\'"],
  ["VALUES ('\xe9')"],
])('nothing is said of %s', (sql) => {
  expect(plainTexts(sql, 'utf-8')).toBeNull();
});

// Replies that would take much more memory than they have bytes, and those that only look like it.
import { expect, it } from 'vitest';
import { thrownBy } from '../../thrown-by.test-suite.ts';
import { readCursorEntry, readPipelineReply } from '../hrana/messages.ts';
import { parseReply } from './reply-json.ts';

const MOST_BYTES = 300e6;
const list = (item: string, count: number): string => `[${Array.from({ length: count }, () => item).join()}]`;
const batch = (cols: string, rows: string): string =>
  `{"results":[{"type":"ok","response":{"type":"batch","result":{"step_results":[{"cols":${cols},"rows":${rows}}],"step_errors":[null]}}}]}`;

const BOMBS: readonly (readonly [string, (text: string) => unknown, string, string])[] = [
  ['results', readPipelineReply, `{"results":${list('{}', 3_000_000)}}`, 'too-big'],
  ['wrong results', readPipelineReply, `{"results":${list('7', 3_000_000)}}`, 'unavailable'],
  ['columns', readPipelineReply, batch(list('{}', 3_000_000), '[]'), 'too-big'],
  ['wrong columns', readPipelineReply, batch(list('7', 3_000_000), '[]'), 'unavailable'],
  ['rows', readPipelineReply, batch('[]', list('[]', 3_000_000)), 'too-big'],
  ['cells in a row', readCursorEntry, `{"type":"row","row":${list('{"a":{}}', 2_000_000)}}`, 'too-big'],
];

it.each(BOMBS)('millions of %s are refused in little memory', (_name, read, text, code) => {
  const before = process.memoryUsage.rss();
  expect(thrownBy(() => read(text)).code).toBe(code);
  expect(process.memoryUsage.rss() - before).toBeLessThan(MOST_BYTES);
});

it('a result of D1 with millions of short cells is read', () => {
  const row = list('1', 100);
  expect(parseReply(`{"rows":${list(row, 60_000)}}`)).toMatchObject({ rows: { length: 60_000 } });
});

it('millions of different short texts are refused, and not because cells of Hrana have texts in them', () => {
  const texts = Array.from({ length: 4_500_000 }, (_, at) => `"${at}"`);
  expect(thrownBy(() => parseReply(`{"rows":[[${texts.join()}]]}`)).code).toBe('too-big');
  const cells = list('{"type":"text","value":"abc"}', 1_900_000);
  expect(parseReply(cells)).toHaveLength(1_900_000);
});

it('what is inside of a string is no part of a reply', () => {
  const value = '[{,'.repeat(2_000_000);
  for (const text of [value, `${value}\\`, `"${value}"`])
    expect(parseReply(JSON.stringify([text, 1]))).toEqual([text, 1]);
  expect(thrownBy(() => parseReply(`["${value}`)).code).toBe('unavailable');
});

import { expect, test } from 'vitest';
import { Repeated } from '../statements/authorizer.ts';

function valueOf(repeated: Repeated<{ readonly words: string }>, words: readonly string[]): { readonly words: string } {
  repeated.begin();
  for (const word of words) repeated.add(word);
  return repeated.end();
}

const joined = (words: readonly string[]): { readonly words: string } => ({ words: words.join(' ') });

test('the same words give the same value, others a new one', () => {
  const repeated = new Repeated(joined);
  const first = valueOf(repeated, ['a', 'b']);
  expect(first.words).toBe('a b');
  expect(valueOf(repeated, ['a', 'b'])).toBe(first);
  for (const words of [['a'], ['a', 'b', 'c'], ['a', 'c'], ['b'], [], ['a', 'b'], ['b', 'a']]) {
    expect(valueOf(repeated, words).words).toBe(words.join(' '));
  }
  expect(first.words).toBe('a b');
});

test('words that were told and not asked for are forgotten', () => {
  const repeated = new Repeated(joined);
  valueOf(repeated, ['a', 'b']);
  for (const words of [['a', 'c'], ['a', 'b', 'c'], ['x'], ['a']]) {
    repeated.begin();
    for (const word of words) repeated.add(word);
    expect(valueOf(repeated, ['a', 'b']).words).toBe('a b');
    expect(valueOf(repeated, words).words).toBe(words.join(' '));
    expect(valueOf(repeated, ['a', 'b']).words).toBe('a b');
  }
});

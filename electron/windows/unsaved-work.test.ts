import { expect, test, vi } from 'vitest';

vi.mock('electron', () => ({ app: {}, BrowserWindow: {}, dialog: {} }));
vi.mock('../crash.ts', () => ({ log: () => undefined }));
const { linesOf } = await import('./unsaved-work.ts');

test('of what a page names, a dozen lines at most are shown, and none of them is long', () => {
  expect(linesOf(['a', 'b'])).toEqual(['a', 'b']);
  const lines = linesOf(Array.from({ length: 5000 }, () => 'x'.repeat(10_000)));
  expect(lines).toHaveLength(11);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(250);
  expect(lines.at(-1)).toBe('… and 4990 more');
});

test('an answer that is no list of sentences counts as nothing', () => {
  for (const named of [null, undefined, 7, 'text', {}, [1], ['a', null]]) expect(linesOf(named)).toEqual([]);
});

test('names in it begin no line, and turn nothing around', () => {
  const [line] = linesOf(['What you typed in “a\n\nNothing is lost. \u202Egnihton” is not saved yet.']);
  expect(line).toBe('What you typed in “a⏎⏎Nothing is lost. [U+202E]gnihton” is not saved yet.');
});

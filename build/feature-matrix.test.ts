import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inRoot } from './paths.ts';

const RIVALS = ['DB4S', 'Letos', 'Beekeeper', 'DbGate', 'TablePlus', 'DataGrip'];

interface Row {
  readonly feature: string;
  readonly ours: string;
  readonly theirs: readonly string[];
  readonly tests: readonly string[];
}

const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** The table that begins with this heading, without it. */
function rowsBelow(readme: string, heading: string): readonly Row[] {
  const lines = readme.slice(readme.indexOf(heading)).split('\n');
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(2, end).map((line) => {
    const [feature = '', ours = '', ...rest] = cellsOf(line);
    const tests = [...(rest.at(-1) ?? '').matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path!);
    return { feature, ours, theirs: rest.slice(0, -1), tests };
  });
}

/** Problems of a row, in words. */
function problemsOf({ feature, ours, theirs, tests }: Row, isTest: (path: string) => boolean): string[] {
  const wrong = [
    ...(theirs.length === RIVALS.length && theirs.every((cell) => cell !== '') ? [] : ['not a word on each rival']),
    ...(feature.startsWith('**Missing:**') === (ours === 'n') ? [] : ['missing, or not?']),
    ...(ours === 'n' || tests.length > 0 ? [] : ['shown by nothing']),
    ...tests.filter((path) => !isTest(path)).map((path) => `${path} has no test`),
  ];
  return wrong.map((problem) => `${feature}: ${problem}`);
}

const readme = readFileSync(inRoot('README.md'), 'utf8');
const hasTests = (path: string): boolean => {
  try {
    return /\.(spec|test)\.ts$/.test(path) && /\b(test|it)(\.each|\()/.test(readFileSync(inRoot(path), 'utf8'));
  } catch {
    return false;
  }
};

it('whatever Sidelite has in the comparison with other tools is shown by tests that are there', () => {
  const heading = `| | Sidelite | ${RIVALS.join(' | ')} | shown by |`;
  expect(readme).toContain(heading);
  const rows = rowsBelow(readme, heading);
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.flatMap((row) => problemsOf(row, hasTests))).toEqual([]);
});

it.each([
  ['a tick without a test', '| Charts | y | y | n | n | y | p° | y | |', 'shown by nothing'],
  ['a test that is gone', '| Charts | y | y | n | n | y | p° | y | [a](e2e/gone.spec.ts) |', 'has no test'],
  ['a rival left out', '| Charts | y | y | n | n | y | p° | [a](e2e/a.spec.ts) |', 'not a word on each rival'],
  [
    'something missing that is there',
    '| **Missing:** charts | y | y | n | n | y | p | y | [a](e2e/a.spec.ts) |',
    'not?',
  ],
])('%s is noticed', (_what, line, problem) => {
  const [row] = rowsBelow(`| | heading\n|---|\n${line}\n\n`, '| | heading');
  expect(problemsOf(row!, (path) => path === 'e2e/a.spec.ts').join()).toContain(problem);
});

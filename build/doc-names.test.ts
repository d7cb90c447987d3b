import { readdirSync, readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { expect, it } from 'vitest';
import { deadNames, type Repository } from './doc-names.ts';
import { inRoot, ROOT } from './paths.ts';

const NOT_OURS = new Set(['.git', 'node_modules', 'dist', 'out', 'test-results', 'playwright-report', '.cache']);

function pathsBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OURS.has(entry.name)) return [];
    const path = `${folder}${sep}${entry.name}`;
    const name = relative(ROOT, path).replaceAll(sep, '/');
    return entry.isDirectory() ? [`${name}/`, ...pathsBelow(path)] : [name];
  });
}

const real: Repository = {
  paths: new Set(pathsBelow(ROOT)),
  scripts: new Set(
    Object.keys((JSON.parse(readFileSync(inRoot('package.json'), 'utf8')) as { scripts: object }).scripts),
  ),
  read: (path) => readFileSync(inRoot(path), 'utf8'),
};

it('everything that the documents link to or name is there', () => {
  const documents = [...real.paths].filter((path) => path.endsWith('.md') && !path.startsWith('build/notices/'));
  expect(documents).toContain('ARCHITECTURE.md');
  expect(documents).toContain('worker/README.md');
  expect(documents.flatMap((document) => deadNames(document, real))).toEqual([]);
});

const of = (text: string): string[] =>
  deadNames('worker/README.md', {
    paths: new Set([
      'worker/',
      'worker/README.md',
      'worker/live/',
      'worker/live/watch.ts',
      'worker/live/watch-all.ts',
      'build/',
      'build/tool.ts',
    ]),
    scripts: new Set(['e2e']),
    read: (path) => (path === 'worker/README.md' ? text : '# The life of a *cell*\n'),
  });

it.each([
  ['a link to a file', '[tool](../build/tools.ts)', '../build/tools.ts'],
  ['a link to a heading', '[life](../build/tool.ts#the-life-of-a-row)', '../build/tool.ts#the-life-of-a-row'],
  ['a file', '`watcher.ts`', 'watcher.ts'],
  ['the end of the name of a file', '`atch.ts`', 'atch.ts'],
  ['a file with its folder', '`lives/watch.ts`', 'lives/watch.ts'],
  ['a file with another case', '`Watch.ts`', 'Watch.ts'],
  ['a group of files', '`look-*.ts`', 'look-*.ts'],
  ['a folder', '`lives/`', 'lives/'],
  ['a file elsewhere, without its folder', '`tool.ts`', 'tool.ts'],
  ['a script', '```sh\nnpm run e3e -- --smoke\n```', 'npm run e3e'],
])('%s that is not there is found', (_what, text, name) => {
  expect(of(text)).toEqual([`worker/README.md: ${name}`]);
});

it('what is there is found by its path, its end or a group, and placeholders are left alone', () => {
  const text =
    '`watch.ts` `live/watch.ts` `worker/live/` `watch-*.ts` `build/tool.ts` `dist/app/a.js` `x.test.ts` `a.b` `npm run e2e` ' +
    '[life](../build/tool.ts#the-life-of-a-cell) [web](https://example.org/a.ts)';
  expect(of(text)).toEqual([]);
});

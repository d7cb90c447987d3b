import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inRoot } from './paths.ts';
import { scriptOf, type Tool } from './tool.ts';

const TOOLS: readonly Tool[] = ['knip', 'oxfmt', 'oxlint', 'playwright', 'tsc', 'vitest'];

it('every tool is a script for Node, not a link or batch file that differs between systems', () => {
  const isScript = (tool: Tool): boolean => {
    const [first = ''] = readFileSync(scriptOf(tool), 'utf8').split('\n', 1);
    return !scriptOf(tool).includes('.bin') && /^#!.*\bnode\b/.test(first);
  };
  expect(TOOLS.filter((tool) => !isScript(tool))).toEqual([]);
});

it('npm scripts use nothing that only a POSIX shell understands', () => {
  const { scripts } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8')) as { scripts: Record<string, string> };
  const commands = Object.values(scripts);
  expect(commands.filter((script) => !/^node build\/run\.mjs [a-z0-9-]+$/.test(script))).toEqual([]);
});

it('.nvmrc names the major version of the tool chain', () => {
  const { devDependencies } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  expect(readFileSync(inRoot('.nvmrc'), 'utf8').trim()).toBe(devDependencies['node']!.split('.')[0]);
});

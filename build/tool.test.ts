import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inRoot } from './paths.ts';
import { scriptOf, type Tool } from './tool.ts';

const TOOLS: readonly Tool[] = ['knip', 'oxfmt', 'oxlint', 'playwright', 'tsc', 'vitest'];

it('every tool is a script for Node, not a link or batch file that differs between systems', () => {
  for (const tool of TOOLS) {
    expect(scriptOf(tool)).not.toContain('.bin');
    expect(readFileSync(scriptOf(tool), 'utf8').split('\n', 1)[0], tool).toMatch(/^#!.*\bnode\b/);
  }
});

it('npm scripts use nothing that only a POSIX shell understands', () => {
  const { scripts } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8')) as { scripts: Record<string, string> };
  for (const [name, script] of Object.entries(scripts)) expect(script, name).toMatch(/^node build\/run\.mjs [a-z]+$/);
});

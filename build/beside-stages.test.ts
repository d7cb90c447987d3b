import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BesideStages, type SideStage } from './beside-stages.ts';
import { one } from './counts.ts';

const FIRST: SideStage = { title: 'First', script: 'first.ts' };
const SECOND: SideStage = { title: 'Second', script: 'second.ts', needs: FIRST };
const printed: string[] = [];
beforeEach(() => void vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line.trim())));
afterEach(() => void printed.splice(0));

it('runs one after another, and shows in one piece what each has said', async () => {
  const order: string[] = [];
  const stages = new BesideStages([FIRST, SECOND], async ({ title }) => {
    order.push(`${title} begins`);
    await Promise.resolve();
    order.push(`${title} ends`);
    return { counts: { passed: 3, failed: 0 }, output: 'a\nb\n' };
  });
  stages.show();
  expect(printed).toEqual([]);
  expect((await stages.ended()).map(({ title, passed, failed }) => [title, passed, failed])).toEqual([
    ['First', 3, 0],
    ['Second', 3, 0],
  ]);
  expect(order).toEqual(['First begins', 'First ends', 'Second begins', 'Second ends']);
  for (let time = 0; time < 2; time++) stages.show();
  expect(printed).toEqual(['== First\na\nb', '== Second\na\nb']);
});

it.each([
  ['fails', () => Promise.resolve({ counts: one(false), output: 'no' })],
  ['cannot run', () => Promise.reject(new Error('no'))],
])('a stage that %s fails those that need it, which do not run', async (_how, run) => {
  const runs = vi.fn<typeof run>(run);
  const stages = new BesideStages([FIRST, SECOND], runs);
  expect(await stages.succeeded(FIRST)).toBe(false);
  expect((await stages.ended()).map(({ failed }) => failed)).toEqual([1, 1]);
  expect(runs).toHaveBeenCalledTimes(1);
  stages.show();
  expect(printed.at(-1)).toBe('== Second\nNot run: “First” failed');
});

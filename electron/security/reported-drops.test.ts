import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { WebContents } from 'electron';
import { ReportedDrops, unreported } from './reported-drops.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Absolute on each system. */
const at = (name: string): string => resolve('/home', name);
const [A, B, C] = [at('a b#.db'), at('b.db'), at('c.db')] as const;

type Handler = (details: { readonly url: string }) => { readonly action: string };

function openPage(): { readonly drops: ReportedDrops; report(url: string): string } {
  let handler: Handler | null = null;
  const drops = new ReportedDrops({
    setWindowOpenHandler: (given) => void (handler = given as Handler),
  } as WebContents);
  return { drops, report: (url) => handler!({ url }).action };
}

it('a report is taken once, whether it comes before or after the page’s message', async () => {
  const { drops, report } = openPage();
  expect(report(pathToFileURL(A).href)).toBe('deny');
  expect(await drops.take([A, B])).toEqual([A]);
  const next = drops.take([C]);
  report(pathToFileURL(C).href);
  expect(await next).toEqual([C]);
  const none = drops.take([C]);
  await vi.runAllTimersAsync();
  expect(await none).toEqual([]);
});

it('drops that follow each other closely get their own reports, each file its own or the first file alone', async () => {
  const { drops, report } = openPage();
  const both = [drops.take([A, B]), drops.take([C])];
  for (const path of [A, B, C]) report(pathToFileURL(path).href);
  expect(await Promise.all(both)).toEqual([[A, B], [C]]);
});

it('reports of files in different folders are awaited, as each comes in a message of its own', async () => {
  const { drops, report } = openPage();
  const inside = at('private/c.db');
  const taken = drops.take([A, inside]);
  report(pathToFileURL(A).href);
  await vi.advanceTimersByTimeAsync(100);
  report(pathToFileURL(inside).href);
  expect(await taken).toEqual([A, inside]);
  const alone = drops.take([A, inside]);
  report(pathToFileURL(A).href);
  await vi.runAllTimersAsync();
  expect(await alone).toEqual([A]);
});

it('a report counts for a second', async () => {
  const { drops, report } = openPage();
  report(pathToFileURL(A).href);
  await vi.advanceTimersByTimeAsync(1_001);
  const late = drops.take([A]);
  await vi.runAllTimersAsync();
  expect(await late).toEqual([]);
});

it('what a page may make up reports nothing, and opens no window', async () => {
  const { drops, report } = openPage();
  for (const url of ['about:blank#blocked', 'https://example.com/a.db', 'file://%00', 'app://shell/index.html'])
    expect(report(url)).toBe('deny');
  const taken = drops.take(['about:blank#blocked', at('a.db'), '']);
  await vi.runAllTimersAsync();
  expect(await taken).toEqual([]);
});

it('a report covers its own file and those beside it', () => {
  const [inside, elsewhere] = [at('private/c.db'), resolve('/etc/passwd')];
  const paths = [A, B, inside, elsewhere];
  expect(unreported(paths, [A])).toEqual([inside, elsewhere]);
  expect(unreported(paths, [A, inside])).toEqual([elsewhere]);
  expect(unreported(paths, [])).toEqual(paths);
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { WebContents } from 'electron';
import { ReportedDrops, unreported } from './reported-drops.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

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
  expect(report('file:///home/a%20b%23.db')).toBe('deny');
  expect(await drops.take()).toBe('/home/a b#.db');
  const next = drops.take();
  report('file:///home/c.db');
  expect(await next).toBe('/home/c.db');
  const both = [drops.take(), drops.take()];
  await vi.advanceTimersByTimeAsync(1);
  report('file:///home/d.db');
  await vi.advanceTimersByTimeAsync(1);
  report('file:///home/e.db');
  expect(await Promise.all(both)).toEqual(['/home/d.db', '/home/e.db']);
  const none = drops.take();
  await vi.runAllTimersAsync();
  expect(await none).toBeNull();
});

it('a report counts for a second', async () => {
  const { drops, report } = openPage();
  report('file:///home/a.db');
  await vi.advanceTimersByTimeAsync(1_001);
  const late = drops.take();
  await vi.runAllTimersAsync();
  expect(await late).toBeNull();
});

it('what a page may make up reports nothing, and opens no window', async () => {
  const { drops, report } = openPage();
  for (const url of ['about:blank#blocked', 'https://example.com/a.db', 'file://%00', 'app://shell/index.html'])
    expect(report(url)).toBe('deny');
  const taken = drops.take();
  await vi.runAllTimersAsync();
  expect(await taken).toBeNull();
});

it('a report covers its own file and those beside it', () => {
  const paths = ['/home/a.db', '/home/b.db', '/home/private/c.db', '/etc/passwd'];
  expect(unreported(paths, '/home/a.db')).toEqual(['/home/private/c.db', '/etc/passwd']);
  expect(unreported(paths, '/home/other.db')).toEqual(paths);
  expect(unreported(paths, null)).toEqual(paths);
});

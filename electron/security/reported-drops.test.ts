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
  expect(await drops.take(['/home/a b#.db', '/home/b.db'])).toEqual(['/home/a b#.db']);
  const next = drops.take(['/home/c.db']);
  report('file:///home/c.db');
  expect(await next).toEqual(['/home/c.db']);
  const none = drops.take(['/home/c.db']);
  await vi.runAllTimersAsync();
  expect(await none).toEqual([]);
});

it('drops that follow each other closely get their own reports, each file its own or the first file alone', async () => {
  const { drops, report } = openPage();
  const both = [drops.take(['/home/a.db', '/home/b.db']), drops.take(['/home/c.db'])];
  report('file:///home/a.db');
  report('file:///home/b.db');
  report('file:///home/c.db');
  expect(await Promise.all(both)).toEqual([['/home/a.db', '/home/b.db'], ['/home/c.db']]);
});

it('a report counts for a second', async () => {
  const { drops, report } = openPage();
  report('file:///home/a.db');
  await vi.advanceTimersByTimeAsync(1_001);
  const late = drops.take(['/home/a.db']);
  await vi.runAllTimersAsync();
  expect(await late).toEqual([]);
});

it('what a page may make up reports nothing, and opens no window', async () => {
  const { drops, report } = openPage();
  for (const url of ['about:blank#blocked', 'https://example.com/a.db', 'file://%00', 'app://shell/index.html'])
    expect(report(url)).toBe('deny');
  const taken = drops.take(['about:blank#blocked', '/a.db', '']);
  await vi.runAllTimersAsync();
  expect(await taken).toEqual([]);
});

it('a report covers its own file and those beside it', () => {
  const paths = ['/home/a.db', '/home/b.db', '/home/private/c.db', '/etc/passwd'];
  expect(unreported(paths, ['/home/a.db'])).toEqual(['/home/private/c.db', '/etc/passwd']);
  expect(unreported(paths, ['/home/a.db', '/home/private/c.db'])).toEqual(['/etc/passwd']);
  expect(unreported(paths, [])).toEqual(paths);
});

import { expect, test } from 'vitest';
import { parseCommandLine, wordsOf } from './command-line.ts';

test('an unpackaged start names the app folder before the files', () => {
  const line = parseCommandLine(
    ['electron', '-r', '/loader.js', '--inspect=0', '/repo', '--user-data-dir=profile', 'a.db', 'file:///b%20c.db'],
    false,
    '/home',
  );
  expect(line).toEqual({
    userDataDir: '/home/profile',
    benchFile: null,
    view: null,
    files: ['/home/a.db', '/b c.db'],
  });
});

test('a packaged start has only files', () => {
  const line = parseCommandLine(['sidelite', '--no-sandbox', '--smoke', '/Chinook.DB', ''], true, '/home');
  expect(line).toEqual({
    userDataDir: null,
    benchFile: null,
    view: null,
    files: ['/Chinook.DB'],
  });
});

test('an address of another machine does not keep the app from starting', () => {
  const { files } = parseCommandLine(['sidelite', 'file://server/share/a.db', 'b.db'], true, '/home');
  expect(files).toHaveLength(2);
  expect(files[1]).toBe('/home/b.db');
});

test('a file says what to measure only where the app runs from its sources', () => {
  const line = (packaged: boolean) => parseCommandLine(['electron', '/repo', '--bench=/tmp/job.json'], packaged, '/');
  expect(line(false).benchFile).toBe('/tmp/job.json');
  expect(line(true)).toEqual({ userDataDir: null, benchFile: null, view: null, files: ['/repo'] });
});

test('a table, a condition and read-only are asked for beside the files', () => {
  const line = (...words: string[]) => parseCommandLine(['sidelite', ...words], true, '/home');
  expect(line('a.db', '--table', 'orders', '--where', 'id > 3')).toMatchObject({
    files: ['/home/a.db'],
    view: { table: 'orders', where: 'id > 3', readOnly: false },
  });
  expect(line('--table=or ders', '--read-only', 'a.db')).toMatchObject({
    files: ['/home/a.db'],
    view: { table: 'or ders', where: '', readOnly: true },
  });
  expect(line('--read-only', 'a.db').view).toEqual({ table: null, where: '', readOnly: true });
  expect(line('a.db', '--table').view).toBeNull();
});

test('the words of a command follow the folder of the app', () => {
  expect(wordsOf(['electron', '-r', '/l.js', '--inspect=0', '/repo', 'export', 'a.db'], false)).toEqual([
    'export',
    'a.db',
  ]);
  expect(wordsOf(['sidelite', '--no-sandbox', 'export'], true)).toEqual(['--no-sandbox', 'export']);
  expect(wordsOf(['electron'], false)).toEqual([]);
});

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
    smoke: false,
    benchFile: null,
    startedFile: null,
    view: null,
    files: ['/home/a.db', '/b c.db'],
  });
});

test('a packaged start has only files', () => {
  const line = parseCommandLine(['sidelite', '--no-sandbox', '--smoke', '/Chinook.DB', ''], true, '/home');
  expect(line).toEqual({
    userDataDir: null,
    smoke: true,
    benchFile: null,
    startedFile: null,
    view: null,
    files: ['/Chinook.DB'],
  });
});

test('an address of another machine does not keep the app from starting', () => {
  const { files } = parseCommandLine(['sidelite', 'file://server/share/a.db', 'b.db'], true, '/home');
  expect(files).toHaveLength(2);
  expect(files[1]).toBe('/home/b.db');
});

test('what is to be measured is named by a file', () => {
  expect(parseCommandLine(['sidelite', '--bench=/tmp/job.json'], true, '/home').benchFile).toBe('/tmp/job.json');
  expect(parseCommandLine(['sidelite', '--started=/tmp/at.json'], true, '/home').startedFile).toBe('/tmp/at.json');
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

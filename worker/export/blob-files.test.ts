import { expect, test } from 'vitest';
import { BlobFiles, type BlobFile, fileNamesFor } from './blob-files.ts';
import { exportedFile, ofTable, databaseOf, ENGINES, exported } from './export-fixture.test-suite.ts';

const bytes = (...all: number[]): Uint8Array => Uint8Array.from(all);

test('files are called after their column and what they begin with, and reach the folder as they were', async () => {
  const got: BlobFile[] = [];
  const files = new BlobFiles('songs_files', async (some) => void got.push(...some));
  const reused = bytes(0x89, 0x50, 0x4e, 0x47, 1);
  expect(files.add(reused, 'cover')).toBe('songs_files/cover-1.png');
  reused.fill(0);
  expect(files.add(bytes(), 'cover')).toBe('songs_files/cover-2.bin');
  expect(files.add(bytes(0xff, 0xd8, 0xff), 'COVER')).toBe('songs_files/cover-3.jpg');
  expect(files.add(bytes(1), '../../etc/passwd')).toBe('songs_files/_.._etc_passwd-1.bin');
  expect(files.add(bytes(1), '\0')).toBe('songs_files/_-1.bin');
  expect(files.add(bytes(1), 'cover-1')).toBe('songs_files/cover_1-1.bin');
  await files.flush();
  await files.flush();
  expect(got.map(({ name, bytes: content }) => [name, [...content]])).toEqual([
    ['cover-1.png', [0x89, 0x50, 0x4e, 0x47, 1]],
    ['cover-2.bin', []],
    ['cover-3.jpg', [0xff, 0xd8, 0xff]],
    ['_.._etc_passwd-1.bin', [1]],
    ['_-1.bin', [1]],
    ['cover_1-1.bin', [1]],
  ]);
});

test('names of files are such as every system takes, and each once', () => {
  expect(fileNamesFor(['a', 'A', 'a/b', 'a_b', 'CON', 'com1.x', '..', ' é ', 'x'.repeat(300)], 'csv')).toEqual([
    'a.csv',
    'A (2).csv',
    'a_b.csv',
    'a_b (2).csv',
    '_CON.csv',
    '_com1.x.csv',
    'table.csv',
    'é.csv',
    `${'x'.repeat(80)}.csv`,
  ]);
});

test.each(ENGINES)('every BLOB becomes a file that its cell names, by the %s engine', async (_name, engine) => {
  const connection = databaseOf(
    engine,
    `CREATE TABLE p (n INTEGER PRIMARY KEY, b BLOB, "a b"); WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 2000)
     INSERT INTO p SELECT i, randomblob(1 + i % 300), CASE i % 3 WHEN 0 THEN X'' WHEN 1 THEN NULL ELSE 'text' END FROM c`,
  );
  for (const format of ['csv', 'tsv', 'json', 'ndjson'] as const) {
    const got = new Map<string, Uint8Array>();
    let flushes = 0;
    const blobFiles = new BlobFiles('p_files', async (some) => {
      flushes++;
      for (const file of some) got.set(`p_files/${file.name}`, file.bytes);
    });
    const { bytes: written } = await exportedFile(connection, ofTable('p'), format, { blobs: 'files' }, blobFiles);
    expect(got.size).toBe(2000 + 666);
    expect(flushes).toBeGreaterThan(2);
    const text = written.toString();
    for (const [row, blob] of connection.all('SELECT n, b FROM p') as [number, Uint8Array][]) {
      const path = `p_files/b-${row}.`;
      const name = [...got.keys()].find((key) => key.startsWith(path))!;
      expect(text).toContain(name);
      expect(Buffer.compare(got.get(name)!, blob)).toBe(0);
    }
    expect(text).not.toContain(
      Buffer.from(connection.one('SELECT b FROM p WHERE n = 400')![0] as Uint8Array)
        .toString('hex')
        .toUpperCase(),
    );
  }
  // Formats that cannot name files write hexadecimal text.
  expect(
    exported(connection, ofTable('p', { filter: [{ column: 'n', operator: '=', value: 3 }] }), 'html', {
      blobs: 'files',
    }).text,
  ).toMatch(/<td>[0-9A-F]{8}<\/td>/);
});

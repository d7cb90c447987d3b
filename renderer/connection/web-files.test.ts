import { expect, it } from 'vitest';
import { addFile, contentOfFile, takeTogether, webFileHandlers } from './web-files.ts';

const file = (name: string, content = name): File => new File([content], name);
const names = (files: readonly File[]): string[] => files.map(({ name }) => name);
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const call = { signal: new AbortController().signal } as never;

it('what belongs to a database goes along with it, in whatever order it was chosen', async () => {
  const chosen = [
    file('a.db-wal', 'log'),
    file('b.db'),
    file('a.db'),
    file('a.db-shm'),
    file('a.db-journal', 'undo it'),
  ];
  const taken = takeTogether(chosen);
  expect(names(taken)).toEqual(['b.db', 'a.db']);
  const [b, a] = taken.map(addFile);
  const info = (token: string) => webFileHandlers['file.info']({ token }, call);
  expect(await info(a!.token)).toMatchObject({ walSizeBytes: 3, journalSizeBytes: 7, onlyChosenSideFiles: true });
  expect(await info(b!.token)).toMatchObject({ walSizeBytes: 0, journalSizeBytes: 0 });
  const read = async (token: string, part: 'main' | 'wal'): Promise<string> =>
    text((await webFileHandlers['file.read']({ token, part, offset: 0, length: 99 }, call)) as Uint8Array);
  expect(await read(a!.token, 'main')).toBe('a.db');
  expect(await read(a!.token, 'wal')).toBe('log');
  expect(await read(b!.token, 'wal')).toBe('');
});

it('a database is told by how it begins, whatever it is called', async () => {
  expect(await contentOfFile(addFile(file('rows.csv', 'SQLite format 3\0…')))).toBe('database');
  expect(await contentOfFile(addFile(file('rows.db', 'a,b\n1,2')))).toBeNull();
  expect(await contentOfFile({ token: 'never chosen', fileName: 'a.db' })).toBeNull();
});

it('a log whose database was not chosen stays a file of its own', () => {
  expect(names(takeTogether([file('a.db-wal'), file('b.db-journal'), file('b.db')]))).toEqual(['a.db-wal', 'b.db']);
});

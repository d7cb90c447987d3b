// Which process serves a database with extensions, and when it ends.
import { beforeEach, expect, test, vi } from 'vitest';
import type { NativeFile } from '#shared/native-link.ts';
import { FilesInPlace } from '../files/files-in-place.ts';
import type { AppWindow } from '../windows/registry.ts';

interface Parts {
  readonly inPlace: FilesInPlace;
  readonly own: () => unknown;
  readonly opens: (file: NativeFile) => boolean;
  readonly opened: (isOpen: boolean) => void;
}
const fake = vi.hoisted(() => ({ all: [] as unknown[], log: [] as string[], isAllowed: true }));
vi.mock('./file-process.ts', () => ({
  FileProcess: class {
    readonly #parts: Parts;
    constructor(parts: Parts) {
      this.#parts = parts;
      fake.all.push(parts);
    }
    serve(): null {
      fake.log.push('served');
      return null;
    }
    async tellOf({ windowId }: AppWindow, file: NativeFile): Promise<boolean> {
      if (fake.isAllowed) this.#parts.inPlace.open(windowId, file);
      return fake.isAllowed;
    }
    async stop(): Promise<void> {
      fake.log.push('stopped');
    }
  },
}));
const { ExtendedFiles } = await import('./extended-files.ts');

const [ONE, TWO] = ['w1', 'w2'].map((windowId) => ({ windowId }) as AppWindow) as [AppWindow, AppWindow];
const fileAt = (locationId: string) =>
  ({
    database: `file:${locationId}`,
    locationId,
    fileName: 'a.db',
    path: '/a',
    extensions: [],
  }) as unknown as NativeFile;
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

let inPlace: FilesInPlace;
let files: InstanceType<typeof ExtendedFiles>;
beforeEach(() => {
  Object.assign(fake, { all: [], log: [], isAllowed: true });
  inPlace = new FilesInPlace({} as never);
  let slots = 0;
  files = new ExtendedFiles({ inPlace } as never, () => slots++);
});

test('each database has a process of its own, with its own numbers and no key, which opens nothing else', async () => {
  for (const locationId of ['a1', 'b2']) expect(await files.open(ONE, fileAt(locationId))).toBeNull();
  const [first, second] = fake.all as [Parts, Parts];
  expect([first.own(), second.own()]).toEqual([
    { key: null, slot: 0 },
    { key: null, slot: 1 },
  ]);
  expect([first.opens(fileAt('a1')), first.opens(fileAt('b2'))]).toEqual([true, false]);
  const { extensions: _, ...plain } = fileAt('a1');
  expect(first.opens(plain)).toBe(false);
});

test('it ends with the last window, and is not used again', async () => {
  await files.open(ONE, fileAt('a1'));
  await files.open(TWO, fileAt('a1'));
  const { opened } = fake.all[0] as Parts;
  opened(true);
  fake.log.length = 0;
  inPlace.forget('w1', 'a1');
  files.endUnused();
  await settled();
  expect(fake.log).toEqual([]);
  inPlace.forget('w2', 'a1');
  // It says that it has closed the file after the window has asked for it again, with another list.
  expect(await files.open(ONE, fileAt('a1'))).toBeNull();
  expect(fake.log).toEqual(['stopped', 'served']);
  opened(false);
  await settled();
  expect(fake.log).toEqual(['stopped', 'served']);
  inPlace.forget('w1', 'a1');
  files.endUnused();
  await settled();
  expect(fake.log.at(-1)).toBe('stopped');
});

test('a file that is to be read-only and can be changed already is refused', async () => {
  fake.isAllowed = false;
  expect(await files.open(ONE, fileAt('a1'))).toMatchObject({ why: expect.stringContaining('already open') as string });
});

import { beforeEach, expect, test, vi } from 'vitest';
import { AppError, type PackedDatabase } from '#shared/protocol/index.ts';

const setup = vi.hoisted(() => ({
  openFiles: 'first-edit',
  databases: [] as PackedDatabase[],
  roomBytes: Infinity,
  sizeBytes: 100,
  places: 0,
  kept: [] as string[],
  limits: [] as number[],
}));
vi.mock('../../connection/database-client.ts', () => ({
  nativeClient: {
    async call(operation: string, { mostBytes }: { readonly mostBytes: number }) {
      if (operation === 'archive.list') return { databases: setup.databases };
      setup.limits.push(mostBytes);
      if (setup.sizeBytes > mostBytes) throw AppError.tooBig('It is too big.');
      return { sizeBytes: setup.sizeBytes };
    },
  },
}));
vi.mock('../../connection/shell.ts', () => ({
  isDesktop: true,
  shell: {
    unpacked: {
      async create() {
        const unpacked = `unpacked-${++setup.places}`;
        setup.kept.push(unpacked);
        return { unpacked, into: {}, roomBytes: setup.roomBytes };
      },
      open: async (unpacked: string) => `file:${unpacked}`,
      discard: async (unpacked: string) => void (setup.kept = setup.kept.filter((name) => name !== unpacked)),
    },
  },
}));
vi.mock('../../state/settings.ts', () => ({ settingNow: () => setup.openFiles, useSetting: () => setup.openFiles }));
vi.mock('../../workbench/jobs.ts', () => ({ runJob: (_: unknown, run: (options: object) => unknown) => run({}) }));
const { unpackArchive } = await import('./archives.ts');
const { useStore } = await import('../../state/store.ts');

const GB = 2 ** 30;
const FILE = { token: 't', fileName: 'backup.zip' };
const [SHOP, PETS] = [
  { name: 'data/shop.db', sizeBytes: 100 },
  { name: 'pets.db', sizeBytes: null },
];

beforeEach(() => {
  Object.assign(setup, { openFiles: 'first-edit', databases: [SHOP], roomBytes: Infinity, sizeBytes: 100 });
  Object.assign(setup, { places: 0, kept: [], limits: [] });
  useStore.setState({ questions: [] });
});

const question = async () => {
  await expect.poll(() => useStore.getState().questions.length, { interval: 1 }).toBe(1);
  return useStore.getState().questions[0]!;
};

test('the only database is unpacked without a question, and nothing else is kept', async () => {
  const unpacked = await unpackArchive(FILE);
  expect(unpacked).toEqual({ database: 'file:unpacked-2', name: 'shop.db from backup.zip', isForLibrary: false });
  expect(setup.kept).toEqual(['unpacked-2']);
});

test.each([
  ['copy', true],
  ['in-place', false],
])('as the settings say: %s', async (openFiles, isForLibrary) => {
  setup.openFiles = openFiles;
  expect(await unpackArchive(FILE)).toMatchObject({ isForLibrary });
});

test('who wants to be asked is asked', async () => {
  setup.openFiles = 'ask';
  const unpacking = unpackArchive(FILE);
  const asked = await question();
  if (asked.kind !== 'choice') throw new Error('A choice was expected.');
  asked.answer('copy');
  expect(await unpacking).toMatchObject({ isForLibrary: true });
});

test('of several databases the user chooses one, and how it is opened', async () => {
  setup.databases = [SHOP, PETS];
  const unpacking = unpackArchive(FILE);
  const asked = await question();
  if (asked.kind !== 'pick') throw new Error('A choice of one was expected.');
  expect(asked.items.map(({ label, detail }) => [label, detail])).toEqual([
    ['data/shop.db', '100 bytes'],
    ['pets.db', ''],
  ]);
  asked.answer({ item: asked.items[1]!.id, choice: 'copy' });
  expect(await unpacking).toMatchObject({ name: 'pets.db from backup.zip', isForLibrary: true });
});

test('nothing is left if the user cancels', async () => {
  setup.databases = [SHOP, PETS];
  const unpacking = unpackArchive(FILE);
  const asked = await question();
  if (asked.kind === 'pick') asked.answer(null);
  expect(await unpacking).toBeNull();
  expect(setup.kept).toEqual([]);
});

test.each([
  [true, 'file:unpacked-3'],
  [false, undefined],
])('more than 2 GB is unpacked only if the user agrees: %s', async (agrees, database) => {
  setup.sizeBytes = 3 * GB;
  const unpacking = unpackArchive(FILE);
  const asked = await question();
  if (asked.kind !== 'confirm') throw new Error('A confirmation was expected.');
  expect(setup.kept).toEqual([]);
  asked.answer(agrees);
  expect((await unpacking)?.database).toBe(database);
  expect(setup.limits).toEqual(agrees ? [2 * GB, Infinity] : [2 * GB]);
});

test('what has no room on the disk is not asked about', async () => {
  Object.assign(setup, { sizeBytes: 3 * GB, roomBytes: GB });
  await expect(unpackArchive(FILE)).rejects.toMatchObject({ code: 'full' });
  expect([setup.kept, setup.limits]).toEqual([[], [GB]]);
  Object.assign(setup, { roomBytes: 2.5 * GB, limits: [] });
  const unpacking = unpackArchive(FILE);
  const asked = await question();
  if (asked.kind === 'confirm') asked.answer(true);
  await expect(unpacking).rejects.toMatchObject({ code: 'full' });
  expect(setup.kept).toEqual([]);
});

// The requests of main to a process that opens files: each gets its own reply.
import { beforeEach, expect, test, vi } from 'vitest';
import type { FromNative, NativeFile, ToNative } from '#shared/native-link.ts';
import { FilesInPlace } from '../files/files-in-place.ts';
import type { AppWindow } from '../windows/registry.ts';

type Told = Extract<ToNative, { readonly request: number }>;
interface Parts {
  readonly answered: (message: FromNative) => void;
  readonly ended: (isCrash: boolean) => void;
  readonly began: (process: { tell(message: unknown): void }) => void;
}
const engine = vi.hoisted(() => ({ parts: null as unknown, told: [] as unknown[], isRunning: true }));
vi.mock('./window-engine.ts', () => ({
  WindowEngine: class {
    constructor(parts: Parts) {
      engine.parts = parts;
    }
    start(): null {
      return null;
    }
    tell(message: unknown): boolean {
      if (engine.isRunning) engine.told.push(message);
      return engine.isRunning;
    }
    async stop(): Promise<void> {}
    destroy(): void {}
  },
}));
const { FileProcess } = await import('./file-process.ts');

const WINDOW = { windowId: 'w1' } as AppWindow;
const FILE = { database: 'file:a1', locationId: 'a1', path: '/a' } as NativeFile;
let inPlace: FilesInPlace;
let givenUp: string[];
let process: InstanceType<typeof FileProcess>;
const parts = (): Parts => engine.parts as Parts;
const reply = (index: number, value: Extract<FromNative, { t: 'replied' }>['reply']): void =>
  parts().answered({ t: 'replied', request: (engine.told[index] as Told).request, reply: value });

beforeEach(() => {
  Object.assign(engine, { told: [], isRunning: true });
  inPlace = new FilesInPlace({} as never);
  givenUp = [];
  const extensions = {
    giveUp: (locationId: string, why: string) => void givenUp.push(`${locationId} ${why}`),
    whyGivenUp: (locationId: string) => givenUp.find((one) => one.startsWith(`${locationId} `)) ?? null,
  };
  process = new FileProcess({ inPlace, extensions, windows: { all: [WINDOW] }, opens: () => true } as never);
});

test('each request gets the reply with its number, in whatever order they come', async () => {
  const tried = [process.tryKey('/a'), process.tryKey('/b')];
  const changed = process.changeKey({ path: '/c', from: null, to: null, histories: [] });
  expect(engine.told).toMatchObject([
    { t: 'try', path: '/a' },
    { t: 'try', path: '/b' },
    { t: 'changeKey', path: '/c' },
  ]);
  reply(1, 'It does not fit.');
  reply(2, { left: null });
  reply(0, null);
  expect(await Promise.all(tried)).toEqual([null, 'It does not fit.']);
  expect(await changed).toEqual({ left: null });
});

test('a process that ends replies to all that wait: the next one has learned of the file', async () => {
  const [told, tried, made] = [process.tellOf(WINDOW, FILE), process.tryKey('/a'), process.make()];
  parts().ended(true);
  const why = expect.stringContaining('ended unexpectedly') as string;
  expect([await told, await tried, await made]).toEqual([true, why, { why }]);
  expect(inPlace.isOpened('file:a1')).toBe(true);
  engine.isRunning = false;
  expect(await process.tellOf(WINDOW, FILE)).toBe(true);
});

test('a file that is not allowed is as before', async () => {
  const told = process.tellOf(WINDOW, FILE);
  reply(0, false);
  expect([await told, inPlace.isOpened('file:a1')]).toEqual([false, false]);
});

const EXTENSIONS = [
  { id: 'x1', why: null },
  { id: 'x2', why: 'It has changed.' },
] as unknown as NonNullable<NativeFile['extensions']>;
/** Why extensions are not loaded by a process that starts now. */
function toldAtStart(): readonly (string | null)[] {
  const told: Extract<ToNative, { t: 'file' }>[] = [];
  parts().began({ tell: (message) => void told.push(message as never) });
  return told[0]!.file.extensions!.map(({ why }) => why);
}

test('after two crashes, and not after restarts that were asked for, extensions are given up, also when the file is opened again', async () => {
  inPlace.open(WINDOW.windowId, { ...FILE, extensions: EXTENSIONS });
  expect(toldAtStart()).toEqual([null, 'It has changed.']);
  parts().ended(true);
  parts().answered({ t: 'open', isOpen: true });
  parts().ended(false);
  expect(toldAtStart()).toEqual([null, 'It has changed.']);
  parts().ended(true);
  expect(toldAtStart()).toEqual(['a1 crashed', 'It has changed.']);
  await process.stop();
  void process.tellOf({ windowId: 'w2' } as AppWindow, { ...FILE, extensions: EXTENSIONS });
  expect(engine.told.at(-1)).toMatchObject({ file: { extensions: [{ why: 'a1 crashed' }, {}] } });
});

test('a process that the user stops before the file is open does not load extensions again, though the window has let go of the file', async () => {
  const close = inPlace.open(WINDOW.windowId, { ...FILE, extensions: EXTENSIONS });
  expect(toldAtStart()).toEqual([null, 'It has changed.']);
  close();
  parts().ended(false);
  await process.stop();
  inPlace.open(WINDOW.windowId, { ...FILE, extensions: EXTENSIONS });
  expect(toldAtStart()).toEqual(['a1 stopped', 'It has changed.']);
});

test('a process that ends with the app, after it has closed its files, has given up nothing', async () => {
  inPlace.open(WINDOW.windowId, { ...FILE, extensions: EXTENSIONS });
  toldAtStart();
  process.destroy();
  for (const isCrash of [false, true, true]) parts().ended(isCrash);
  expect(givenUp).toEqual([]);
});

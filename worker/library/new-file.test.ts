import { expect, it } from 'vitest';
import { createWasmEngine, IN_MEMORY } from '../engines/wasm/wasm-engine.ts';
import { Catalogue } from './catalogue.ts';
import type { LibraryContext } from './context.ts';
import { buildNewFile } from './new-file.ts';

const { engine } = await createWasmEngine();

function setUp() {
  const catalogue = new Catalogue(engine.open(IN_MEMORY, { durability: 'full', create: true, untrusted: false }));
  const reserved: number[] = [];
  const removed: string[] = [];
  const pool = {
    reserve: async (databases: number) => void reserved.push(databases),
    remove: (file: string) => void removed.push(file),
    sizeOf: () => 8192,
  };
  return { context: { catalogue, pool } as unknown as LibraryContext, catalogue, reserved, removed };
}

it('makes room for everything that is being built at once, and for the catalogue', async () => {
  const { context, reserved } = setUp();
  let finish!: () => void;
  const gate = new Promise<void>((resolve) => (finish = resolve));
  const build = (name: string) =>
    buildNewFile(context, async () => {
      await gate;
      return { name, source: null };
    });
  const building = [build('a'), build('b'), build('c')];
  finish();
  await Promise.all(building);
  expect(Math.max(...reserved)).toBe(4);
  await build('d');
  expect(reserved.at(-1)).toBe(5);
});

it('leaves no trace of what could not be built', async () => {
  const { context, catalogue, removed } = setUp();
  const build = buildNewFile(context, () => Promise.reject(new Error('no')));
  await expect(build).rejects.toThrow('no');
  expect(removed).toHaveLength(1);
  expect([catalogue.files, catalogue.unfinishedFiles]).toEqual([[], []]);
});

// When the copies for the other engine are made, used again, and removed.
import { beforeEach, expect, test, vi } from 'vitest';
import { inPlaceId } from '#shared/protocol/index.ts';

const engine = vi.hoisted(() => ({ mark: '1', made: 0, asked: [] as string[] }));
vi.mock('../../connection/database-client.ts', () => ({
  client: {
    on: () => () => undefined,
    async call(operation: string) {
      engine.asked.push(operation);
      if (operation === 'compare.copyIn') return { database: `wasm ${++engine.made}` };
      return { mark: engine.mark, transaction: false };
    },
  },
  libraryClient: { onReconnected: () => () => undefined },
  nativeClient: { onReconnected: () => () => undefined, answered: async () => undefined },
}));
vi.mock('../../connection/shell.ts', () => ({
  shell: {
    comparisonCopySource: async () => ({ token: 't', fileName: 'shop.db' }),
    createComparisonCopy: async () => ({ comparisonCopy: `copy ${++engine.made}`, sink: 's' }),
    openComparisonCopy: async (copy: string) => copy,
    removeComparisonCopy: async (copy: string) => void engine.asked.push(`remove ${copy}`),
  },
}));
const { comparisonCopiesOf } = await import('./comparison-copies.ts');
const { useStore } = await import('../../state/store.ts');

const options = { signal: new AbortController().signal, onPhase: () => undefined, onProgress: () => undefined };
const copying = (): readonly string[] => engine.asked.filter((what) => /copyOut|copyIn|close|remove/.test(what));

beforeEach(() => void Object.assign(engine, { mark: '1', made: 0, asked: [] }));

test('the copy is made again only after a change, and goes with the last tab that uses it', async () => {
  useStore.setState({ tabs: [{ id: 't', kind: 'compare', database: 'shop' }] });
  const copies = comparisonCopiesOf('shop');
  const sides = { wasm: { database: 'shop' }, native: { database: 'copy 1', isComparisonCopy: true } };
  expect(await copies.prepare(options)).toMatchObject(sides);
  expect(await copies.prepare(options)).toMatchObject(sides);
  expect(copying()).toEqual(['compare.copyOut']);
  engine.mark = '2';
  expect(await copies.prepare(options)).toMatchObject({ native: { database: 'copy 2' } });
  const again = ['compare.closeComparisonCopy', 'remove copy 1', 'compare.copyOut'];
  expect(copying().slice(1)).toEqual(again);
  useStore.setState({ tabs: [] });
  await expect.poll(() => copying().slice(4)).toEqual(['compare.closeComparisonCopy', 'remove copy 2']);
});

test('a file in place runs on the native engine itself, and is copied for the other one', async () => {
  const file = inPlaceId('shop');
  expect(await comparisonCopiesOf(file).prepare(options)).toMatchObject({
    native: { database: file, isComparisonCopy: false },
    wasm: { database: 'wasm 1', isComparisonCopy: true },
  });
  expect(copying()).toEqual(['compare.copyIn']);
});

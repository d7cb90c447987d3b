import { expect, it } from 'vitest';
import type { EngineId } from '#shared/bench/engines.ts';
import { RunControl } from '../control.ts';
import type { RoundKind } from '../target.ts';
import { EngineStarts } from './engine-starts.ts';
import type { TakeStart } from './engine-starts.ts';

const control = new RunControl();

/** Each start takes a millisecond more than the one before. */
function counted(): { readonly starts: EngineStarts; readonly made: EngineId[] } {
  const made: EngineId[] = [];
  const starts = new EngineStarts(async (engine) => {
    made.push(engine);
    return { ms: 100 + made.length, codeMs: made.length };
  });
  return { starts, made };
}

async function taken(take: TakeStart, kinds: readonly RoundKind[]): Promise<number[]> {
  const seen = [];
  for (const kind of kinds) seen.push((await take(kind, control)).codeMs);
  return seen;
}

it('a start of an engine serves every test, however long each warms up', async () => {
  const { starts, made } = counted();
  const [ofEngine, ofCode] = [starts.taker('opfs-full'), starts.taker('opfs-full')];
  expect(await taken(ofEngine, ['first', 'warm', 'timed', 'timed'])).toEqual([1, 2, 3, 4]);
  expect(await taken(ofCode, ['first', 'warm', 'warm', 'timed', 'timed', 'timed'])).toEqual([1, 2, 5, 3, 4, 6]);
  expect(made).toHaveLength(6);
});

it('a start serves one engine only', async () => {
  const { starts, made } = counted();
  expect(await taken(starts.taker('opfs-full'), ['timed'])).toEqual([1]);
  expect(await taken(starts.taker('native-full'), ['timed'])).toEqual([2]);
  expect(made).toEqual(['opfs-full', 'native-full']);
});

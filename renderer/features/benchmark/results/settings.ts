// The settings a cell was actually measured with, where they differ from the profile's.
import { engineOf, profileOf } from '#shared/bench/engines.ts';
import { PROFILES } from '#shared/bench/profile.ts';
import type { Pragmas } from '#shared/bench/profile.ts';
import type { BenchCell, BenchResult } from '#shared/bench/result.ts';

/** “page_size is 4096 instead of 8192” for each setting of a cell that is not the profile's; or what an engine has instead. */
export function settingsOf(result: BenchResult, cell: BenchCell): readonly string[] {
  const own = result.env.engines.find((facts) => facts.engine === cell.engine)?.settings;
  if (own) return own;
  const engine = engineOf(cell.engine);
  const asked: Pragmas = engine
    ? engine.storage === 'memory' || profileOf(engine, result.profile.name) !== result.profile.name
      ? PROFILES[profileOf(engine, result.profile.name)]
      : result.profile
    : result.profile;
  return Object.entries(cell.pragmas)
    .filter(([name, found]) => asked[name as keyof Pragmas] !== found)
    .map(([name, found]) => `${name} is ${String(found)} instead of ${String(asked[name as keyof Pragmas])}`);
}

/** Settings shared by all cells of an engine that have a number: these come from the engine, not from a test. */
export function settingsOfAll(result: BenchResult, cells: readonly BenchCell[]): readonly string[] {
  const [first, ...others] = cells.filter(({ status }) => status === 'ok').map((cell) => settingsOf(result, cell));
  return (first ?? []).filter((setting) => others.every((own) => own.includes(setting)));
}

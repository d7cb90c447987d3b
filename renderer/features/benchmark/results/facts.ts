// Where and how a result was measured, as pairs of a name and a value.
import { PRAGMA_NAMES } from '#shared/bench/profile.ts';
import type { BenchResult } from '#shared/bench/result.ts';
import { formatBytes, formatCount, formatElapsed, formatMoment } from '../../../ui/format.ts';
import { formatTime } from './words.ts';

/** Null: not known. */
export type Fact = readonly [name: string, value: string | null];

export function machineFacts({ env }: BenchResult): readonly Fact[] {
  return [
    ['Processor', env.cpu],
    ['Cores', formatCount(env.cores)],
    ['Memory', env.ramBytes === null ? null : formatBytes(env.ramBytes)],
    ['System', env.os],
    ['Disk', env.disk],
    ['Free on it', env.diskFreeBytes === null ? null : formatBytes(env.diskFreeBytes)],
    ['Power', env.onBattery === null ? 'not known' : env.onBattery ? 'battery' : 'mains'],
    ['Sidelite', env.appVersion],
    ['Electron', env.electron],
    ['Chromium', env.chromium],
    ['V8', env.v8],
    ['Node', env.node],
  ];
}

export function runFacts({ env, cells }: BenchResult): readonly Fact[] {
  const started = Date.parse(env.startedAt);
  return [
    ['Started', Number.isNaN(started) ? env.startedAt : formatMoment(started)],
    ['Took', formatElapsed(env.seconds * 1000)],
    ['Cells', formatCount(cells.length)],
    ['Samples', formatCount(cells.reduce((sum, { samples }) => sum + samples.length, 0))],
    ['Seed', String(env.seed)],
    ['Commit', env.commit],
    ['Clock step of the window', formatTime(env.timerStepMs, 'ms')],
    ['Cross-origin isolated', env.crossOriginIsolated ? 'yes' : 'no'],
    ['Disturbances', formatCount(env.events.length)],
  ];
}

export function profileFacts({ profile }: BenchResult): readonly Fact[] {
  return [['Name', profile.name], ...PRAGMA_NAMES.map((name): Fact => [name, String(profile[name])])];
}

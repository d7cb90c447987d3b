// Where and how a result was measured, as pairs of a name and a value, and as rows on screen.
import { engineOf, profileOf } from '#shared/bench/engines.ts';
import { PRAGMA_NAMES, PROFILES } from '#shared/bench/profile.ts';
import type { Pragmas } from '#shared/bench/profile.ts';
import type { BenchCell, BenchResult, EngineCode, EngineFacts } from '#shared/bench/result.ts';
import { formatBytes, formatCount, formatElapsed, formatMoment } from '../../../ui/format.ts';
import { engineLabel, formatTime } from './labels.ts';
import type { ReactNode } from 'react';

export const CODE_MEANING =
  'Code is the .wasm files or the native addon, without the JavaScript around them. Compile: median of up to five times, from bytes in memory, never from a cache; native code is shipped compiled. Instantiate, or load for an addon: once, as the engine started. Start: from nothing to an engine that can open a database.';

/** “sqlite3.wasm, 881 KB, gzip 412 KB, compile 9.10 ms, instantiate 420 µs”; null if nothing is known. */
export function codeText(code: EngineCode | null | undefined): string | null {
  if (!code) return null;
  const { files, bytes, gzipBytes } = code;
  const size = `${formatBytes(bytes)}, gzip ${formatBytes(gzipBytes)}`;
  return [files.join(' and '), size, ...codeTimes(code)].join(', ');
}

/** “compile 9.10 ms” and “instantiate 420 µs”; “load 420 µs” for code that is shipped compiled. */
export function codeTimes({ compileMs, instantiateMs }: EngineCode): readonly string[] {
  const step = compileMs === null ? 'load' : 'instantiate';
  return [
    ...(compileMs === null ? [] : [`compile ${formatTime(compileMs, 'ms')}`]),
    ...(instantiateMs === null ? [] : [`${step} ${formatTime(instantiateMs, 'ms')}`]),
  ];
}

interface EngineColumn {
  readonly name: string;
  readonly isNumber: boolean;
  /** Null: unknown, or the engine has no code of its own. */
  read(engine: EngineFacts): string | null;
}

const timeOrNull = (ms: number | null | undefined): string | null =>
  typeof ms === 'number' ? formatTime(ms, 'ms') : null;

/** Facts about engines, on screen and in Markdown. */
export const ENGINE_COLUMNS: readonly EngineColumn[] = [
  { name: 'Engine', isNumber: false, read: ({ engine }) => engineLabel(engine) },
  { name: 'Version', isNumber: false, read: ({ version }) => version },
  { name: 'Code', isNumber: false, read: ({ code }) => code?.files.join(' and ') ?? null },
  { name: 'Size', isNumber: true, read: ({ code }) => (code ? formatBytes(code.bytes) : null) },
  { name: 'gzip', isNumber: true, read: ({ code }) => (code ? formatBytes(code.gzipBytes) : null) },
  { name: 'Compile', isNumber: true, read: ({ code }) => timeOrNull(code?.compileMs) },
  { name: 'Instantiate', isNumber: true, read: ({ code }) => timeOrNull(code?.instantiateMs) },
  { name: 'Start', isNumber: true, read: ({ startMs }) => formatTime(startMs, 'ms') },
];

/** Null: unknown. */
type Fact = readonly [name: string, value: string | null];

export function machineFacts({ env }: BenchResult): readonly Fact[] {
  return [
    ['Processor', env.cpu],
    ['Cores', formatCount(env.cores)],
    ['Memory', env.ramBytes === null ? null : formatBytes(env.ramBytes)],
    ['System', env.os],
    ['Disk', env.disk],
    ['Free disk space', env.diskFreeBytes === null ? null : formatBytes(env.diskFreeBytes)],
    ['Power', env.onBattery === null ? 'unknown' : env.onBattery ? 'battery' : 'mains'],
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
  return inAll(cells.filter(({ status }) => status === 'ok').map((cell) => settingsOf(result, cell)));
}

export function inAll(lists: readonly (readonly string[])[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const list of lists) for (const item of new Set(list)) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...new Set(lists[0])].filter((item) => counts.get(item) === lists.length);
}

/** Null or undefined: unknown, and left out. */
export type FactRow = readonly [name: string, value: ReactNode, meaning?: string];

interface FactRowsProps {
  readonly facts: readonly FactRow[];
  /** Side by side where there is room. */
  readonly isNarrow?: boolean;
}

export function FactRows({ facts, isNarrow = false }: FactRowsProps): ReactNode {
  return (
    <dl className={isNarrow ? 'figures small bench-facts' : 'figures small bench-facts bench-facts-wide'}>
      {facts.map(
        ([name, value, meaning = TERMS[name]]) =>
          value !== null &&
          value !== undefined && (
            <div key={name} title={meaning}>
              <dt className="fixed dim">{name}</dt>
              <dd className="shrink-x break-words">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

const TERMS: Readonly<Record<string, string>> = {
  Median: 'Half of the samples are smaller, half are larger.',
  '95% interval':
    'Where the median would be in 95 of 100 repetitions, estimated by drawing the rounds again and again.',
  p90: '90 of 100 samples are at most this.',
  p95: '95 of 100 samples are at most this.',
  p99: '99 of 100 samples are at most this.',
  'Per second': 'How often this fits into a second, by the median.',
  'Spread (MAD)': 'Median absolute deviation: half of the samples differ from the median by less than this.',
  'Variation (CV)': 'Coefficient of variation: the standard deviation as a share of the mean.',
  Outliers: 'Samples farther from the middle half than 1.5 times its width (mild) or 3 times (severe).',
  'Window busy': 'How long receiving the rows kept the thread of the window busy.',
  'Clock step': 'The smallest time that the clock of the engine can tell from zero.',
  'Clock step of the window': 'The smallest time that the clock of the window can tell from zero.',
  Batch: 'Short work is run several times for one sample, so that the clock can measure it.',
  Checksum: 'Computed from all values that were read. It must be the same on every engine.',
  'Settings read back': 'What the engine reports after the settings of the profile were set.',
  Seed: 'Random choices are drawn from this number: the same seed makes the same data.',
  'Cross-origin isolated': 'Only then are clocks precise, and memory can be shared between threads.',
  Disturbances: 'Events that may have made samples slower, such as a hidden window.',
};

// Bundles the parts of the app that run outside the window again when their sources change, and tells which of them came out different.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { DevEvent } from '#shared/dev-link.ts';
import { build, type InlineConfig } from 'vite';
import { ELECTRON_ENTRIES, forgetBundle } from '../bundle.ts';
import { legacyNativeConfig } from '../legacy/config.ts';
import { forgetLegacyNative } from '../legacy/native.ts';
import { LEGACY_NATIVE, NATIVE_ENTRIES } from '../native-entries.ts';
import { DIST, inRoot } from '../paths.ts';
import { electronConfig, nativeConfig, pageConfig } from '../targets.ts';

/** Editors write a file in several steps, and save several files at once. */
const QUIET_MS = 100;
/** The window's own code is served by the development server. */
const FOLDERS = ['electron', 'shared', 'worker'] as const;
type Folder = (typeof FOLDERS)[number];

interface Part {
  readonly event: DevEvent;
  readonly folders: readonly Folder[];
  /** Different when the part is; names of chunks contain a hash of what is in them. */
  readonly result: string;
  configs(): InlineConfig[];
}

const electron = (entry: string): InlineConfig => electronConfig(entry, DIST);
const partsFor = (legacy: boolean): readonly Part[] => [
  {
    event: 'main',
    folders: ['electron', 'shared'],
    result: join(DIST, 'electron', 'main.cjs'),
    configs: () => ELECTRON_ENTRIES.filter((entry) => entry === 'main.ts').map(electron),
  },
  {
    event: 'windows',
    folders: ['electron', 'shared'],
    result: join(DIST, 'electron', 'preload.cjs'),
    configs: () => [electron('preload.ts')],
  },
  {
    event: 'host',
    folders: ['electron', 'shared'],
    result: join(DIST, 'electron', 'host-preload.cjs'),
    configs: () => [electron('host-preload.ts')],
  },
  {
    event: 'host',
    folders: ['worker', 'shared'],
    result: join(DIST, 'app', 'host.html'),
    configs: () => [pageConfig('worker', 'host.html', DIST)],
  },
  {
    event: 'native',
    folders: ['worker', 'shared'],
    result: join(DIST, legacy ? LEGACY_NATIVE : 'native', 'native.mjs'),
    configs: () => [
      ...NATIVE_ENTRIES.map((entry) => nativeConfig(entry, DIST)),
      ...(legacy ? NATIVE_ENTRIES.map((entry) => legacyNativeConfig(entry, DIST)) : []),
    ],
  },
];

/**
 * Calls `changed` with the parts that are to start again; a part that does not build leaves everything as it was.
 * @param legacy the app runs in the legacy runtime
 */
export function rebuildOnChange(legacy: boolean, changed: (events: readonly DevEvent[]) => void): void {
  const all = partsFor(legacy);
  const touched = new Set<Folder>();
  let timer: NodeJS.Timeout | undefined;
  let building = Promise.resolve();
  const begin = (): void => {
    const folders = [...touched];
    touched.clear();
    building = building
      .then(() => rebuild(all, folders))
      .then((events) => {
        if (events.length > 0) changed(events);
      });
  };
  for (const folder of FOLDERS)
    watch(inRoot(folder), { recursive: true }, (_event, name) => {
      if (name === null || /\.test(-suite)?\.ts$|\.md$|~$/.test(name)) return;
      touched.add(folder);
      clearTimeout(timer);
      timer = setTimeout(begin, QUIET_MS);
    });
}

async function rebuild(all: readonly Part[], folders: readonly Folder[]): Promise<DevEvent[]> {
  const parts = all.filter((part) => part.folders.some((folder) => folders.includes(folder)));
  const before = parts.map(({ result }) => digest(result));
  const started = performance.now();
  forgetBundle();
  forgetLegacyNative();
  try {
    await Promise.all(parts.flatMap(({ configs }) => configs()).map((config) => build(config)));
  } catch (error) {
    console.error(`Not built, so what runs goes on: ${error instanceof Error ? error.message : String(error)}`);
    return [];
  }
  const events = parts.filter(({ result }, at) => digest(result) !== before[at]).map(({ event }) => event);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${folders.join(', ')} changed: ${describe(events)} (${seconds} s)`);
  return [...new Set(events)];
}

const NAMES: Readonly<Record<DevEvent, string>> = {
  main: 'the app',
  windows: 'the windows',
  host: 'the worker',
  native: 'the native engine',
};

function describe(events: readonly DevEvent[]): string {
  if (events.length === 0) return 'nothing to restart';
  // Everything starts again with the app.
  if (events.includes('main')) return `restarting ${NAMES.main}`;
  return `restarting ${[...new Set(events)].map((event) => NAMES[event]).join(' and ')}`;
}

function digest(file: string): string {
  return existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : '';
}

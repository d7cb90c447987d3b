// The bundles for Electron's Node.

/** Their entry points, each with the folder of its layer. */
export const NATIVE_ENTRIES = [
  ['worker', 'native.ts'],
  ['worker', 'remote.ts'],
  ['worker', 'bench/process/bench-process.ts'],
  ['electron', 'command/command.ts'],
] as const;

/** Folder in `dist` of those for the legacy runtime; `electron/compat.ts` names it, too. */
export const LEGACY_NATIVE = 'native-legacy';

// The static facts about an engine that can be measured.
import type { ProfileName } from './profile.ts';

/** The group of an engine in the setup form. */
export type EngineGroup = 'sidelite' | 'native' | 'sqlite-wasm' | 'others';

/** Files of an npm package that an engine needs beside the app. A package that is not installed is left out. */
export type EngineFiles =
  /** Files of a folder in `node_modules`, as the package ships them, in a folder of `third-party/`. */
  | { readonly way: 'copied'; readonly folder: string; readonly from: string; readonly files: RegExp }
  /** One module bundled with all its imports, in a folder of `third-party/`. */
  | { readonly way: 'bundled'; readonly folder: string; readonly entry: string }
  /** Node packages: the driver loads `main`, which is stored with its own dependencies in these folders of `node_modules`. */
  | { readonly way: 'packages'; readonly main: string; readonly folders: readonly string[] };

export interface EngineRow {
  /** Used on the command line and in results: never rename. */
  readonly id: string;
  /** Label of a column: “Sidelite, OPFS, balanced”. */
  readonly label: string;
  /** A sentence that helps the user choose. */
  readonly description: string;
  readonly group: EngineGroup;
  /** `wasm`: SQLite's own wasm build, `native`: SQLite inside Node; `third-party`: a different product. */
  readonly kind: 'wasm' | 'native' | 'third-party';
  readonly storage: 'memory' | 'file';
  /** `worker`: a worker of the host page; `process`: a thread of the bench process. */
  readonly runsIn: 'worker' | 'process';
  /** The driver that makes it run the tests, by its name in the driver registry. */
  readonly driver: string;
  /** The profile it is opened with. Null: the profile of the run. */
  readonly profile: ProfileName | null;
  readonly dialect: 'sqlite' | 'postgres';
  /** Too slow or too limited for more: larger sizes are skipped, with a message. */
  readonly maxSize?: number;
  /** Missing: it needs only what the app already has. */
  readonly files?: readonly EngineFiles[];
}

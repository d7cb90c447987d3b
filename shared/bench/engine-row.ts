// What is known of an engine that can be measured, before it is started.
import type { ProfileName } from './profile.ts';

/** What is asked for in the same place of the setup. */
export type EngineGroup = 'sidelite' | 'native' | 'sqlite-wasm' | 'others';

/** What of an npm package an engine needs where the app lies. A package that is not installed is left out. */
export type EngineFiles =
  /** Files of a folder in `node_modules`, as the package ships them, in a folder of `third-party/`. */
  | { readonly way: 'copied'; readonly folder: string; readonly from: string; readonly files: RegExp }
  /** One module with everything it imports, in a folder of `third-party/`. */
  | { readonly way: 'bundled'; readonly folder: string; readonly entry: string }
  /** Packages of Node: the driver loads `main`, which lies with what it needs itself in these folders of `node_modules`. */
  | { readonly way: 'packages'; readonly main: string; readonly folders: readonly string[] };

export interface EngineRow {
  /** A word of the command line and of results: never rename. */
  readonly id: string;
  /** For column heads: “Sidelite, OPFS, balanced”. */
  readonly label: string;
  /** A sentence for who chooses. */
  readonly description: string;
  readonly group: EngineGroup;
  /** `wasm`: SQLite's own wasm build, `native`: SQLite inside Node; `third-party`: a different product. */
  readonly kind: 'wasm' | 'native' | 'third-party';
  readonly storage: 'memory' | 'file';
  /** `worker`: a worker of the host page; `process`: a thread of the bench process. */
  readonly runsIn: 'worker' | 'process';
  /** The file that makes it do what a test asks, by its name in the registry of its place. */
  readonly driver: string;
  /** What it is opened with. Null: whatever the run is measured with. */
  readonly profile: ProfileName | null;
  readonly dialect: 'sqlite' | 'postgres';
  /** Too slow or too small for more: larger sizes are skipped and say so. */
  readonly maxSize?: number;
  /** Missing: it needs nothing that the app does not have already. */
  readonly files?: readonly EngineFiles[];
}

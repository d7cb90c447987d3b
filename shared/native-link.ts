// The frames between main and a native process that cannot be given ports: ports are numbers there.
import type { EngineId } from './bench/engines.ts';
import type { InPlaceFile } from './protocol/in-place.ts';

/** Where such a process finds its end of the pipe: after the three that every process has. */
export const LINK_DESCRIPTOR = 3;

export type LinkFrame =
  /** A message of main or the process itself; opens the ports it names. */
  | { readonly t: 'tell'; readonly message: unknown; readonly ports: readonly number[] }
  | { readonly t: 'data'; readonly port: number; readonly message: unknown }
  | { readonly t: 'close'; readonly port: number };

/** Messages from main to the native process, and the ports sent with them. */
export type ToNative =
  /** First. One port: the files of exports (`FileOperations`), served by main. */
  | { readonly t: 'init' }
  /** A file that was opened in place in this window, which may open its database from now on. Answered with `known`. */
  | { readonly t: 'file'; readonly file: NativeFile; readonly windowId: string; readonly request: number }
  /** Two ports of a window: data and control. */
  | { readonly t: 'window'; readonly windowId: string }
  /** The app ends: roll back, close, answer `settled`. */
  | { readonly t: 'settle' };

/** What the native process answers. */
export type FromNative =
  /** Windows can open the file of this request from now on. */
  { readonly t: 'known'; readonly request: number } | { readonly t: 'settled' };

/** What main tells the bench process: measure this engine for the window at the other end of the one port that comes along. */
export interface ToBench {
  readonly engine: EngineId;
  /** For its files. */
  readonly directory: string;
}

export interface NativeFile extends InPlaceFile {
  /** Which no page ever learns. */
  readonly path: string;
  /** The user asked for it: nothing can write to the file. */
  readonly readOnly?: true;
  /** It is made where it is missing. */
  readonly create?: true;
}

/** What the thread of the native engine is started with. */
export interface ThreadData {
  /** `reading`: takes imported files apart for the engine's thread. */
  readonly work: 'engine' | 'reading';
  /** The only folder that packages may be loaded from. */
  readonly packagesIn: string;
  readonly historyFolder: string;
  /** It serves one command of the command line, beside an app that may be running. */
  readonly command?: {
    /** How long another program's lock is waited for. */
    readonly lockPatienceMs: number;
  };
}

/** Messages to the thread of the native engine. Ports are transferred. */
export type ToThread<Port> =
  /** Without a board, running work is not watched. */
  | { readonly t: 'init'; readonly board?: SharedArrayBuffer; readonly filesPort: Port }
  | { readonly t: 'client'; readonly windowId: string; readonly port: Port }
  | Extract<ToNative, { t: 'file' }>
  | { readonly t: 'settle' };

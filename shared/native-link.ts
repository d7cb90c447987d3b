// The messages between main and the processes of engines.
import type { CipherKey } from './cipher-key.ts';
import type { EngineId } from './bench/engines.ts';
import type { ExtensionToLoad } from './extensions.ts';
import type { DatabaseId } from './protocol/database-id.ts';
import type { InPlaceFile } from './protocol/in-place.ts';
import type { RemoteTest } from './protocol/remote.ts';

/** What main asks of a native process. */
export interface NativeAsks {
  /**
   * A file that was opened in place in this window, which may open its database from now on. Replied false: it may not, because the file is
   * to be read-only, and can be changed already.
   */
  readonly file: { readonly params: { readonly file: NativeFile; readonly windowId: string }; readonly reply: boolean };
  /** Why the key does not open this file; null: it does. Only reads the file. */
  readonly try: { readonly params: { readonly path: string }; readonly reply: string | null };
  /** Makes an empty database with the key. */
  readonly make: { readonly params: object; readonly reply: MadeDatabase };
  /** Sets, changes, or removes the key of a file that no process has open. */
  readonly changeKey: { readonly params: KeyOrder; readonly reply: ChangedKey };
}
export type NativeAsk = keyof NativeAsks;

/** Messages from main to the native process, and the ports sent with them. */
export type ToNative =
  /** Ahead of all others, to a process of its own for one file. The key of an encrypted one. */
  | { readonly t: 'own'; readonly key: CipherKey | null; readonly slot: number }
  /** Answered with `replied` and the same number. */
  | { [K in NativeAsk]: { readonly t: K; readonly request: number } & NativeAsks[K]['params'] }[NativeAsk]
  /** First. One port: the files of exports (`FileOperations`), served by main. */
  | { readonly t: 'init' }
  /** Two ports of a window: data and control. */
  | { readonly t: 'window'; readonly windowId: string }
  /** The app ends: roll back, close, answer `settled`. */
  | { readonly t: 'settle' };

/** Answers of the native process. */
export type FromNative =
  | { readonly t: 'replied'; readonly request: number; readonly reply: NativeAsks[NativeAsk]['reply'] }
  /** Unasked, from a process of its own for one file: whether it has the file open. */
  | { readonly t: 'open'; readonly isOpen: boolean }
  /** A window asks to end this process at once. Main does it, because exit codes do not tell such an end from a crash. */
  | { readonly t: 'end' }
  | { readonly t: 'settled' };

/** Messages from main to the process of a connection to a server, and the ports sent with them. */
export type ToRemote =
  | Extract<ToNative, { t: 'init' | 'window' | 'settle' }>
  /** Sent before any window: the one database that this process serves. Later: the same, with another token. */
  | { readonly t: 'reach'; readonly target: RemoteTarget }
  /** Opens the database, and answers `tested`. */
  | { readonly t: 'test' };

/** Answers of the process of a connection. */
export type FromRemote =
  | Extract<FromNative, { t: 'settled' | 'end' }>
  | { readonly t: 'tested'; readonly result: RemoteTest }
  /** Unasked: the state of the server after the last write of this process, for `RemoteTarget.notOlderThan` of its successor. */
  | { readonly t: 'wrote'; readonly index: string };

/** What the process of a connection needs to know. It contains the token, so it travels only between main and the process. */
export interface RemoteTarget {
  readonly database: DatabaseId;
  readonly name: string;
  /** Address as returned by `readAddress`. */
  readonly url: string;
  readonly token: string | null;
  readonly readOnly: boolean;
  readonly production: boolean;
  /** The state after the last write of an earlier process: what is read must not be older. */
  readonly notOlderThan?: string | null;
  /** Keeps the numbers of its readers and work apart from those of other connections. */
  readonly slot: number;
}

/** Message from main to the bench process: measure this engine for the window at the other end of the one port that comes along. */
export interface ToBench {
  readonly engine: EngineId;
  /** Directory for its files. */
  readonly directory: string;
}

/** The bytes of a new database, or why it could not be made. */
export type MadeDatabase = { readonly bytes: Uint8Array } | { readonly why: string };

/** A change of the key of a file. */
export interface KeyOrder {
  readonly path: string;
  /** Null: it is not encrypted. */
  readonly from: CipherKey | null;
  /** Null: it is not to be encrypted. */
  readonly to: CipherKey | null;
  /** Whose histories end with the change: they could not be read with the new key, or are not encrypted. */
  readonly histories: readonly DatabaseId[];
}

/** Why the key was not changed; or what could not be removed afterwards, null: everything was. */
export type ChangedKey = { readonly why: string } | { readonly left: string | null };

export interface NativeFile extends InPlaceFile {
  /** No page ever learns the path. */
  readonly path: string;
  /** Set if the user asked for it: nothing can write to the file. */
  readonly readOnly?: true;
  /** Explanation to use instead. */
  readonly whyReadOnly?: string;
  /** The user is asked before the first write. */
  readonly asksBeforeWriting?: true;
  /** The file is created if it is missing. */
  readonly create?: true;
  /** Loaded when it is opened, in a process of its own; what cannot be loaded is noted. */
  readonly extensions?: readonly ExtensionToLoad[];
  /** Views, triggers, and indexes may use all functions of the extensions. */
  readonly trustsSchema?: true;
  /** Attached when it is opened, which fails if one of them cannot be. */
  readonly attached?: readonly AttachedPath[];
}

/** A file that is attached to another. */
export interface AttachedPath {
  readonly name: string;
  readonly path: string;
  readonly isWritable: boolean;
}

/** Data with which a thread of an engine process is started. */
export interface ThreadData {
  /**
   * `reading`: takes imported files apart for the engine's thread. `checkpoint`: moves a large WAL into its file. `network`: talks to the
   * server of a remote database.
   */
  readonly work: 'engine' | 'reading' | 'checkpoint' | 'network';
  /** The only folder that packages may be loaded from. */
  readonly packagesIn: string;
  readonly historyFolder: string;
  /** The WAL to move, and the words that the thread shares with the engine's. */
  readonly checkpoint?: { readonly location: string; readonly state: SharedArrayBuffer };
  /** It serves one command of the command line, beside an app that may be running. */
  readonly command?: {
    /** How long another program's lock is waited for. */
    readonly lockTimeoutMs: number;
    /** The file is encrypted. */
    readonly key?: CipherKey;
  };
}

/** Messages to the thread of the engine of such a process. Ports are transferred. */
export type ToThread<Port> =
  /** If `workStatus` is missing, running work is not watched. */
  | { readonly t: 'init'; readonly workStatus?: SharedArrayBuffer; readonly filesPort: Port }
  | { readonly t: 'client'; readonly windowId: string; readonly port: Port }
  | Extract<ToNative, { t: 'file' | 'own' | 'try' | 'make' | 'changeKey' }>
  | Extract<ToRemote, { t: 'reach' | 'test' }>
  | { readonly t: 'settle' };

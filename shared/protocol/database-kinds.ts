// The kinds of databases, told by their ids: which engine serves each, and what it can do. A new engine begins with a row in this table.
import { isUnpacked } from '../archives.ts';
import { isRestored } from '../replicas.ts';
import type { DatabaseId } from './database-id.ts';
import { isEncryptedFile, locationIdOf } from './in-place.ts';
import { isRemote } from './remote.ts';

/** `cipher` is the native engine with a key, in a process of its own for each file. */
export type EngineName = 'wasm' | 'native' | 'cipher' | 'remote';

/** What the window may ask of a database. It asks these instead of the kind, so that a new kind only answers them. */
export interface EngineCapabilities {
  /** A running statement can be stopped without losing the connection. */
  readonly stop: boolean;
  /** Table changes are reported by hooks. */
  readonly changes: boolean;
  /** Every step is kept, and can be undone as one. Without a history, undo is a new edit, and only of rows. */
  readonly history: boolean;
  /** An open transaction stays until somebody ends it. */
  readonly lastingTransactions: boolean;
  /** The window hears of the rows that it changed before it gets the answer to its edit. */
  readonly rowsBeforeAnswer: boolean;
  /** Rows cost neither money nor the time of a network, so that they may be read without need. */
  readonly freeReads: boolean;
  /** Opening it waits for no server, and needs no connection that a person has entered. */
  readonly local: boolean;
  /** The library can rename, duplicate, and delete it, and what the library lists of it is never older than its state. */
  readonly managed: boolean;
  /** It is a copy that may have a source file, to compare and to save to. */
  readonly sourceFile: boolean;
  /** It is a file where a person put it: other programs may use it, too, or move it. */
  readonly inPlace: boolean;
  /** It is removed when it is closed, so its edits go into a copy. */
  readonly temporary: boolean;
  /** Its file is on this computer: size and WAL are known, and it can be checked, backed up, and copied. */
  readonly file: boolean;
  /** `kept` with the database, `listed` in the library and set at each opening, or `fixed` by the server. */
  readonly durability: 'kept' | 'listed' | 'fixed';
  /** Settings of its connection can be read and changed, and not only those stored in the file. */
  readonly connectionSettings: boolean;
  /** VACUUM, ANALYZE, and PRAGMA optimize can be run. */
  readonly maintenance: boolean;
  /** Its engine opens dumps and other SQLite files, to move their tables into it. */
  readonly transfers: boolean;
  /** Its engine compares its rows with those of another database. If not, a copy of them is compared. */
  readonly comparesRows: boolean;
  /** The other engine on this computer can run on a copy of it. */
  readonly runsOnBothEngines: boolean;
  /** Copies for another engine can be made without asking. If not, they would not be encrypted, and it is. */
  readonly plain: boolean;
}

export type DatabaseKind = 'library' | 'file' | 'encrypted' | 'restored' | 'unpacked' | 'server';

const LIBRARY: EngineCapabilities = {
  ...{ stop: true, changes: true, history: true, lastingTransactions: true, rowsBeforeAnswer: true, freeReads: true },
  ...{ local: true, managed: true, sourceFile: true, inPlace: false, temporary: false, file: true, durability: 'kept' },
  ...{ connectionSettings: true, maintenance: true, transfers: true, comparesRows: true, runsOnBothEngines: true },
  plain: true,
};

const FILE: EngineCapabilities = {
  ...LIBRARY,
  ...{ stop: false, managed: false, sourceFile: false, inPlace: true, durability: 'listed' },
};

const ENCRYPTED: EngineCapabilities = { ...FILE, runsOnBothEngines: false, plain: false };

const SERVER: EngineCapabilities = {
  ...{ stop: true, changes: false, history: false, lastingTransactions: false, rowsBeforeAnswer: false },
  ...{ freeReads: false, local: false, managed: false, sourceFile: false, inPlace: false, temporary: false },
  ...{ file: false, durability: 'fixed', connectionSettings: false, maintenance: false, transfers: false },
  ...{ comparesRows: false, runsOnBothEngines: false, plain: true },
};

/** What is known of each kind before one of its databases is open. */
export const DATABASE_KINDS: Readonly<
  Record<DatabaseKind, { readonly engine: EngineName; readonly capabilities: EngineCapabilities }>
> = {
  library: { engine: 'wasm', capabilities: LIBRARY },
  file: { engine: 'native', capabilities: FILE },
  encrypted: { engine: 'cipher', capabilities: ENCRYPTED },
  restored: { engine: 'native', capabilities: { ...FILE, temporary: true } },
  unpacked: { engine: 'native', capabilities: { ...FILE, temporary: true } },
  server: { engine: 'remote', capabilities: SERVER },
};

/** For words and icons; whatever is done depends on {@link capabilitiesOf}. */
export function kindOf(database: DatabaseId): DatabaseKind {
  if (isRemote(database)) return 'server';
  if (isRestored(database)) return 'restored';
  if (isUnpacked(database)) return 'unpacked';
  if (isEncryptedFile(database)) return 'encrypted';
  return locationIdOf(database) === null ? 'library' : 'file';
}

/** What can be done with the database, whether it is open or not. */
export const capabilitiesOf = (database: DatabaseId): EngineCapabilities =>
  DATABASE_KINDS[kindOf(database)].capabilities;

export const engineOf = (database: DatabaseId): EngineName => DATABASE_KINDS[kindOf(database)].engine;

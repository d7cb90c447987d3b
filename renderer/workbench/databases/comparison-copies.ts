// The copies that the other engine runs on: made with the first comparison, made again only when the data has changed since.
import { AppError, capabilitiesOf, engineOf, locationIdOf, toAppError } from '#shared/protocol/index.ts';
import type { DatabaseId, Progress } from '#shared/protocol/index.ts';
import { acrossRestart } from '../../connection/across-restart.ts';
import { client, libraryClient, nativeClient } from '../../connection/database-client.ts';
import { shell } from '../../connection/shell.ts';
import type { Tab } from '../../state/slices/tabs.ts';
import { useStore } from '../../state/store.ts';
import type { Side, Sides } from './comparison-sides.ts';
import { whyNotUnencrypted } from './not-encrypted.ts';
import type { SchemaCompareTab } from '../tabs/schema-compare.ts';

interface WasmComparisonCopy {
  readonly database: DatabaseId;
  readonly mark: string;
}

interface NativeComparisonCopy extends WasmComparisonCopy {
  /** Name by which main knows its file. */
  readonly comparisonCopy: string;
}

export interface PrepareOptions {
  readonly signal: AbortSignal;
  readonly onPhase: (title: string) => void;
  readonly onProgress: (progress: Progress) => void;
}

/** Other programs, or other windows, may write while it is copied. */
const TRIES = 3;

class ComparisonCopies {
  #wasm: WasmComparisonCopy | null = null;
  #native: NativeComparisonCopy | null = null;
  readonly #database: DatabaseId;
  #last: Promise<unknown> = Promise.resolve();

  constructor(database: DatabaseId) {
    this.#database = database;
  }

  /** Both tabs of a database get the same comparison copies, one after the other. */
  prepare(options: PrepareOptions): Promise<Sides> {
    return this.#queued(() => this.#prepare(options));
  }

  release(): Promise<void> {
    return this.#queued(async () => {
      await this.#dropWasm();
      await this.#dropNative();
    });
  }

  /** The worker was restarted: the copies that it had made are gone. */
  forgetWasm(): void {
    this.#wasm = null;
  }

  #queued<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #prepare(options: PrepareOptions): Promise<Sides> {
    const whyNot = whyNotUnencrypted(this.#database, 'both engines');
    if (whyNot !== null) throw AppError.unavailable(whyNot);
    if (!capabilitiesOf(this.#database).runsOnBothEngines)
      throw AppError.unavailable(
        'A database on a server runs only on the server’s engine. To compare both engines, copy it into the library. To compare its schema and rows with another database, run “Compare Schemas”.',
      );
    const { mark, transaction } = await client.call('compare.mark', { database: this.#database });
    if (engineOf(this.#database) === 'native') {
      const wasm = await orWhy(() => this.#wasmComparisonCopy(mark, options));
      const own: Side = { database: this.#database, isComparisonCopy: false };
      const from = 'why' in wasm ? null : wasm.database;
      // Do not use the file itself: connections to it may see uncommitted changes.
      const native = !transaction
        ? own
        : from
          ? await orWhy(() => acrossRestart(nativeClient, () => this.#nativeComparisonCopy(from, mark, options)))
          : wasm;
      return { wasm, native, mark: this.#wasm?.mark ?? mark, committedOnly: transaction };
    }
    const wasm: Side = transaction
      ? await this.#snapshot(mark, options)
      : { database: this.#database, isComparisonCopy: false };
    const from = wasm.database;
    const native = await orWhy(() =>
      acrossRestart(nativeClient, () => this.#nativeComparisonCopy(from, mark, options)),
    );
    return { wasm, native, mark: this.#native?.mark ?? mark, committedOnly: transaction };
  }

  async #snapshot(mark: string, { signal, onPhase }: PrepareOptions) {
    if (this.#wasm?.mark !== mark) {
      await this.#dropWasm();
      onPhase('Copying committed data');
      this.#wasm = await client.call('compare.snapshot', { database: this.#database }, { signal });
    }
    return { database: this.#wasm.database, isComparisonCopy: true };
  }

  /** Others may write while it is copied: the copy is right if nothing was committed between its beginning and its end. */
  async #wasmComparisonCopy(mark: string, options: PrepareOptions) {
    for (let tries = 1; this.#wasm?.mark !== mark; tries++) {
      await this.#dropWasm();
      const database = await this.#copyIn(options).catch((thrown: unknown) => {
        if (toAppError(thrown).code !== 'io' || tries === TRIES) throw thrown;
        return null;
      });
      if (database) this.#wasm = { database, mark };
      mark = (await client.call('compare.mark', { database: this.#database })).mark;
      if (tries === TRIES && this.#wasm?.mark !== mark) throw keepsChanging();
    }
    return { database: this.#wasm.database, isComparisonCopy: true };
  }

  async #copyIn({ signal, onPhase, onProgress }: PrepareOptions): Promise<DatabaseId> {
    const source = await shell.comparisonCopySource(locationIdOf(this.#database) ?? '');
    if (!source) throw AppError.notFound('The file is no longer open. Open it again.');
    onPhase(`Copying ${source.fileName} for the wasm engine`);
    const { database } = await client.call('compare.copyIn', { source: source.token }, { signal, onChunk: onProgress });
    return database;
  }

  async #nativeComparisonCopy(from: DatabaseId, mark: string, options: PrepareOptions) {
    const known = this.#native;
    if (known?.mark === mark && (await isThere(known))) return { database: known.database, isComparisonCopy: true };
    await this.#dropNative();
    this.#native = await this.#copyOut(from, mark, options);
    return { database: this.#native.database, isComparisonCopy: true };
  }

  async #copyOut(
    from: DatabaseId,
    mark: string,
    { signal, onPhase, onProgress }: PrepareOptions,
  ): Promise<NativeComparisonCopy> {
    const reply = await shell.createComparisonCopy();
    if ('why' in reply) throw AppError.unavailable(reply.why);
    const { comparisonCopy, sink } = reply;
    try {
      // A missing engine is reported before anything is copied.
      await nativeClient.answered();
      const { name } = useStore.getState().openDatabases[this.#database]?.entry ?? { name: 'database' };
      onPhase(`Copying ${name} for the native engine`);
      const written = await client.call('compare.copyOut', { database: from, sink }, { signal, onChunk: onProgress });
      const database = await shell.openComparisonCopy(comparisonCopy, name);
      if (!database) throw AppError.io('The copy for the native engine no longer exists. Compare again.');
      await client.call('compare.openComparisonCopy', { database });
      // A comparison copy of a comparison copy has the state of which the first was made.
      return { database, comparisonCopy, mark: from === this.#database ? written.mark : mark };
    } catch (error) {
      await removeComparisonCopy(comparisonCopy);
      throw error;
    }
  }

  async #dropWasm(): Promise<void> {
    const comparisonCopy = this.#wasm;
    this.#wasm = null;
    if (comparisonCopy)
      await client.call('compare.closeComparisonCopy', { database: comparisonCopy.database }).catch(() => undefined);
  }

  async #dropNative(): Promise<void> {
    const comparisonCopy = this.#native;
    this.#native = null;
    if (!comparisonCopy) return;
    await client.call('compare.closeComparisonCopy', { database: comparisonCopy.database }).catch(() => undefined);
    await removeComparisonCopy(comparisonCopy.comparisonCopy);
  }
}

/** A file that cannot be removed now is removed with the window. */
const removeComparisonCopy = (comparisonCopy: string): Promise<void> =>
  shell.removeComparisonCopy(comparisonCopy).catch(() => undefined);

const keepsChanging = (): AppError =>
  AppError.conflict(
    'The file kept changing while it was copied. Compare again when no other program is writing to it.',
  );

/** The engine may have been restarted since: then the copy is opened again. */
async function isThere({ database }: NativeComparisonCopy): Promise<boolean> {
  return client.call('compare.openComparisonCopy', { database }).then(
    () => true,
    (thrown: unknown) => {
      if (toAppError(thrown).code === 'disconnected') throw thrown;
      return false;
    },
  );
}

/** A side that cannot be made is shown with the reason; the other side is compared with nothing. */
async function orWhy(make: () => Promise<Exclude<Side, { why: string }>>): Promise<Side> {
  try {
    return await make();
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code === 'stopped') throw error;
    return { why: error.message };
  }
}

const all = new Map<DatabaseId, ComparisonCopies>();

export function comparisonCopiesOf(database: DatabaseId): ComparisonCopies {
  const comparisonCopies = all.get(database) ?? new ComparisonCopies(database);
  all.set(database, comparisonCopies);
  return comparisonCopies;
}

function isUsedBy(tab: Tab, database: DatabaseId): boolean {
  if (tab.kind === 'schema-compare') return (tab as SchemaCompareTab).to.database === database;
  return tab.kind === 'compare' && tab.database === database;
}

useStore.subscribe(({ tabs }, before) => {
  if (tabs === before.tabs) return;
  for (const [database, comparisonCopies] of all) {
    if (tabs.some((tab) => isUsedBy(tab, database))) continue;
    all.delete(database);
    void comparisonCopies.release();
  }
});
libraryClient.onReconnected(() => {
  for (const comparisonCopies of all.values()) comparisonCopies.forgetWasm();
});

// Puts SQLite on a disk that goes wrong, lets the workload run through one fault, and judges what is there afterwards.
import { AppError } from '#shared/protocol/errors.ts';
import type { Durability } from '#shared/protocol/library.ts';
import type { Connection, Engine } from '../../engine.ts';
import { SahFilePool } from '../storage/file-pool.ts';
import type { FilePool } from '../storage/file-pool.ts';
import { Hooks } from '../runtime/hooks.ts';
import { loadSqlite } from '../runtime/load.ts';
import type { Sqlite } from '../runtime/load.ts';
import { LogLayer } from '../storage/log-layer.ts';
import { openConnection } from '../storage/open.ts';
import type { OpenTarget } from '../storage/open.ts';
import { CacheBudget } from '../../memory-budget.ts';
import { Disk } from './disk.test-suite.ts';
import { installDisk } from './disk-vfs.test-suite.ts';
import { Trial } from './trial.test-suite.ts';
import type { Rehearsal, TrialLab, TrialSpec, Verdict } from './trial-spec.test-suite.ts';
import { contents, COPY, WORKLOAD } from './workload.test-suite.ts';

const VFS_NAME = 'disk-under-test';
const FILE = '/under-test.sqlite3';

export class FaultLab implements TrialLab {
  readonly disk = new Disk();
  readonly sqlite: Sqlite;
  readonly #hooks: Hooks;
  readonly #logs: LogLayer;
  readonly #caches: CacheBudget;
  readonly #copy: { readonly name: string; readonly offset: number; readonly bytes: Uint8Array }[] = [];
  readonly #rehearsals = new Map<Durability, Rehearsal>();

  static async open(caches = new CacheBudget()): Promise<FaultLab> {
    return new FaultLab(await loadSqlite(), caches);
  }

  private constructor(sqlite: Sqlite, caches: CacheBudget) {
    this.sqlite = sqlite;
    this.#caches = caches;
    this.#hooks = new Hooks(sqlite);
    this.#logs = new LogLayer(sqlite, installDisk(sqlite, this.disk, VFS_NAME));
  }

  /** Opens a database on the disk just as the product opens one of the library. */
  connect(durability: Durability, file = FILE): Connection {
    return openConnection(this.sqlite, this.#hooks, this.#target(file), { durability, create: true });
  }

  /** Opens a database on the disk as another program does, which may write whatever it likes to it. */
  connectFreely(file: string): Connection {
    const options = { durability: 'full', create: true, untrusted: false } as const;
    return openConnection(this.sqlite, this.#hooks, this.#target(file), options);
  }

  /** The disk as the product sees the library's. */
  get pool(): FilePool {
    const handles = {
      getFileNames: () => this.disk.names,
      unlink: (name: string) => this.disk.remove(name),
      reserveMinimumCapacity: async () => 0,
      pauseVfs: () => undefined,
    };
    return new SahFilePool(this.sqlite, handles as never, this.#logs);
  }

  get engine(): Pick<Engine, 'open'> {
    return {
      open: (location, options) => openConnection(this.sqlite, this.#hooks, this.#target(location), options),
    };
  }

  #target(file: string): OpenTarget {
    const beside = (other: string): OpenTarget => this.#target(other);
    return { location: file, fileName: file, vfsName: VFS_NAME, logs: this.#logs, caches: this.#caches, beside };
  }

  /** Lays the copy aside that a step of the workload restores. After the disk was started. */
  placeCopy(): void {
    for (const { name, offset, bytes } of this.#copy) this.disk.put(name, offset, bytes);
  }

  /** Keeps what is committed as that copy, and lays it aside. */
  keepCopy(connection: Connection): void {
    const sizes = { file: 0, wal: 0 };
    this.#copy.length = 0;
    for (const { part, bytes } of connection.copyCommitted()) {
      this.#copy.push({ name: part === 'file' ? COPY : `${COPY}-wal`, offset: sizes[part], bytes });
      sizes[part] += bytes.length;
    }
    this.placeCopy();
  }

  /** The workload without any fault. */
  rehearsal(durability: Durability): Rehearsal {
    const known = this.#rehearsals.get(durability);
    if (known) return known;
    this.disk.start(null, 0);
    let connection = this.connect(durability);
    const states = [contents(connection)];
    // Looking at the contents only reads: it adds nothing to the history.
    for (const step of WORKLOAD) {
      step.run(connection);
      if (step.reopen) {
        connection.close();
        connection = this.connect(durability);
      }
      states.push(contents(connection));
      if (step.copied) this.keepCopy(connection);
    }
    const rehearsal = { operations: [...this.disk.history], states };
    connection.close();
    this.#rehearsals.set(durability, rehearsal);
    return rehearsal;
  }

  /** Never throws: what goes wrong in an unforeseen way is a loss. */
  try(spec: TrialSpec): Verdict {
    const rehearsal = this.rehearsal(spec.durability);
    try {
      return new Trial(this, rehearsal, spec).run();
    } catch (error) {
      const account = error instanceof AppError ? `${error.code}: ${error.message}` : String(error);
      return {
        lost: `Unforeseen: ${account}`,
        struck: this.disk.struck,
        refused: 0,
        cameBack: false,
        shortened: false,
        recoveryCut: false,
      };
    }
  }
}

// A disk in memory that goes wrong when told to: files, a count of what was asked of them, and at most one fault.
import { createRandom } from '#shared/random.ts';
import type { Random } from '#shared/random.ts';
import { DiskFile, SECTOR_BYTES, writeSectors } from './disk-file.test-suite.ts';
import type { Effect, Fault, Kept, Operation } from './fault.test-suite.ts';

/** Result that the layer above reports: done, an exception it answers with an I/O error, or SQLite's own “full”. */
export type Outcome = 'done' | 'full-code' | Error;

const KEPT: Readonly<Record<Kept, number>> = { all: 1, some: 0.5, none: 0 };

export class Disk {
  /** Names of the operations so far, in order. */
  readonly history: Operation[] = [];
  /** False for a disk that only says that it flushed. */
  honest = true;
  /** Files at a time, as in a pool of handles. */
  slots = Infinity;
  #files = new Map<string, DiskFile>();
  #fault: Fault | null = null;
  #random: Random = createRandom(0);
  #lasting: Effect | null = null;
  #dropped = false;
  #off = false;
  #readsUntilFailure = Infinity;

  /** An empty disk, with what will go wrong. Torn and lost sectors follow from the seed. */
  start(fault: Fault | null, seed: number): void {
    this.#files = new Map();
    this.history.length = 0;
    this.#fault = fault;
    this.#random = createRandom(seed);
    this.repair();
    this.#off = false;
  }

  /** The machine or the process is gone: nothing reaches the disk, and no caller sees an error. */
  get off(): boolean {
    return this.#off;
  }

  /** True when a failing read was asked for and has come. */
  get readFailed(): boolean {
    return this.#readsUntilFailure < 0;
  }

  /** True when the fault has come about. */
  get struck(): boolean {
    return this.#fault !== null && this.history.length > this.#fault.at;
  }

  /** Takes effect now and lasts until {@link repair}. */
  fail(lasting: 'full' | 'broken'): void {
    this.#lasting = lasting;
  }

  /** Ends a lasting fault, as if the user had freed space or plugged the cable in again. */
  repair(): void {
    this.#lasting = null;
    this.#dropped = false;
    this.#readsUntilFailure = Infinity;
  }

  get names(): readonly string[] {
    return [...this.#files.keys()];
  }

  has(name: string): boolean {
    return this.#files.has(name);
  }

  /** Creating and removing is safe at once: the pool flushes the header that says which file a slot holds. */
  open(name: string, create: boolean): DiskFile | Error {
    const file = this.#files.get(name);
    if (file) return file;
    if (this.#off || !create) return new Error(`file not found: ${name}`);
    if (this.#files.size >= this.slots) return new Error(`SAH pool is full. Cannot create file ${name}`);
    const created = new DiskFile();
    this.#files.set(name, created);
    return created;
  }

  /** A part of a file from elsewhere, safe at once. */
  put(name: string, offset: number, bytes: Uint8Array): void {
    const file = this.#files.get(name) ?? new DiskFile();
    this.#files.set(name, file);
    file.write(offset, bytes);
    file.flush();
  }

  remove(name: string): void {
    if (!this.#off) this.#files.delete(name);
  }

  /** Returns the bytes that were there. */
  read(file: DiskFile, offset: number, into: Uint8Array): number | Error {
    if (this.#readsUntilFailure-- === 0) return new Error('The device does not answer.');
    return file.read(offset, into);
  }

  /** Makes a read fail after so many reads. */
  failReadAfter(reads: number): void {
    this.#readsUntilFailure = reads;
  }

  write(file: DiskFile, offset: number, bytes: Uint8Array): Outcome {
    return this.#ask('write', {
      do: (lost) => file.write(offset, bytes, lost),
      tear: () => this.#tear(file, offset, bytes),
    });
  }

  truncate(file: DiskFile, size: number): Outcome {
    return this.#ask('truncate', { do: (lost) => file.truncate(size, lost), tear: () => undefined });
  }

  flush(file: DiskFile): Outcome {
    return this.#ask('flush', {
      do: (lost) => {
        if (!lost && this.honest) file.flush();
      },
      tear: () => undefined,
    });
  }

  /** Starts again after {@link turnOff} or a fault that ended the machine. */
  restart(kept: Kept): void {
    if (kept !== 'all') for (const file of this.#files.values()) file.cutPower(this.#random, KEPT[kept]);
    this.#fault = null;
    this.repair();
    this.#off = false;
  }

  /** Makes the power fail when so many more operations are done. */
  cutPowerAfter(operations: number): void {
    this.#fault = { at: this.history.length + operations, effect: 'cut' };
  }

  turnOff(): void {
    this.#off = true;
  }

  #ask(operation: Operation, action: { do(lost: boolean): void; tear(): void }): Outcome {
    if (this.#off) return new Error('The machine is off.');
    const number = this.history.push(operation) - 1;
    // A dropped write can only be survived when nothing later is built on it.
    if (this.#dropped && (operation === 'flush' || this.history[number - 1] === 'flush')) return this.#die();
    const effect = this.#lasting ?? (this.#fault?.at === number ? this.#fault.effect : null);
    if (effect === null) {
      action.do(false);
      return 'done';
    }
    return this.#goWrong(effect, operation, action);
  }

  #goWrong(effect: Effect, operation: Operation, action: { do(lost: boolean): void; tear(): void }): Outcome {
    switch (effect) {
      case 'refuse':
        return new Error('The device does not answer.');
      case 'broken':
        this.#lasting = effect;
        return new Error('The device does not answer.');
      case 'full':
        this.#lasting = effect;
        if (operation === 'write') return quotaExceeded();
        action.do(false);
        return 'done';
      case 'full-code':
        return 'full-code';
      case 'tear':
        action.tear();
        return new Error('Unknown write() failure.');
      case 'drop':
        this.#dropped = true;
        action.do(true);
        return 'done';
      case 'cut':
        return this.#die();
      case 'tear-cut':
      case 'kill':
        action.tear();
        return this.#die();
    }
  }

  #die(): Error {
    this.#off = true;
    return new Error('The machine is off.');
  }

  /** Its first half, or any of its sectors. What lies within one sector arrives whole or not at all. */
  #tear(file: DiskFile, offset: number, bytes: Uint8Array): void {
    const isWithinOne = (offset % SECTOR_BYTES) + bytes.length <= SECTOR_BYTES;
    if (!isWithinOne && this.#random.chance(0.5)) file.write(offset, bytes.subarray(0, bytes.length >> 1));
    else writeSectors(file, { offset, bytes }, () => this.#random.chance(0.5));
  }
}

function quotaExceeded(): Error {
  const error = new Error('No space available for this operation');
  error.name = 'QuotaExceededError';
  return error;
}

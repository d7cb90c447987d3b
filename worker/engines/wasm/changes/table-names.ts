// Reads the table names that SQLite passes to hooks, each only once: for the same table SQLite passes the same address row after row.
import type { Heap } from '../runtime/heap.ts';
import type { Pointer } from '../runtime/raw.ts';

interface KnownName {
  readonly name: string;
  /** Includes the terminating NUL. */
  readonly bytes: Uint8Array;
}

const MAIN_LITTLE_ENDIAN = 0x6e69616d; // 'main'

export class TableNames {
  readonly #heap: Heap;
  /** Compares the bytes, because a new schema may be at old addresses. */
  readonly #names = new Map<Pointer, KnownName>();

  constructor(heap: Heap) {
    this.#heap = heap;
  }

  /** False for temp tables, attached databases and the unnamed database that VACUUM uses. */
  isMain(schema: Pointer): boolean {
    const view = this.#heap.view;
    return view.getUint32(schema, true) === MAIN_LITTLE_ENDIAN && view.getUint8(schema + 4) === 0;
  }

  at(pointer: Pointer): string {
    const known = this.#names.get(pointer);
    if (known !== undefined && this.#isSame(pointer, known.bytes)) return known.name;
    const name = this.#heap.text(pointer);
    const heap = this.#heap.bytes;
    this.#names.set(pointer, { name, bytes: heap.slice(pointer, heap.indexOf(0, pointer) + 1) });
    return name;
  }

  #isSame(pointer: Pointer, bytes: Uint8Array): boolean {
    const heap = this.#heap.bytes;
    for (let index = 0; index < bytes.length; index++) if (heap[pointer + index] !== bytes[index]) return false;
    return true;
  }
}

// Starts the wasm module, in a worker or in Node, and gives access to its raw functions.
import init from '@sqlite.org/sqlite-wasm';
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm';
import { Heap } from './heap.ts';
import type { Pointer, RawSqlite } from './raw.ts';
import { isLayoutKnown } from './value-layout.ts';

/** The running module. Handed to everything in this folder. */
export interface Sqlite {
  readonly raw: RawSqlite;
  readonly heap: Heap;
  /** Room for out-parameters (16 bytes). Never held across calls into SQLite that could use it again. */
  readonly out: Pointer;
  /** Destructor for `sqlite3_bind_*`: SQLite frees the memory itself. */
  readonly freeFunction: Pointer;
  /** Makes a JavaScript function callable from SQLite. `signature`: result letter, then argument letters (i, p, j, d). */
  install(signature: string, callback: (...args: never[]) => unknown): Pointer;
  /** Calls a function SQLite handed out a pointer to. */
  callable(pointer: Pointer): (...args: (number | bigint)[]) => number;
  /** Values can be read where SQLite keeps them: value-layout.ts. */
  readonly isLayoutKnown: boolean;
  readonly package: Sqlite3Static;
  readonly storageFailure: StorageFailure;
}

/** The last exception of the file system below SQLite, which only says “disk I/O error”. */
export interface StorageFailure {
  take(): Error | null;
}

interface BootGlobals {
  sqlite3ApiConfig?: unknown;
}

export async function loadSqlite(): Promise<Sqlite> {
  let lastFailure: Error | null = null;
  const note = (...parts: unknown[]): void => {
    for (const part of parts) if (part instanceof Error) lastFailure = part;
  };
  const silent = (): void => undefined;
  // Read once by the package while it starts. The unused file systems would start helper workers of their own.
  (globalThis as BootGlobals).sqlite3ApiConfig = {
    error: note,
    warn: note,
    log: silent,
    debug: silent,
    disable: { vfs: { kvvfs: true, opfs: true, 'opfs-vfs': true, 'opfs-wl': true } },
  };
  const sqlite3 = await init();
  delete (globalThis as BootGlobals).sqlite3ApiConfig;
  const raw = sqlite3.wasm.exports as unknown as RawSqlite;
  const heap = new Heap((sqlite3.wasm as unknown as { memory: WebAssembly.Memory }).memory, raw);
  const out = heap.allocate(16);
  return {
    raw,
    heap,
    out,
    isLayoutKnown: isLayoutKnown({ raw, heap, out }),
    freeFunction: (sqlite3.capi as unknown as { SQLITE_WASM_DEALLOC: Pointer }).SQLITE_WASM_DEALLOC,
    install: (signature, callback) => sqlite3.wasm.installFunction(signature, callback),
    callable: (pointer) => sqlite3.wasm.functionEntry(pointer) as (...args: (number | bigint)[]) => number,
    package: sqlite3,
    storageFailure: {
      take() {
        const failure = lastFailure;
        lastFailure = null;
        return failure;
      },
    },
  };
}

// Keeps which tables the open transaction has changed, exact through savepoints and failed statements.
import type { StatementFacts } from './authorizer.ts';
import type { Heap } from './heap.ts';
import type { Pointer } from './raw.ts';

/** A state to go back to. Sets keep their order, so the number of tables says which came later. */
interface Mark {
  readonly tables: number;
  readonly schema: boolean;
}

interface KnownName {
  readonly name: string;
  /** With the closing NUL. */
  readonly bytes: Uint8Array;
}

const MAIN_LITTLE_ENDIAN = 0x6e69616d; // 'main'

export class ChangeTracker {
  readonly #heap: Heap;
  /** By address of the name in SQLite's schema. The bytes are compared: a new schema may lie at old addresses. */
  readonly #names = new Map<Pointer, KnownName>();
  readonly #tables = new Set<string>();
  readonly #savepoints: { readonly name: string; readonly mark: Mark }[] = [];
  #schema = false;
  #committed = false;
  #schemaTouched = false;

  constructor(heap: Heap) {
    this.#heap = heap;
  }

  /** The commit hook: SQLite is about to commit. A failure after this calls the rollback hook. */
  noteCommit(): void {
    this.#committed = true;
  }

  /** The rollback hook. */
  noteRollback(): void {
    if (this.#schema) this.#schemaTouched = true;
    this.#clear();
  }

  /** The preupdate hook: once a row. */
  noteRow(schema: Pointer, table: Pointer): void {
    // Skips temp tables and the nameless database VACUUM works in.
    const view = this.#heap.view;
    if (view.getUint32(schema, true) !== MAIN_LITTLE_ENDIAN || view.getUint8(schema + 4) !== 0) return;
    this.#tables.add(this.#nameAt(table));
  }

  mark(): Mark {
    return { tables: this.#tables.size, schema: this.#schema };
  }

  /** Forgets what came after `mark`. */
  goBack(mark: Mark): void {
    this.#schema = mark.schema;
    let place = 0;
    for (const table of this.#tables) if (place++ >= mark.tables) this.#tables.delete(table);
  }

  /** After a statement has done all it does. */
  noteStatement(facts: StatementFacts): void {
    for (const table of facts.definedTables) {
      this.#tables.add(table);
      this.#schema = true;
      this.#schemaTouched = true;
    }
    if (facts.savepoint !== null) this.#noteSavepoint(facts.savepoint.operation, facts.savepoint.name);
  }

  /** SQLite could not commit after all and the transaction is still open. */
  noteCommitFailed(): void {
    this.#committed = false;
  }

  /** True once after the schema may have become another. */
  takeSchemaTouched(): boolean {
    const touched = this.#schemaTouched;
    this.#schemaTouched = false;
    return touched;
  }

  /** What the transaction that was just committed changed, raw names; null when there was none or it changed nothing. */
  takeCommitted(): { readonly tables: readonly string[]; readonly schema: boolean } | null {
    if (!this.#committed) return null;
    const tables = [...this.#tables].filter((name) => !name.startsWith('sqlite_'));
    const schema = this.#schema;
    this.#clear();
    return tables.length === 0 && !schema ? null : { tables, schema };
  }

  #noteSavepoint(operation: 'BEGIN' | 'RELEASE' | 'ROLLBACK', name: string): void {
    if (operation === 'BEGIN') {
      this.#savepoints.push({ name, mark: this.mark() });
      return;
    }
    let place = this.#savepoints.length - 1;
    while (place >= 0 && this.#savepoints[place]!.name !== name) place--;
    if (place < 0) return;
    if (operation === 'ROLLBACK') this.goBack(this.#savepoints[place]!.mark);
    this.#savepoints.length = operation === 'ROLLBACK' ? place + 1 : place;
  }

  #clear(): void {
    this.#tables.clear();
    this.#savepoints.length = 0;
    this.#schema = false;
    this.#committed = false;
  }

  #nameAt(pointer: Pointer): string {
    const known = this.#names.get(pointer);
    if (known !== undefined && this.#isSame(pointer, known.bytes)) return known.name;
    const name = this.#heap.text(pointer);
    const heap = this.#heap.bytes;
    this.#names.set(pointer, { name, bytes: heap.slice(pointer, heap.indexOf(0, pointer) + 1) });
    return name;
  }

  #isSame(pointer: Pointer, bytes: Uint8Array): boolean {
    const heap = this.#heap.bytes;
    for (let place = 0; place < bytes.length; place++) if (heap[pointer + place] !== bytes[place]) return false;
    return true;
  }
}

// The files that are attached to a connection, and what may be done to them. better-sqlite3 cannot attach a file read-only (it is compiled
// without URIs), and has no authorizer. So SQLite's program of each statement that writes anything says whether it writes to such a file.
import { foldName } from '#shared/ddl/names.ts';
import { AppError, inParts } from '#shared/protocol/errors.ts';
import type { AttachedFile } from '../../engine.ts';
import type { Internals } from '../runtime/internals.ts';
import type { ProgramStep } from '../runtime/load.ts';
import { schemaDetached } from './program.ts';
import type { StatementToRun } from './statement-plans.ts';
import { namesIn, readStatement, type StatementShape, type Verb } from './statement-shape.ts';

/** They end or mark a transaction, or show a program, and write nothing themselves. */
const PASSED_OVER: ReadonlySet<Verb> = new Set([
  'commit', 'rollback', 'rollback-to', 'savepoint', 'release', 'explain',
]); // prettier-ignore
/** After them, every name means what it meant before. */
const OF_ROWS: ReadonlySet<Verb> = new Set(['insert', 'update', 'delete', 'read']);
/** Without a schema they are about all of them. */
const OF_ALL: Partial<Readonly<Record<Verb, string>>> = {
  analyze: 'ANALYZE main',
  reindex: 'REINDEX with the name of a table',
  pragma: 'the PRAGMA with “main.” before its name',
};
/** SQLite numbers schemas: `main`, `temp`, and then what is attached. */
const FIRST_ATTACHED = 2;
/** The functions that write while rows are read: one of FTS3 and FTS4 tables, and the PRAGMA as a table. */
const OPTIMIZE = 'optimize';
const OPTIMIZE_TABLE = 'pragma_optimize';
const FUNCTION = /^(?:Pure)?Func(?:tion)?$/;
/** A query of the journal mode. */
const NO_MODE = -1;
/** What SQLite calls a transaction beside which nobody else may read. */
const EXCLUSIVE = 2;

export class AttachedFiles {
  readonly #internals: Internals;
  /** The own file may be written to; otherwise SQLite opens the attached ones like that, too. */
  readonly #mayWrite: boolean;
  /** By folded name. */
  readonly #files = new Map<string, Pick<AttachedFile, 'name' | 'isWritable'>>();
  /** The schema of `main` for which a statement was found to write to none: another program may give its names another meaning. */
  #found = new WeakMap<StatementShape, number>();

  constructor(internals: Internals, mayWrite: boolean) {
    this.#internals = internals;
    this.#mayWrite = mayWrite;
  }

  get names(): readonly string[] {
    return Array.from(this.#files.values(), ({ name }) => name);
  }

  add({ name, isWritable }: AttachedFile): void {
    this.#files.set(foldName(name), { name, isWritable });
    this.#changed();
  }

  remove(name: string): void {
    this.#files.delete(foldName(name));
    this.#changed();
  }

  /** Call when this connection may have given a name another meaning, other than by {@link assertKept}. */
  forget(): void {
    this.#found = new WeakMap();
  }

  /** Call before a statement runs. @throws AppError `unavailable` if it would write to an attached file, or take one away */
  assertKept({ sql, shape }: StatementToRun): void {
    if (this.#files.size === 0) return;
    if (!OF_ROWS.has(shape.verb)) this.forget();
    if (PASSED_OVER.has(shape.verb)) return;
    const version = this.#internals.schemaVersion;
    if (this.#found.get(shape) === version) return;
    this.#internals.loadSchema();
    const program = this.#internals.db.explain(sql);
    if (shape.verb === 'detach') this.#assertNotDetached(program);
    else this.#assertNotWritten(program, shape);
    this.#found.set(shape, version);
  }

  /**
   * Call before a file is attached. What a temporary view or trigger does is not seen later, where only its name is; SQLite itself
   * refuses these functions in those of files. @param isOurs a trigger @throws AppError `unavailable`
   */
  assertNoneOptimizes(isOurs: (trigger: string) => boolean): void {
    const rows = this.#internals.db
      .prepare("SELECT name, sql FROM temp.sqlite_schema WHERE type IN ('view', 'trigger')")
      .raw(true)
      .all();
    for (const [name, sql] of rows as readonly (readonly [string, string | null])[]) {
      const names = namesIn(sql ?? '');
      if (isOurs(name) || (!names.has(OPTIMIZE) && !names.has(OPTIMIZE_TABLE))) continue;
      throw AppError.unavailable(
        `Nothing was attached, because the temporary “${name}” names “optimize”, which could write to the file. Drop “${name}” first.`,
      );
    }
  }

  /** Call before a statement is prepared: SQLite changes the locks of all files while it prepares this PRAGMA. @throws AppError `unavailable` */
  assertNotLocking(sql: string): void {
    if (this.#files.size === 0 || !/locking_mode/i.test(sql)) return;
    const { verb, target } = readStatement(sql) ?? {};
    const isOfMain = verb === 'pragma' && foldName(target?.schema ?? '') === 'main';
    if (isOfMain || (verb !== 'pragma' && verb !== 'explain')) return;
    throw AppError.unavailable(
      'While files are attached, this PRAGMA could lock them for other programs. Nothing was changed: use PRAGMA main.locking_mode instead.',
    );
  }

  /**
   * Call when a statement was prepared. SQLite takes one whose functions write while rows are read for a read-only one.
   * @throws AppError `unavailable`
   */
  assertNotOptimizing(sql: string): void {
    if (this.#files.size === 0 || !/optimize/i.test(sql) || /^explain/i.test(sql)) return;
    const names = namesIn(sql);
    const what = names.has(OPTIMIZE_TABLE)
      ? OPTIMIZE_TABLE
      : names.has(OPTIMIZE) && this.#callsOptimize(sql)
        ? 'optimize() of full-text tables'
        : null;
    if (what === null) return;
    throw AppError.unavailable(
      `While files are attached, ${what} is not available: it could write to them. Nothing was changed.`,
    );
  }

  /** True also for each CREATE: when the view or trigger is used later, only its name is seen. */
  #callsOptimize(sql: string): boolean {
    if (/^create/i.test(sql)) return true;
    const program = this.#internals.db.explain(sql);
    return program.some(({ opcode, p4 }) => FUNCTION.test(opcode) && /^optimize\(/i.test(p4 ?? ''));
  }

  #changed(): void {
    this.forget();
    this.#internals.locksMainOnly = this.#mayWrite && [...this.#files.values()].some(({ isWritable }) => !isWritable);
  }

  #assertNotDetached(program: readonly ProgramStep[]): void {
    const name = schemaDetached(program);
    if (name !== null && !this.#files.has(foldName(name))) return;
    throw AppError.unavailable(
      `“${name ?? this.names[0]!}” was attached outside of SQL, so SQL does not detach it. Nothing was changed.`,
    );
  }

  #assertNotWritten(program: readonly ProgramStep[], { verb, target }: StatementShape): void {
    const attached = this.#internals.attachedNames;
    for (const step of program) {
      const reached = writesTo(step, verb);
      if (reached === null || reached < FIRST_ATTACHED) continue;
      const name = attached.get(reached);
      // A checkpoint of all schemas has a number that none of them has.
      const names = name === undefined ? this.names : [name];
      const file = names.map((one) => this.#files.get(foldName(one))).find((one) => one?.isWritable === false);
      if (file === undefined) continue;
      const isOfAll = target === null || (target.schema === null && verb === 'pragma');
      throw refused(file.name, verb, isOfAll ? OF_ALL[verb] : undefined);
    }
  }
}

/** The number of the schema that a step writes to or locks for others; null: none. */
function writesTo({ opcode, p1, p2, p3 }: ProgramStep, verb: Verb): number | null {
  // BEGIN IMMEDIATE is run in another way: see `Internals.beginMain`.
  if (opcode === 'Transaction') return p2 >= (verb === 'begin' ? EXCLUSIVE : 1) ? p1 : null;
  if (opcode === 'JournalMode') return p3 === NO_MODE ? null : p1;
  return opcode === 'Vacuum' || opcode === 'Checkpoint' ? p1 : null;
}

function refused(name: string, verb: Verb, instead: string | undefined): AppError {
  if (verb === 'begin')
    return AppError.unavailable(
      `BEGIN EXCLUSIVE would lock “${name}”, which is attached read-only, for other programs. BEGIN IMMEDIATE locks only the database itself.`,
    );
  const what = `“${name}” is attached read-only, so this statement cannot write to it.`;
  return AppError.unavailable(
    inParts(what, instead === undefined ? 'Nothing was changed.' : `Nothing was changed: use ${instead} instead.`),
  );
}

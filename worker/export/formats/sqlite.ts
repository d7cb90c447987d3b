// A SQLite file with chosen tables: built in a scratch database, which becomes the file.
import { CellType } from '#shared/packed-rows/format.ts';
import { toAppError, whatHappened } from '#shared/protocol/errors.ts';
import type { Connection } from '../../engines/engine.ts';
import { insertFields } from '../../engines/insert-fields.ts';
import type { RecordInsert } from '../../engines/record-insert.ts';
import { VERSION_BYTES } from '../../library/export.ts';
import { CHUNK_BYTES } from '../../library/files.ts';
import { withoutUnknownCollations } from '../../schema/declared-collations.ts';
import { BatchWriter } from '../../records/batch-writer.ts';
import { splitStatements } from '#shared/split-statements.ts';
import { quoteName } from '../../sql/quote.ts';
import type { Cells } from '../cells.ts';
import { uniqueNames, type RowsHead, type SchemaObject } from '../rows-head.ts';
import { defineTrigger } from '../define-trigger.ts';
import { dumpParts } from '../dump-parts.ts';
import type { ExportFormat, FormatJob, FormatWriter } from '../format.ts';
import { addField } from '../packed-records.ts';
import type { TextPart } from '../part.ts';
import { createTable } from './sql.ts';

/** Bytes after which written pages move from the WAL into the file, so that the WAL does not become as large as the file. */
const COMMIT_BYTES = 64 * 2 ** 20;
/** File format versions of a file without a WAL. */
const PLAIN = 1;

class DatabaseWriter implements FormatWriter {
  readonly #job: FormatJob;
  readonly #to: Connection;
  readonly #batch = new BatchWriter();
  readonly #views: SchemaObject[] = [];
  /** Names of objects that were left out. */
  readonly #refused = new Set<string>();
  #insert: RecordInsert | null = null;
  #places: readonly number[] = [];
  #after: readonly SchemaObject[] = [];
  #record = 0;
  #uncommittedBytes = 0;

  constructor(job: FormatJob) {
    this.#job = job;
    this.#to = job.scratch!;
    this.#to.run('PRAGMA foreign_keys = OFF');
    // All rows of a table are exported, even if they violate its constraints; only values that SQLite itself cannot store are left out.
    this.#to.run('PRAGMA ignore_check_constraints = ON');
    this.#to.run('BEGIN');
  }

  run({ text, isFrame, defines, isKept = false, isStored }: TextPart): void {
    if (isFrame) return;
    if (defines?.type !== 'view') this.#checkViews();
    if (defines && isStored) this.#store(defines, text);
    else if (defines) this.#define(defines, isKept);
    else for (const { from, to } of splitStatements(text)) this.#try(text.slice(from, to));
  }

  begin(head: RowsHead): void {
    const columns = head.columns.filter((column) => !head.generated.has(column.name));
    const names = uniqueNames(
      columns.map(({ name }) => name),
      true,
    );
    this.#after = [];
    if (!this.#has(head.name)) {
      for (const object of head.ddl?.before ?? []) this.#define(object);
      if (!this.#has(head.name)) this.#standIn(head.name, createTable(head.name, names, columns));
      this.#after = head.ddl?.after ?? [];
    }
    this.#places = columns.map(({ place }) => place);
    this.#insert = insertFields(this.#to, head.name, names);
  }

  /** Creates a table for rows whose table has no definition, or one that SQLite cannot use here. */
  #standIn(name: string, sql: string): void {
    this.#to.run(sql);
    if (this.#refused.has(name)) this.#job.losses.say(`The rows of “${name}” are in a plain table instead.`);
  }

  rows(cells: Cells, from: number, to: number): void {
    for (let row = from; row < to; row++) {
      this.#batch.begin(++this.#record);
      for (const place of this.#places) this.#field(cells, row * cells.columnCount + place);
      this.#batch.end();
      if (this.#batch.isFull) this.#write();
    }
    this.#write();
    if (this.#uncommittedBytes >= COMMIT_BYTES) this.#commit();
  }

  end(): void {
    this.#insert?.close();
    this.#insert = null;
    for (const object of this.#after) this.#define(object);
  }

  finish(): void {
    this.#checkViews();
    this.#to.run('COMMIT');
  }

  *file(): Iterable<Uint8Array> {
    this.#to.checkpoint();
    const whole = this.#to.plainContent?.() ?? null;
    const size = whole?.length ?? this.#to.fileSizeBytes;
    for (let offset = 0; offset < size; offset += CHUNK_BYTES) {
      const bytes = whole?.slice(offset, offset + CHUNK_BYTES) ?? this.#to.readFile(offset, CHUNK_BYTES);
      if (offset === 0) for (const at of VERSION_BYTES) bytes[at] = PLAIN;
      yield bytes;
    }
  }

  dispose(): void {
    this.#insert?.close();
  }

  #field(cells: Cells, cell: number): void {
    const type = cells.types[cell];
    if (type === CellType.text || type === CellType.blob) this.#uncommittedBytes += cells.length(cell);
    addField(cells, cell, this.#batch);
  }

  #write(): void {
    const batch = this.#batch.take();
    this.#uncommittedBytes += batch.recordEnds[batch.records - 1] ?? 0;
    this.#insert!.load(batch);
    this.#insert!.run(0, { deadlineMs: Infinity, refused: () => this.#job.losses.note('refusedRow') });
    this.#batch.clear();
  }

  #commit(): void {
    this.#to.run('COMMIT');
    this.#to.checkpoint();
    this.#to.run('BEGIN');
    this.#uncommittedBytes = 0;
  }

  #has(name: string): boolean {
    return this.#to.one('SELECT 1 FROM main.sqlite_schema WHERE name = ? COLLATE NOCASE', [name]) !== null;
  }

  /** The definition comes from an untrusted file. */
  #define(object: SchemaObject, isKept = false): void {
    const { type, name, sql } = object;
    const isVirtual = type === 'table' && /^\s*create\s+virtual\s/i.test(sql);
    try {
      this.#to.assertDefines?.(sql, { kind: isVirtual ? 'virtual' : type, name });
      if (type === 'trigger' && !isKept) return defineTrigger(this.#to, object);
      this.#to.run(sql);
      if (type === 'view' && !isKept) this.#views.push(object);
    } catch (thrown) {
      const plainer = type === 'table' ? withoutUnknownCollations(sql) : null;
      if (plainer === null) return this.#leftOut(object, thrown);
      this.#define({ ...object, sql: plainer }, isKept);
      if (this.#has(name))
        this.#job.losses.say(`The table “${name}” compares its text by bytes in the file. ${sentenceOf(thrown)}`);
    }
  }

  /** A scratch database in defensive mode does not accept it. */
  #store(object: SchemaObject, text: string): void {
    try {
      for (const { from, to } of splitStatements(text)) this.#to.run(text.slice(from, to));
    } catch {
      this.#to.run('PRAGMA writable_schema = OFF');
      this.#define(object);
    }
  }

  /** Views may use each other, so they are checked once all exist. SQLite decides whether a view can be read. */
  #checkViews(): void {
    for (const view of this.#views.splice(0))
      try {
        this.#to.check(`SELECT * FROM main.${quoteName(view.name)}`);
      } catch (thrown) {
        this.#to.run(`DROP VIEW main.${quoteName(view.name)}`);
        this.#leftOut(view, thrown);
      }
  }

  #leftOut({ type, name }: SchemaObject, thrown: unknown): void {
    this.#refused.add(name);
    this.#job.losses.say(`The ${type} “${name}” was left out. ${sentenceOf(thrown)}`);
  }

  /** Runs a statement that improves the file but is not part of its content. */
  #try(sql: string): void {
    try {
      this.#to.run(sql);
    } catch (thrown) {
      this.#job.losses.say(`Not everything could be set up in the file. ${sentenceOf(thrown)}`);
    }
  }
}

const sentenceOf = (thrown: unknown): string => whatHappened(toAppError(thrown)).replace(/[^.]$/, '$&.');

export const SQLITE: ExportFormat = {
  info: {
    id: 'sqlite',
    label: 'SQLite database',
    extension: 'sqlite',
    mediaType: 'application/vnd.sqlite3',
    options: [],
    cannotHold: [
      'Indexes and triggers of the tables are included. Views and triggers that use tables not in the file are left out.',
    ],
    sources: ['table', 'result', 'query', 'tables', 'schema', 'database'],
    isBinary: true,
  },
  needsScratch: true,
  start: (_out, job) => new DatabaseWriter(job),
  parts(connection, source) {
    if (source.kind === 'database' || source.kind === 'schema')
      return dumpParts(connection, source.kind === 'database');
    if (source.kind === 'tables')
      return dumpParts(connection, source.withoutRows !== true, new Set(source.tables), source);
    const isWhole =
      source.kind === 'table' &&
      [source.rows, source.columns, source.where].every((part) => part === undefined) &&
      [source.filter, source.sort].every((part) => (part?.length ?? 0) === 0);
    return isWhole && isTable(connection, source.table) ? dumpParts(connection, true, new Set([source.table])) : null;
  },
};

const isTable = (connection: Connection, name: string): boolean =>
  connection.one("SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ?", [name]) !== null;

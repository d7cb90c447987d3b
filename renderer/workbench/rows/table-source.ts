// A grid source for one table, view or virtual table: a reader in the worker, and its change events.
import type {
  Column,
  DatabaseId,
  Extent,
  ReaderInfo,
  RowsPage,
  TableDetail,
  Value,
  WatchedRange,
} from '#shared/protocol/index.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { capabilitiesOf } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { isDateType } from '../../grid/paint/special-display.ts';
import type { TableView } from '../tabs/table.ts';
import type { CellReference, GridColumn, GridSource, GridSourceEvent } from '../../grid/grid-source.ts';
import { PAGE_ROWS, type CachedRow } from '../../grid/rows/row-cache.ts';
import { HeldRows } from '../held/held-rows.ts';
import { OwnEdits, type ReadRows } from './own-edits.ts';
import { RecentPages } from './recent-pages.ts';
import { forgetRowCount, noteRowCount } from '../../state/schema.ts';

type RowsView = Pick<TableView, 'sort' | 'filter' | 'where'>;

export class TableSource implements GridSource {
  readonly database: DatabaseId;
  readonly detail: TableDetail;
  readonly info: ReaderInfo;
  readonly columns: readonly GridColumn[];
  readonly hiddenColumns: number;
  readonly keyColumns: readonly number[];
  readonly ownEdits: OwnEdits;
  readonly unsaved: HeldRows;
  #extent: Extent;
  #openedAtMs: number;
  #isClosed = false;
  #isHidden = false;
  /** How often the source was hidden: an answer that was on its way at that time says nothing about the rows on screen. */
  #hides = 0;
  readonly #recent = new RecentPages();
  /** Kept until the first page is asked for, or the rows have changed. */
  #ahead: { readonly start: number; readonly page: Promise<RowsPage>; readonly newest: number } | null = null;
  readonly #listeners = new Set<(event: GridSourceEvent) => void>();
  readonly #stopListening: readonly (() => void)[];

  /** The order and filter of these rows. The tab's own view may be newer until its rows are loaded. */
  view: RowsView;

  /** Rows that are read after an edit may not include it yet. */
  readonly #canFallBehind: boolean;

  private constructor(database: DatabaseId, detail: TableDetail, info: ReaderInfo, view: RowsView, openedAtMs: number) {
    this.database = database;
    this.#canFallBehind = !capabilitiesOf(database).rowsBeforeAnswer;
    this.ownEdits = new OwnEdits(this.#canFallBehind ? () => this.#ownEditsChanged() : null);
    this.view = view;
    this.detail = detail;
    this.info = info;
    this.#openedAtMs = openedAtMs;
    this.#extent = info.extent;
    this.hiddenColumns = info.hiddenColumns;
    this.keyColumns = info.key.columns;
    this.columns = info.columns
      .slice(info.hiddenColumns)
      .map((column) => gridColumnOf(column, this.#column(column.name), info));
    const unsaved: HeldRows = new HeldRows(
      {
        database,
        table: detail.name,
        info,
        ownEdits: this.#canFallBehind ? this.ownEdits : null,
        storedKeyOf: (rows, index) => this.#storedKeyOf(rows, index),
      },
      () => this.#tell({ kind: 'unsaved' }),
    );
    this.unsaved = unsaved;
    this.#stopListening = [
      () => unsaved.close(),
      client.on('rows.changed', ({ reader }) => reader === info.reader && this.#tell({ kind: 'changed' })),
      client.on('rows.patched', (patch) => {
        if (patch.reader !== info.reader) return;
        this.#learn(patch.extent, false);
        if (this.#canFallBehind) this.ownEdits.patched(this.#readRows(patch.rows));
        this.#tell({ kind: 'patched', patch });
      }),
      client.on(
        'rows.extentChanged',
        ({ reader, rows, exact }) => reader === info.reader && this.#learn({ rows, exact }, true),
      ),
    ];
    this.#noteCount();
  }

  /**
   * @param mayScan whether a server may read the whole table for the view
   * @throws AppError `sql` with the offset of the error in `view.where`; `refused` with `detail.kind` `whole-table`
   */
  static async open(database: DatabaseId, table: string, view: RowsView, mayScan = false): Promise<TableSource> {
    const openedAtMs = performance.now();
    const { sort, filter, where } = view;
    const asked = { sort, filter, ...(where !== '' && { where }), ...(mayScan && { mayScan }) };
    // Both requests are sent together, because a person waits for each round trip to the worker.
    const [detail, info] = await Promise.allSettled([
      client.call('schema.table', { database, table }),
      client.call('rows.open', { database, table, ...asked }),
    ]);
    if (detail.status === 'rejected' && info.status === 'fulfilled') closeReader(info.value.reader);
    if (detail.status === 'rejected') throw detail.reason;
    if (info.status === 'rejected') throw info.reason;
    return new TableSource(database, detail.value, info.value, view, openedAtMs);
  }

  get extent(): Extent {
    return this.#extent;
  }

  /** Time when the rows on screen were asked for. */
  get openedAtMs(): number {
    return this.#openedAtMs;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  hasRowsOf(other: GridSource): boolean {
    return (
      other instanceof TableSource &&
      other.database === this.database &&
      other.detail.name === this.detail.name &&
      other.view.filter === this.view.filter &&
      other.view.where === this.view.where
    );
  }

  /** Stops showing these rows for now: how many there are is not known until they are watched again. */
  hide(): void {
    this.#isHidden = true;
    this.#hides++;
    forgetRowCount(this);
  }

  /** Call when these rows are shown again after a while: a grid begins with the pages that were on screen. */
  shownAgain(): void {
    this.#openedAtMs = performance.now();
    this.#recent.offer();
  }

  /** Begins to read the page that the grid will ask for first, because the grid takes longer to appear than the page to arrive. */
  readAhead(row: number): void {
    const start = Math.floor(row / PAGE_ROWS) * PAGE_ROWS;
    const page = client.call('rows.read', { reader: this.info.reader, start, count: PAGE_ROWS });
    page.catch(() => undefined); // the code that takes the page gets the failure
    this.#ahead = { start, page, newest: this.ownEdits.newest };
  }

  /** Resolves when the first page is loaded, or cannot be read: the grid then hears why. */
  async readFirst(): Promise<void> {
    // A server would be asked for rows that may not be on screen.
    if (!capabilitiesOf(this.database).freeReads) return;
    if (this.#ahead?.start !== 0) this.readAhead(0);
    await this.#ahead!.page.catch(() => undefined);
  }

  async read(start: number, count: number): Promise<RowsPage> {
    const ahead = this.#ahead?.start === start && count === PAGE_ROWS ? this.#ahead : null;
    this.#ahead = null;
    const { version } = this.#recent;
    const { newest } = ahead ?? this.ownEdits;
    const recent = ahead === null && count === PAGE_ROWS ? this.#recent.take(start) : null;
    const page = await (ahead?.page ?? recent ?? client.call('rows.read', { reader: this.info.reader, start, count }));
    this.#arrived(page, recent ? 0 : newest);
    if (count === PAGE_ROWS) this.#recent.note(page, version);
    return page;
  }

  async watch(range: WatchedRange | null): Promise<{ readonly watch: number; readonly page: RowsPage } | null> {
    if (this.#isClosed) return null;
    const hides = this.#hides;
    const { newest } = this.ownEdits;
    const answer = await client.call('rows.watch', { reader: this.info.reader, range });
    if (!answer) return null;
    this.#arrived(answer.page, newest);
    if (this.#isHidden && hides === this.#hides) {
      this.#isHidden = false;
      this.#noteCount();
    }
    return answer;
  }

  locate({ rows, index }: CachedRow): Promise<number | null> | null {
    const key = this.keyOf(rows, index);
    return key && this.find(key);
  }

  async readWhole(cell: CellReference): Promise<Value> {
    const key = this.keyOf(cell.rows, cell.index);
    if (!key) return cell.rows.value(cell.index, cell.column + this.hiddenColumns);
    const address = { table: this.detail.name, key, column: this.columns[cell.column]!.name };
    return (await client.call('cell.read', { database: this.database, cell: address })).value;
  }

  subscribe(listener: (event: GridSourceEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The key of a row; null if rows of this reader have no key, the key is too long to be loaded completely, or the row is not stored yet. */
  keyOf(rows: PackedRowsReader, index: number): readonly Value[] | null {
    const stored = this.unsaved.storedOf(rows, index);
    return stored && this.#storedKeyOf(stored.rows, stored.index);
  }

  #storedKeyOf(rows: PackedRowsReader, index: number): readonly Value[] | null {
    const { key } = this.info;
    if (key.kind === 'none' || key.columns.some((column) => rows.isPreview(index, column))) return null;
    return key.columns.map((column) => rows.value(index, column));
  }

  /** The declaration of a shown column; null if the table no longer has it. */
  declaration(column: number): Column | null {
    return this.#column(this.columns[column]?.name ?? '');
  }

  async find(key: readonly Value[]): Promise<number | null> {
    const { position } = await client.call('rows.find', { reader: this.info.reader, key });
    // The new extent may arrive later than the answer, and a grid does not scroll past its last row.
    if (position !== null && position >= this.#extent.rows) this.#learn({ rows: position + 1, exact: false }, true);
    return position;
  }

  /** Makes every page reload when it is next on screen. */
  refresh(): void {
    this.#tell({ kind: 'changed' });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const stop of this.#stopListening) stop();
    forgetRowCount(this);
    closeReader(this.info.reader);
  }

  /**
   * Whether SQLite numbers the column itself if it is left empty: an INTEGER PRIMARY KEY is an alias of the row id
   * (sqlite.org/rowidtable.html).
   */
  isNumberedBySqlite(column: number): boolean {
    return isRowIdAlias(this.declaration(column), this.info);
  }

  #column(name: string): Column | null {
    return this.detail.columns.find((column) => column.name === name) ?? null;
  }

  #learn(extent: Extent, isNews: boolean): void {
    const { rows, exact } = this.#extent;
    if (extent.rows === rows && extent.exact === exact) return;
    this.#extent = extent;
    this.#recent.extentChanged();
    this.#noteCount();
    if (isNews) this.#tell({ kind: 'extent' });
  }

  #noteCount(): void {
    const { rows, exact } = this.#extent;
    const { filter, where } = this.view;
    if (this.#isClosed || this.#isHidden || filter.length > 0 || where !== '') return;
    if (exact) noteRowCount(this, { database: this.database, table: this.detail.name, rows });
    else forgetRowCount(this);
  }

  /** Shows values that were just stored: rows of a server need a round trip until they have them. */
  #ownEditsChanged(): void {
    this.unsaved.ownEditsChanged();
    this.#tell({ kind: 'unsaved' });
  }

  /** @param newest the newest own edit when the reading began */
  #arrived({ rows, extent }: RowsPage, newest: number): void {
    this.#learn(extent, true);
    if (!this.#canFallBehind || this.ownEdits.isEmpty) return;
    this.ownEdits.read(this.#readRows(rows), newest);
    this.unsaved.ownEditsChanged();
  }

  #readRows(packed: PackedRows): ReadRows {
    const rows = new PackedRowsReader(packed);
    const keyOf = (index: number): readonly Value[] | null => this.#storedKeyOf(rows, index);
    return { rows, count: packed.rowCount, hiddenColumns: this.hiddenColumns, keyOf };
  }

  #tell(event: GridSourceEvent): void {
    if (event.kind !== 'extent' && event.kind !== 'unsaved') {
      // Rows of a server come later than the answer to an edit, and rows that come in between do not include it.
      if (!this.#canFallBehind) this.ownEdits.forget();
      this.unsaved.ownEditsChanged();
      this.#ahead = null;
      this.#recent.rowsChanged();
    }
    for (const listener of this.#listeners) listener(event);
  }
}

/** Closes the reader; after a lost connection it is closed already. */
const closeReader = (reader: ReaderInfo['reader']): void =>
  void client.call('rows.close', { reader }).catch(() => undefined);

/** @param column its declaration; null if the table no longer has it */
function gridColumnOf(
  { name, declaredType }: ReaderInfo['columns'][number],
  column: Column | null,
  info: ReaderInfo,
): GridColumn {
  const type = declaredType.toLowerCase();
  const isGenerated = column !== null && column.generated !== 'no';
  const emptyText = isRowIdAlias(column, info) ? 'automatic' : (column?.defaultSql ?? 'NULL');
  const label = column?.references ? `→ ${column.references.table}` : isGenerated ? `${type} generated`.trim() : type;
  const unknown = column?.unknownCollation;
  return {
    name,
    typeLabel: unknown === undefined ? label : `${label} (compared by bytes: no ${unknown} here)`.trim(),
    key: (column?.primaryKeyIndex ?? 0) > 0,
    link: Boolean(column?.references),
    holdsDates: isDateType(declaredType),
    defaultText: isGenerated ? 'generated' : emptyText,
  };
}

const isRowIdAlias = (column: Column | null, { key }: ReaderInfo): boolean =>
  key.kind === 'rowid' && column?.primaryKeyIndex === 1 && column.declaredType.toUpperCase() === 'INTEGER';

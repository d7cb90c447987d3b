// What is known of rows before the first of them: whose they are, their columns, and where these are in packed rows.

/** A column and where it is in the packed rows. */
export interface ExportColumn {
  readonly name: string;
  readonly declaredType: string;
  readonly place: number;
}

/** What is known of rows before the first of them. */
export interface RowsHead {
  /** The table they are of; what a result is called otherwise. */
  readonly name: string;
  readonly columns: readonly ExportColumn[];
  /** Columns that INSERT cannot fill, by name. */
  readonly generated: ReadonlySet<string>;
  /** What tells the rows apart; null: nothing does. */
  readonly key: readonly ExportColumn[] | null;
  /** Statements that create the table, and those that come after its rows; null: nobody knows any. */
  readonly ddl: { readonly before: readonly string[]; readonly after: readonly string[] } | null;
}

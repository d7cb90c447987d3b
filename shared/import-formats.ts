// The formats rows are imported from: what people call them, and what their files end in. How each is read: worker/import/formats.

interface NamedImportFormat {
  /** Stored with recipes: never rename. */
  readonly id: string;
  readonly title: string;
  /** Extensions without the dot. Files with other extensions are tried, too, by their content. */
  readonly extensions: readonly string[];
}

export const NAMED_IMPORT_FORMATS = [
  { id: 'csv', title: 'CSV, TSV', extensions: ['csv', 'tsv', 'tab', 'txt', 'psv'] },
  { id: 'json', title: 'JSON', extensions: ['json'] },
  { id: 'ndjson', title: 'NDJSON', extensions: ['ndjson', 'jsonl'] },
  { id: 'xlsx', title: 'Excel (XLSX)', extensions: ['xlsx'] },
  { id: 'parquet', title: 'Parquet', extensions: ['parquet'] },
  { id: 'sql', title: 'SQL', extensions: ['sql'] },
  // Files with a name of this kind are opened as databases, unless they are chosen to be imported.
  { id: 'sqlite', title: 'SQLite database', extensions: [] },
] as const satisfies readonly NamedImportFormat[];

export type ImportFormatId = (typeof NAMED_IMPORT_FORMATS)[number]['id'];

/** What the numbers count by which the rows of a file are found: lines of text, or the rows themselves. */
export const placeWord = (format: ImportFormatId): 'Line' | 'Row' =>
  format === 'json' || format === 'xlsx' || format === 'parquet' ? 'Row' : 'Line';

/** They are made of tables, not of rows of one. */
export const holdsTables = (format: ImportFormatId): boolean => format === 'sql' || format === 'sqlite';

/** Extensions of SQLite files offered when choosing files to import. */
export const DATABASE_EXTENSIONS: readonly string[] = ['db', 'sqlite', 'sqlite3', 'db3', 's3db', 'sl3'];

export const IMPORTED_EXTENSIONS: readonly string[] = NAMED_IMPORT_FORMATS.flatMap(({ extensions }) => extensions);

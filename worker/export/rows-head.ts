// Facts known before the first row: the table, the columns, and where these are in packed rows.

/** A column and where it is in the packed rows. */
export interface ExportColumn {
  readonly name: string;
  readonly declaredType: string;
  readonly place: number;
}

/** Facts known before the first row. */
export interface RowsHead {
  /** The table of the rows, or the name of a result. */
  readonly name: string;
  readonly columns: readonly ExportColumn[];
  /** Columns that INSERT cannot fill, by name. */
  readonly generated: ReadonlySet<string>;
  /** The columns that identify a row; null when there are none. */
  readonly key: readonly ExportColumn[] | null;
  /** Statements that create the table, and those after its rows; null when no definition is known. */
  readonly ddl: { readonly before: readonly SchemaObject[]; readonly after: readonly SchemaObject[] } | null;
}

/** An object of a schema and the statement that creates it. */
export interface SchemaObject {
  readonly type: 'table' | 'index' | 'view' | 'trigger';
  readonly name: string;
  /** The table or view it belongs to; for a table or view, its own name. */
  readonly table: string;
  readonly sql: string;
}

/** The names in order; a repeated name gets a number. Names that differ only in case are the same in SQL. */
export function uniqueNames(names: readonly string[], ignoresCase: boolean): string[] {
  const taken = new Set<string>();
  const folded = (name: string): string => (ignoresCase ? name.toLowerCase() : name);
  return names.map((name) => {
    let free = name;
    for (let number = 2; taken.has(folded(free)); number++) free = `${name}_${number}`;
    taken.add(folded(free));
    return free;
  });
}

// The contents of a CREATE TABLE statement, with their positions in the text.

/** A range of the text, in UTF-16 code units; `to` is exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A name without quotes; its span includes them. */
export interface Name {
  readonly name: string;
  readonly span: Span;
}

/** SQL that is not parsed further: its text as written, including comments, without surrounding white space. */
export interface SqlPart {
  readonly sql: string;
  readonly span: Span;
}

/** Affinity of a column that is not in a STRICT table (sqlite.org/datatype3.html#determination_of_column_affinity). */
export type Affinity = 'INTEGER' | 'TEXT' | 'BLOB' | 'REAL' | 'NUMERIC';
export type OnConflict = 'ROLLBACK' | 'ABORT' | 'FAIL' | 'IGNORE' | 'REPLACE';
export type SortOrder = 'ASC' | 'DESC';
export type ReferenceAction = 'NO ACTION' | 'RESTRICT' | 'SET NULL' | 'SET DEFAULT' | 'CASCADE';

/**
 * A comment belongs to the element before it on the same line, before or after the comma; otherwise to the element that starts after it on
 * the same line or right below it. A comment with an empty line below it, on the line of the opening parenthesis, or on lines of its own
 * after the last element belongs to no element and always stays.
 */
export interface Comment {
  /** The text without comment markers; adjacent comments are joined by newlines. */
  readonly text: string;
  readonly span: Span;
}

/** Comments that move with an element of a list, except those inside it. */
export interface CommentsOf {
  /** The comment a form shows: the one after the element, otherwise the ones above it. */
  readonly comment: Comment | null;
  readonly behind: readonly Span[];
  readonly above: readonly Span[];
}

/** The name and extent of a constraint; the span includes `CONSTRAINT name` if present. */
interface ConstraintBase {
  readonly name: Name | null;
  readonly span: Span;
}

export interface NotNullConstraint extends ConstraintBase {
  readonly kind: 'not-null';
  readonly onConflict: OnConflict | null;
}

/** A bare `NULL`, which SQLite reads and ignores. */
interface NullConstraint extends ConstraintBase {
  readonly kind: 'null';
}

interface DefaultConstraint extends ConstraintBase {
  readonly kind: 'default';
  /** Includes the parentheses of an expression: `0`, `-1`, `'a'`, `CURRENT_TIMESTAMP`, `(1 + 1)`. */
  readonly value: SqlPart;
}

interface CollateConstraint extends ConstraintBase {
  readonly kind: 'collate';
  readonly collation: Name;
}

export interface CheckConstraint extends ConstraintBase {
  readonly kind: 'check';
  /** Excludes the parentheses. */
  readonly expression: SqlPart;
  /** SQLite parses it in CHECK of a table and ignores it. */
  readonly onConflict: OnConflict | null;
}

export interface GeneratedConstraint extends ConstraintBase {
  readonly kind: 'generated';
  /** Excludes the parentheses. */
  readonly expression: SqlPart;
  readonly storage: 'virtual' | 'stored';
}

/** A column of a primary key, of a UNIQUE constraint or of an index. */
export interface IndexedColumn {
  /** Null for an expression, which only an index can have. */
  readonly column: Name | null;
  /** The column or expression without COLLATE and order. */
  readonly expression: SqlPart;
  readonly collation: Name | null;
  readonly order: SortOrder | null;
  readonly span: Span;
}

export interface PrimaryKeyConstraint extends ConstraintBase {
  readonly kind: 'primary-key';
  /** For a column constraint: that column with the order written there, and no span of its own. */
  readonly columns: readonly IndexedColumn[];
  readonly autoincrement: boolean;
  readonly onConflict: OnConflict | null;
}

export interface UniqueConstraint extends ConstraintBase {
  readonly kind: 'unique';
  readonly columns: readonly IndexedColumn[];
  readonly onConflict: OnConflict | null;
}

/** `REFERENCES` of a column, or a `FOREIGN KEY` of the table. */
export interface ForeignKeyConstraint extends ConstraintBase {
  readonly kind: 'foreign-key';
  readonly columns: readonly Name[];
  readonly table: Name;
  /** Empty: the primary key of the referenced table. */
  readonly referencedColumns: readonly Name[];
  readonly onDelete: ReferenceAction | null;
  readonly onUpdate: ReferenceAction | null;
  /** Parsed and ignored by SQLite. */
  readonly match: Name | null;
  /** Checked at the end of the transaction, which only `DEFERRABLE INITIALLY DEFERRED` causes. */
  readonly deferred: boolean;
  /** `[NOT] DEFERRABLE …` as written; null if absent. */
  readonly deferrable: SqlPart | null;
}

export type ColumnConstraint =
  | NotNullConstraint
  | NullConstraint
  | DefaultConstraint
  | CollateConstraint
  | CheckConstraint
  | GeneratedConstraint
  | PrimaryKeyConstraint
  | UniqueConstraint
  | ForeignKeyConstraint;

export type TableConstraint = PrimaryKeyConstraint | UniqueConstraint | CheckConstraint | ForeignKeyConstraint;

export interface ColumnModel extends CommentsOf {
  readonly name: Name;
  /** The type as written; null if absent. */
  readonly type: SqlPart | null;
  readonly affinity: Affinity;
  readonly constraints: readonly ColumnConstraint[];
  /** Span from its name to its last token. */
  readonly span: Span;
}

/** A constraint of the table; columns have theirs in {@link ColumnModel}. */
export interface TableConstraintElement extends CommentsOf {
  readonly constraint: TableConstraint;
  readonly span: Span;
}

export interface TableModel {
  readonly understood: true;
  readonly kind: 'table';
  readonly text: string;
  readonly schema: Name | null;
  readonly name: Name;
  readonly temporary: boolean;
  readonly ifNotExists: boolean;
  readonly columns: readonly ColumnModel[];
  readonly constraints: readonly TableConstraintElement[];
  readonly strict: boolean;
  readonly withoutRowid: boolean;
  /** The statement without any text after it. */
  readonly span: Span;
  /** Span between the parentheses. */
  readonly body: Span;
  /** The options after the parentheses, in order. */
  readonly options: readonly { readonly kind: 'strict' | 'without-rowid'; readonly span: Span }[];
}

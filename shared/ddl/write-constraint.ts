// Writes parts of a new CREATE TABLE statement.
import { writeName } from './names.ts';
import type { OnConflict, ReferenceAction, SortOrder } from './table-model.ts';

interface KeyColumnDefinition {
  readonly name: string;
  readonly order?: SortOrder | null;
  readonly collation?: string | null;
}

export interface PrimaryKeyDefinition {
  readonly columns: readonly KeyColumnDefinition[];
  /** Allowed only for a single INTEGER column. */
  readonly autoincrement?: boolean;
  readonly onConflict?: OnConflict | null;
}

export interface UniqueDefinition {
  readonly columns: readonly KeyColumnDefinition[];
  readonly onConflict?: OnConflict | null;
}

export interface ForeignKeyDefinition {
  readonly columns: readonly string[];
  readonly table: string;
  /** Empty: the primary key of that table. */
  readonly referencedColumns: readonly string[];
  readonly onDelete?: ReferenceAction | null;
  readonly onUpdate?: ReferenceAction | null;
  readonly deferred?: boolean;
}

interface ColumnDefinition {
  readonly name: string;
  readonly type?: string;
  readonly notNull?: boolean;
  readonly defaultSql?: string | null;
  readonly collation?: string | null;
}

export function writeColumn({ name, type = '', notNull = false, defaultSql, collation }: ColumnDefinition): string {
  return joined(
    writeName(name),
    type,
    notNull && 'NOT NULL',
    collation != null && `COLLATE ${writeName(collation)}`,
    defaultSql != null && `DEFAULT ${defaultSql}`,
  );
}

/** Writes the key as a column constraint. */
export function writeColumnPrimaryKey({ columns, autoincrement, onConflict }: PrimaryKeyDefinition): string {
  return joined('PRIMARY KEY', columns[0]?.order, conflict(onConflict), autoincrement && 'AUTOINCREMENT');
}

export function writePrimaryKey({ columns, autoincrement, onConflict }: PrimaryKeyDefinition): string {
  const inside = joined(columns.map(writeKeyColumn).join(', '), autoincrement && 'AUTOINCREMENT');
  return joined(`PRIMARY KEY (${inside})`, conflict(onConflict));
}

export function writeUnique({ columns, onConflict }: UniqueDefinition): string {
  return joined(`UNIQUE (${columns.map(writeKeyColumn).join(', ')})`, conflict(onConflict));
}

function writeKeyColumn({ name, order, collation }: KeyColumnDefinition): string {
  return joined(writeName(name), collation != null && `COLLATE ${writeName(collation)}`, order);
}

/** Writes the key as a column constraint, or as the part after `FOREIGN KEY (…)`. */
export function writeReferences(key: ForeignKeyDefinition): string {
  const columns = key.referencedColumns.length > 0 && `(${key.referencedColumns.map(writeName).join(', ')})`;
  return joined(
    `REFERENCES ${writeName(key.table)}`,
    columns,
    key.onUpdate != null && `ON UPDATE ${key.onUpdate}`,
    key.onDelete != null && `ON DELETE ${key.onDelete}`,
    key.deferred === true && 'DEFERRABLE INITIALLY DEFERRED',
  );
}

export function writeForeignKey(key: ForeignKeyDefinition): string {
  return `FOREIGN KEY (${key.columns.map(writeName).join(', ')}) ${writeReferences(key)}`;
}

export function conflict(onConflict: OnConflict | null | undefined): string | false {
  return onConflict != null && `ON CONFLICT ${onConflict}`;
}

export function joined(...parts: readonly (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join(' ');
}

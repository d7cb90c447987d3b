// Describes which constraint refused a row. SQLite names its tables and columns only in the message.
/* oxlint-disable sidelite/text-decisions -- SQLite's own messages */

/** Extended result codes of SQLITE_CONSTRAINT (sqlite.org/rescode.html). */
const Extended = {
  check: 275, foreignKey: 787, notNull: 1299, primaryKey: 1555, trigger: 1811, unique: 2067, rowid: 2579,
  dataType: 3091,
} as const; // prettier-ignore

export interface ConstraintFacts {
  readonly text: string;
  /**
   * `kind` always; `table` and `columns` (comma-separated) when SQLite names them; `name`: the column, check, index or table that the error
   * is about.
   */
  readonly detail: Readonly<Record<string, string>>;
}

const FOREIGN_KEY: ConstraintFacts = {
  text: 'A foreign key would be violated: a row would refer to a row that does not exist.',
  detail: { kind: 'foreign-key' },
};

/** `message` is SQLite's, for example `UNIQUE constraint failed: Artist.Name`. */
export function describeConstraint(extended: number, message: string): ConstraintFacts {
  const subject = message.replace(/^[A-Z ]+ constraint failed: /, '');
  switch (extended) {
    case Extended.unique:
    case Extended.primaryKey:
    case Extended.rowid:
      return describeUnique(extended, subject);
    case Extended.notNull: {
      const { table, columns } = splitColumns(subject);
      return {
        text: `“${columns[0]}” of “${table}” cannot be NULL.`,
        detail: { kind: 'not-null', table, columns: columns.join(', '), name: columns[0]! },
      };
    }
    case Extended.check:
      return {
        text: `The check “${subject}” does not allow this value.`,
        detail: { kind: 'check', check: subject, name: subject },
      };
    case Extended.foreignKey:
      return FOREIGN_KEY;
    case Extended.trigger:
      // SQLite enforces ON DELETE RESTRICT and ON UPDATE RESTRICT by triggers of its own.
      if (message === 'FOREIGN KEY constraint failed') return FOREIGN_KEY;
      return { text: `A trigger rejected this: ${message}.`, detail: { kind: 'trigger' } };
    case Extended.dataType:
      return describeDataType(message);
    default:
      return { text: `SQLite rejected this: ${message}.`, detail: { kind: 'other' } };
  }
}

function describeUnique(extended: number, subject: string): ConstraintFacts {
  const index = /^index '([^]*)'$/.exec(subject)?.[1];
  if (index !== undefined) {
    return {
      text: `The unique index “${index}” already has an entry for these values.`,
      detail: { kind: 'unique', index, name: index },
    };
  }
  const { table, columns } = splitColumns(subject);
  const what =
    columns.length === 1
      ? `this “${columns[0]}”`
      : `this combination of ${columns.map((name) => `“${name}”`).join(', ')}`;
  const kind = extended === Extended.unique ? 'unique' : 'primary-key';
  return {
    text: `Another row of “${table}” already has ${what}.`,
    detail: { kind, table, columns: columns.join(', '), name: table },
  };
}

/** `cannot store TEXT value in INTEGER column t.c`, of STRICT tables; also `datatype mismatch` without names. */
function describeDataType(message: string): ConstraintFacts {
  const match = /^cannot store (\w+) value in (\w+) column ([^]*)$/.exec(message);
  if (match === null) return { text: `SQLite rejected this: ${message}.`, detail: { kind: 'data-type' } };
  const { table, columns } = splitColumns(match[3]!);
  return {
    text: `“${columns[0]}” of “${table}” accepts only ${match[2]} values, not ${match[1]}.`,
    detail: { kind: 'data-type', table, columns: columns.join(', '), name: columns[0]! },
  };
}

/** `t.a, t.b`. Names that contain dots or commas are ambiguous, which is acceptable in a message. */
function splitColumns(subject: string): { table: string; columns: string[] } {
  const dot = subject.indexOf('.');
  if (dot < 0) return { table: '', columns: [subject] };
  const table = subject.slice(0, dot);
  return { table, columns: subject.slice(dot + 1).split(`, ${table}.`) };
}

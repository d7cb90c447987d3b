// Parses a CREATE TABLE statement.
import { affinityOf } from './affinity.ts';
import { withComments } from './comments.ts';
import {
  beginsColumnConstraint,
  beginsTableConstraint,
  readColumnConstraint,
  readTableConstraint,
} from './read-constraint.ts';
import { understand } from './statement-reader.ts';
import type { NotUnderstood, StatementReader } from './statement-reader.ts';
import type { ColumnModel, Name, Span, SqlPart, TableConstraintElement, TableModel } from './table-model.ts';

/** Takes time proportional to the text, and never throws. Does not check whether SQLite accepts the expressions. */
export function parseTable(text: string): TableModel | NotUnderstood {
  return understand(text, readTable);
}

type Commented = 'comment' | 'behind' | 'above';
type Column = Omit<ColumnModel, Commented | 'affinity'>;
type Constraint = Omit<TableConstraintElement, Commented>;

function readTable(reader: StatementReader): TableModel {
  const { from } = reader;
  const head = readHead(reader);
  if (reader.word === 'AS') reader.fail('The columns of this table come from a query.');
  reader.expect('(');
  const bodyFrom = reader.lastEnd;
  const columns: Column[] = [];
  const constraints: Constraint[] = [];
  do {
    if (beginsTableConstraint(reader)) break;
    columns.push(readColumn(reader));
  } while (reader.take(','));
  if (columns.length === 0) reader.fail('A table needs a column before its constraints.');
  // Constraints may follow each other without a comma, but not the last column, whose constraints they would be.
  while (reader.word !== ')') {
    const constraint = readTableConstraint(reader);
    constraints.push({ constraint, span: constraint.span });
    if (reader.take(',') && reader.word === ')') reader.fail('Expected a table constraint here.');
  }
  const body = { from: bodyFrom, to: reader.from };
  reader.expect(')');
  const options = readOptions(reader);
  const has = (kind: 'strict' | 'without-rowid'): boolean => options.some((option) => option.kind === kind);
  const strict = has('strict');
  const elements = withComments(reader.text, body, [...columns, ...constraints]);
  return {
    understood: true,
    kind: 'table',
    text: reader.text,
    ...head,
    columns: columns.map((column, index) => ({
      ...column,
      affinity: affinityOf(column.type?.sql ?? '', strict),
      ...elements[index]!,
    })),
    constraints: constraints.map((constraint, index) => ({ ...constraint, ...elements[columns.length + index]! })),
    strict,
    withoutRowid: has('without-rowid'),
    span: { from, to: reader.lastEnd },
    body,
    options,
  };
}

function readHead(reader: StatementReader): Pick<TableModel, 'temporary' | 'ifNotExists' | 'schema' | 'name'> {
  reader.expect('CREATE');
  const temporary = reader.take('TEMP') || reader.take('TEMPORARY');
  reader.expect('TABLE');
  const ifNotExists = reader.take('IF', 'NOT', 'EXISTS');
  return { temporary, ifNotExists, ...readQualifiedName(reader, 'the name of the table') };
}

/** `main.t`, or `t` alone. */
export function readQualifiedName(reader: StatementReader, what: string): { schema: Name | null; name: Name } {
  const first = reader.name(what);
  return reader.take('.') ? { schema: first, name: reader.name(what) } : { schema: null, name: first };
}

function readColumn(reader: StatementReader): Column {
  const { from } = reader;
  const name = reader.name('the name of a column');
  const type = readType(reader);
  const constraints = [];
  while (reader.word !== ',' && reader.word !== ')') constraints.push(readColumnConstraint(reader, name));
  return { name, type, constraints, span: { from, to: reader.lastEnd } };
}

/** Words or quoted names, followed by at most two numbers in parentheses. */
function readType(reader: StatementReader): SqlPart | null {
  const { from } = reader;
  if (!reader.isName || beginsColumnConstraint(reader)) return null;
  while (reader.isName && !beginsColumnConstraint(reader)) reader.next();
  if (reader.word === '(') {
    const { sql, span } = reader.parenthesized();
    if (!/^[-+]?[\w.]+\s*(,\s*[-+]?[\w.]+)?$/.test(sql)) reader.fail('Expected one or two numbers here.', span);
  }
  return reader.part(from, reader.lastEnd);
}

function readOptions(reader: StatementReader): TableModel['options'] {
  const options: { kind: 'strict' | 'without-rowid'; span: Span }[] = [];
  if (reader.isEnd || reader.word === ';') return options;
  do {
    const { from } = reader;
    const kind = reader.take('WITHOUT', 'ROWID') ? 'without-rowid' : 'strict';
    if (kind === 'strict') reader.expect('STRICT');
    options.push({ kind, span: { from, to: reader.lastEnd } });
  } while (reader.take(','));
  return options;
}

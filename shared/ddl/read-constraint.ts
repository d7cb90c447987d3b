// Parses one constraint, of a column or of a table (sqlite.org/syntax/column-constraint.html, table-constraint.html).
import type { StatementReader } from './statement-reader.ts';
import type {
  ColumnConstraint,
  ForeignKeyConstraint,
  IndexedColumn,
  Name,
  OnConflict,
  ReferenceAction,
  SortOrder,
  SqlPart,
  TableConstraint,
} from './table-model.ts';

/** Words that end the type of a column. */
const COLUMN_CONSTRAINTS = new Set(
  'CONSTRAINT NOT NULL PRIMARY UNIQUE CHECK DEFAULT COLLATE REFERENCES AS DEFERRABLE'.split(' '),
);

export function beginsColumnConstraint(reader: StatementReader): boolean {
  return COLUMN_CONSTRAINTS.has(reader.word) || reader.peek('GENERATED', 'ALWAYS', 'AS');
}

export function beginsTableConstraint(reader: StatementReader): boolean {
  return /^(CONSTRAINT|PRIMARY|UNIQUE|CHECK|FOREIGN)$/.test(reader.word);
}

export function readColumnConstraint(reader: StatementReader, column: Name): ColumnConstraint {
  const { from } = reader;
  const name = constraintName(reader);
  const rest = columnConstraint(reader, column);
  return { ...rest, name, span: { from, to: reader.lastEnd } };
}

export function readTableConstraint(reader: StatementReader): TableConstraint {
  const { from } = reader;
  const name = constraintName(reader);
  const rest = tableConstraint(reader);
  return { ...rest, name, span: { from, to: reader.lastEnd } };
}

function constraintName(reader: StatementReader): Name | null {
  return reader.take('CONSTRAINT') ? reader.name('the name of a constraint') : null;
}

type Unnamed<Constraint> = Constraint extends unknown ? Omit<Constraint, 'name' | 'span'> : never;

function columnConstraint(reader: StatementReader, column: Name): Unnamed<ColumnConstraint> {
  if (reader.take('NOT', 'NULL')) return { kind: 'not-null', onConflict: onConflict(reader) };
  if (reader.take('NULL')) {
    onConflict(reader);
    return { kind: 'null' };
  }
  if (reader.take('PRIMARY', 'KEY')) {
    const order = sortOrder(reader);
    const conflict = onConflict(reader);
    const autoincrement = reader.take('AUTOINCREMENT');
    return { kind: 'primary-key', columns: [itself(column, order)], autoincrement, onConflict: conflict };
  }
  if (reader.take('UNIQUE')) return { kind: 'unique', columns: [itself(column, null)], onConflict: onConflict(reader) };
  if (reader.take('CHECK')) return { kind: 'check', expression: reader.parenthesized(), onConflict: null };
  if (reader.take('DEFAULT')) return { kind: 'default', value: defaultValue(reader) };
  if (reader.take('COLLATE')) return { kind: 'collate', collation: reader.name('the name of a collation') };
  if (reader.take('REFERENCES')) return references(reader, [column]);
  if (reader.take('GENERATED', 'ALWAYS', 'AS') || reader.take('AS')) {
    const expression = reader.parenthesized();
    const storage = reader.take('STORED') ? 'stored' : 'virtual';
    if (storage === 'virtual') reader.take('VIRTUAL');
    return { kind: 'generated', expression, storage };
  }
  if (reader.word === 'DEFERRABLE' || reader.peek('NOT', 'DEFERRABLE'))
    reader.fail('DEFERRABLE must directly follow the REFERENCES clause that it applies to.');
  reader.fail('Expected a column constraint here.');
}

function tableConstraint(reader: StatementReader): Unnamed<TableConstraint> {
  if (reader.take('PRIMARY', 'KEY')) {
    reader.expect('(');
    const columns = keyColumns(reader);
    const autoincrement = reader.take('AUTOINCREMENT');
    reader.expect(')');
    return { kind: 'primary-key', columns, autoincrement, onConflict: onConflict(reader) };
  }
  if (reader.take('UNIQUE')) {
    reader.expect('(');
    const columns = keyColumns(reader);
    reader.expect(')');
    return { kind: 'unique', columns, onConflict: onConflict(reader) };
  }
  if (reader.take('CHECK')) {
    const expression = reader.parenthesized();
    return { kind: 'check', expression, onConflict: onConflict(reader) };
  }
  if (reader.take('FOREIGN', 'KEY')) {
    const columns = readNameList(reader);
    reader.expect('REFERENCES');
    return references(reader, columns);
  }
  reader.fail('Expected a table constraint here.');
}

/** The value of a DEFAULT: a literal, a signed number, a word, or an expression with its parentheses. */
function defaultValue(reader: StatementReader): SqlPart {
  const { from } = reader;
  if (reader.word === '(') {
    reader.parenthesized();
    return reader.part(from, reader.lastEnd);
  }
  while (reader.word === '+' || reader.word === '-') reader.next();
  if (!reader.isLiteral && !reader.isName && reader.word !== 'NULL') reader.fail('Expected the default value here.');
  reader.next();
  return reader.part(from, reader.lastEnd);
}

function references(reader: StatementReader, columns: readonly Name[]): Unnamed<ForeignKeyConstraint> {
  const table = reader.name('the table a foreign key refers to');
  const referencedColumns = reader.word === '(' ? readNameList(reader) : [];
  let onDelete: ReferenceAction | null = null;
  let onUpdate: ReferenceAction | null = null;
  let match: Name | null = null;
  for (;;) {
    if (reader.take('ON', 'DELETE')) onDelete = action(reader);
    else if (reader.take('ON', 'UPDATE')) onUpdate = action(reader);
    else if (reader.take('MATCH')) match = reader.name('the kind of MATCH');
    else break;
  }
  return { kind: 'foreign-key', columns, table, referencedColumns, onDelete, onUpdate, match, ...deferring(reader) };
}

function deferring(reader: StatementReader): Pick<ForeignKeyConstraint, 'deferred' | 'deferrable'> {
  const { from } = reader;
  const not = reader.take('NOT', 'DEFERRABLE');
  if (!not && !reader.take('DEFERRABLE')) return { deferred: false, deferrable: null };
  const isDeferred = reader.take('INITIALLY', 'DEFERRED');
  if (!isDeferred) reader.take('INITIALLY', 'IMMEDIATE');
  return { deferred: !not && isDeferred, deferrable: reader.part(from, reader.lastEnd) };
}

const ACTIONS: readonly ReferenceAction[] = ['SET NULL', 'SET DEFAULT', 'CASCADE', 'RESTRICT', 'NO ACTION'];

function action(reader: StatementReader): ReferenceAction {
  const found = ACTIONS.find((one) => reader.take(...one.split(' ')));
  return found ?? reader.fail('Expected SET NULL, SET DEFAULT, CASCADE, RESTRICT, or NO ACTION here.');
}

function onConflict(reader: StatementReader): OnConflict | null {
  if (!reader.take('ON', 'CONFLICT')) return null;
  const word = reader.word;
  if (!/^(ROLLBACK|ABORT|FAIL|IGNORE|REPLACE)$/.test(word))
    reader.fail('Expected ROLLBACK, ABORT, FAIL, IGNORE, or REPLACE here.');
  reader.next();
  return word as OnConflict;
}

function sortOrder(reader: StatementReader): SortOrder | null {
  if (reader.take('ASC')) return 'ASC';
  return reader.take('DESC') ? 'DESC' : null;
}

/** The single column of a column constraint. */
function itself(column: Name, order: SortOrder | null): IndexedColumn {
  return { column, expression: { sql: column.name, span: column.span }, collation: null, order, span: column.span };
}

export function readNameList(reader: StatementReader): Name[] {
  const names: Name[] = [];
  reader.expect('(');
  do names.push(reader.name('the name of a column'));
  while (reader.take(','));
  reader.expect(')');
  return names;
}

/** Columns of a PRIMARY KEY or UNIQUE constraint, which cannot be expressions. */
function keyColumns(reader: StatementReader): IndexedColumn[] {
  const columns = readIndexedColumns(reader, (word) => word === 'AUTOINCREMENT');
  const expression = columns.find(({ column }) => column === null);
  if (expression) reader.fail('Only column names are supported in a key.', expression.span);
  return columns;
}

/** Columns and expressions up to the closing parenthesis, which is not consumed. */
export function readIndexedColumns(reader: StatementReader, ends: (word: string) => boolean): IndexedColumn[] {
  const columns: IndexedColumn[] = [];
  do columns.push(indexedColumn(reader, (word) => word === ',' || word === ')' || ends(word)));
  while (reader.take(','));
  return columns;
}

/** A name, a call, a CASE or something in parentheses. */
function isOneOperand(tokens: readonly { readonly word: string }[]): boolean {
  const [open, close] = tokens[0]?.word === 'CASE' ? ['CASE', 'END'] : ['(', ')'];
  let depth = 0;
  return tokens.every(({ word }, index) => {
    depth += word === open ? 1 : word === close ? -1 : 0;
    const mayEnd = index === tokens.length - 1;
    return mayEnd ? depth === 0 : depth > 0 || (index === 0 && tokens[1]!.word === '(');
  });
}

function indexedColumn(reader: StatementReader, ends: (word: string) => boolean): IndexedColumn {
  const { from } = reader;
  const tokens: { readonly word: string; readonly name: Name | null; readonly to: number }[] = [];
  for (let depth = 0; !reader.isEnd && (depth > 0 || !ends(reader.word));) {
    const { word, isName } = reader;
    depth += word === '(' ? 1 : word === ')' ? -1 : 0;
    const name = isName ? reader.name('') : null;
    if (!isName) reader.next();
    tokens.push({ word, name, to: reader.lastEnd });
  }
  const to = reader.lastEnd;
  const last = tokens.at(-1)?.word;
  const order = tokens.length > 1 && (last === 'ASC' || last === 'DESC') ? last : null;
  if (order) tokens.pop();
  // After an operator, COLLATE applies only to the last operand (sqlite.org/lang_expr.html#operators_and_parse_affecting_attributes).
  const hasCollation = tokens.at(-2)?.word === 'COLLATE' && isOneOperand(tokens.slice(0, -2));
  const collation = hasCollation ? tokens.at(-1)!.name : null;
  if (collation) tokens.length -= 2;
  if (tokens.length === 0) reader.fail('Expected a column or an expression here.');
  const end = tokens.at(-1)!.to;
  // `(a)` is a column too.
  while (tokens.length > 2 && tokens[0]!.word === '(' && tokens.at(-1)!.word === ')') {
    tokens.shift();
    tokens.pop();
  }
  const column = tokens.length === 1 ? tokens[0]!.name : null;
  return { column, expression: reader.part(from, end), collation, order, span: { from, to } };
}

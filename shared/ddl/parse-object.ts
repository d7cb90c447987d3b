// Parses any CREATE statement: of a table, index, view, trigger or virtual table.
import { SqlScanner, Token, unquote } from '../sql-scanner.ts';
import { withComments } from './comments.ts';
import type { IndexModel, TriggerModel, ViewModel, VirtualArgument, VirtualTableModel } from './object-models.ts';
import { parseTable, readQualifiedName } from './parse-table.ts';
import { readIndexedColumns, readNameList } from './read-constraint.ts';
import { understand } from './statement-reader.ts';
import type { NotUnderstood, StatementReader } from './statement-reader.ts';
import type { CommentsOf, Name, Span, SqlPart, TableModel } from './table-model.ts';

export type ObjectModel = TableModel | IndexModel | ViewModel | TriggerModel | VirtualTableModel;

/** Takes time proportional to the text, and never throws. */
export function parseObject(text: string): ObjectModel | NotUnderstood {
  const kind = understand(text, kindOf);
  if (typeof kind !== 'string') return kind;
  if (kind === 'TABLE') return parseTable(text);
  return understand<ObjectModel>(text, READERS[kind]);
}

export function parseIndex(text: string): IndexModel | NotUnderstood {
  return understand(text, readIndex);
}

type Kind = 'TABLE' | 'INDEX' | 'VIEW' | 'TRIGGER' | 'VIRTUAL';

const READERS = { INDEX: readIndex, VIEW: readView, TRIGGER: readTrigger, VIRTUAL: readVirtualTable } as const;

function kindOf(reader: StatementReader): Kind {
  reader.expect('CREATE');
  for (const word of ['UNIQUE', 'TEMP', 'TEMPORARY']) reader.take(word);
  const { word } = reader;
  if (word !== 'TABLE' && !(word in READERS))
    reader.fail('Expected TABLE, INDEX, VIEW, TRIGGER, or VIRTUAL TABLE here.');
  // The reader for that kind continues from here.
  reader.skipTo(() => false);
  return word as Kind;
}

function readIndex(reader: StatementReader): IndexModel {
  const { from, text } = reader;
  reader.expect('CREATE');
  const unique = { from: reader.from, to: reader.from + 'UNIQUE'.length };
  const isUnique = reader.take('UNIQUE');
  reader.expect('INDEX');
  const ifNotExists = reader.take('IF', 'NOT', 'EXISTS');
  const names = readQualifiedName(reader, 'the name of the index');
  reader.expect('ON');
  const table = reader.name('the name of the table');
  reader.expect('(');
  const bodyFrom = reader.lastEnd;
  const columns = readIndexedColumns(reader, () => false);
  const body = { from: bodyFrom, to: reader.from };
  reader.expect(')');
  const where = reader.take('WHERE') ? toTheEnd(reader, 'a condition') : null;
  const comments = withComments(text, body, columns);
  return {
    understood: true,
    kind: 'index',
    text,
    ...names,
    ifNotExists,
    unique: isUnique ? unique : null,
    table,
    columns: columns.map((column, index) => ({ ...column, ...comments[index]! })),
    body,
    where,
    span: { from, to: reader.lastEnd },
  };
}

function toTheEnd(reader: StatementReader, what: string): SqlPart {
  const { from } = reader;
  const to = reader.skipTo((word) => word === ';');
  if (to <= from) reader.fail(`Expected ${what} here.`);
  return reader.part(from, to);
}

function readTemporary(reader: StatementReader, kind: string): { temporary: boolean; ifNotExists: boolean } {
  reader.expect('CREATE');
  const temporary = reader.take('TEMP') || reader.take('TEMPORARY');
  reader.expect(kind);
  return { temporary, ifNotExists: reader.take('IF', 'NOT', 'EXISTS') };
}

function readView(reader: StatementReader): ViewModel {
  const { from, text } = reader;
  const head = readTemporary(reader, 'VIEW');
  const names = readQualifiedName(reader, 'the name of the view');
  const columns = reader.word === '(' ? readNameList(reader) : null;
  reader.expect('AS');
  const query = toTheEnd(reader, 'a query');
  return {
    understood: true,
    kind: 'view',
    text,
    ...head,
    ...names,
    columns,
    query,
    span: { from, to: reader.lastEnd },
  };
}

function readTrigger(reader: StatementReader): TriggerModel {
  const { from, text } = reader;
  const head = readTemporary(reader, 'TRIGGER');
  const names = readQualifiedName(reader, 'the name of the trigger');
  const timingFrom = reader.from;
  const written = reader.take('INSTEAD', 'OF')
    ? 'INSTEAD OF'
    : (['BEFORE', 'AFTER'] as const).find((word) => reader.take(word));
  const timingSpan = { from: timingFrom, to: written === undefined ? timingFrom : reader.lastEnd };
  const eventFrom = reader.from;
  const event = (['INSERT', 'UPDATE', 'DELETE'] as const).find((word) => reader.take(word));
  if (!event) reader.fail('Expected INSERT, UPDATE, or DELETE here.');
  const columns: Name[] = [];
  if (event === 'UPDATE' && reader.take('OF')) {
    do columns.push(reader.name('the name of a column'));
    while (reader.take(','));
  }
  const eventSpan = { from: eventFrom, to: reader.lastEnd };
  reader.expect('ON');
  const table = readQualifiedName(reader, 'the name of the table').name;
  reader.take('FOR', 'EACH', 'ROW');
  const headEnd = reader.lastEnd;
  const whenFrom = reader.from;
  const when = reader.take('WHEN') ? condition(reader) : null;
  const whenSpan = when && { from: whenFrom, to: when.span.to };
  reader.expect('BEGIN');
  const bodyFrom = reader.from;
  const body = reader.part(bodyFrom, endOfBody(reader));
  reader.expect('END');
  return {
    understood: true,
    kind: 'trigger',
    text,
    ...head,
    ...names,
    timing: written ?? 'BEFORE',
    timingSpan,
    event,
    eventSpan,
    columns,
    table,
    when,
    whenSpan,
    headEnd,
    body,
    span: { from, to: reader.lastEnd },
  };
}

function condition(reader: StatementReader): SqlPart {
  const { from } = reader;
  return reader.part(
    from,
    reader.skipTo((word) => word === 'BEGIN'),
  );
}

/** Position after the last semicolon that END follows. */
function endOfBody(reader: StatementReader): number {
  let to = reader.from;
  while (!reader.isEnd && reader.word !== 'END') {
    reader.skipTo((word) => word === ';');
    reader.expect(';');
    to = reader.lastEnd;
  }
  return to;
}

function readVirtualTable(reader: StatementReader): VirtualTableModel {
  const { from, text } = reader;
  reader.expect('CREATE', 'VIRTUAL', 'TABLE');
  const ifNotExists = reader.take('IF', 'NOT', 'EXISTS');
  const names = readQualifiedName(reader, 'the name of the table');
  reader.expect('USING');
  const module = reader.name('the name of a module');
  const parts: SqlPart[] = [];
  let body: Span | null = null;
  if (reader.take('(')) {
    const bodyFrom = reader.lastEnd;
    for (let isFirst = true; isFirst || reader.take(','); isFirst = false) {
      const begin = reader.from;
      parts.push(
        reader.part(
          begin,
          reader.skipTo((word) => word === ',' || word === ')'),
        ),
      );
    }
    body = { from: bodyFrom, to: reader.from };
    reader.expect(')');
  }
  const isEmpty = parts.length === 1 && parts[0]!.sql === '';
  const comments = body === null ? [] : withComments(text, body, parts);
  const list = isEmpty ? [] : parts.map((part, at) => ({ ...readArgument(part), ...comments[at]! }));
  return {
    understood: true,
    kind: 'virtual',
    text,
    ...names,
    ifNotExists,
    module,
    arguments: list,
    body,
    span: { from, to: reader.lastEnd },
  };
}

function readArgument(part: SqlPart): Omit<VirtualArgument, keyof CommentsOf> {
  const scanner = new SqlScanner(part.sql);
  scanner.next();
  // R-Tree marks unindexed columns with a plus.
  if (scanner.text === '+') scanner.next();
  const isName = scanner.kind === Token.word || scanner.kind === Token.quoted || scanner.kind === Token.text;
  if (!isName) return { part, option: null, column: null };
  const name = scanner.kind === Token.word ? scanner.text : unquote(scanner.text);
  scanner.next();
  if (scanner.text !== '=') return { part, option: null, column: name };
  const value = part.sql.slice(scanner.to).trim();
  const isQuoted = /^(['"`])[^]*\1$/.test(value) && value.length > 1;
  return { part, option: { name, value: isQuoted ? unquote(value) : value }, column: null };
}

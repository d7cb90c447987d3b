// For tests of edits: one of each kind for a random table, with what it is expected to change.
import type { Random } from '../random.ts';
import { setCollation, setComment, setDefault, setGenerated, setNotNull, setType } from './edit-columns.ts';
import {
  addColumn, dropColumn, dropConstraint, moveColumn, positionOfPrimaryKey, renameColumn, renameTable, setCheck, setForeignKey, setOption,
  setPrimaryKey, setUnique,
} from './edit-table.ts'; // prettier-ignore
import { modelAsPragmas } from './pragma-facts.test-suite.ts';
import type { TableFacts } from './pragma-facts.test-suite.ts';
import type { TableModel } from './table-model.ts';

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

const NEW_NAMES = ['fresh', 'with two words', 'group', 'q"q', 'Größe', 'end2', '--', 'current_time'];

export interface Edit {
  readonly text: string;
  /** Indexes of the columns after it that may look different; null: any. */
  readonly touched: readonly number[] | null;
  readonly kinds: readonly string[];
  /** SQLite's own statement for the same change, if it has one. */
  readonly native?: string;
  readonly facts?: (facts: TableFacts) => TableFacts;
  /** Maps each column after the edit to the one it was before; without it, columns map by position. */
  readonly identity?: readonly (number | null)[];
  /** What the comment of the touched column may be after it. */
  readonly comments?: readonly string[];
}

type RandomEdit = (model: TableModel, random: Random) => Edit | null;

function withColumn(index: number, part: Partial<TableFacts['columns'][number]>): NonNullable<Edit['facts']> {
  return (facts) => ({ ...facts, columns: facts.columns.map((one, at) => (at === index ? { ...one, ...part } : one)) });
}

function unused(model: TableModel, random: Random): string {
  const taken = new Set(model.columns.map(({ name }) => name.name.toLowerCase()));
  return random.pick(NEW_NAMES.filter((name) => !taken.has(name.toLowerCase())));
}

/** `toSpliced` is newer than what `shared` may use. */
const spliced = <T>(list: readonly T[], at: number, removed: number, ...added: readonly T[]): T[] => [
  ...list.slice(0, at),
  ...added,
  ...list.slice(at + removed),
];

function isPlain(model: TableModel, index: number): boolean {
  return !model.columns[index]!.constraints.some(({ kind }) => kind === 'generated');
}

export const EDITS: Readonly<Record<string, RandomEdit>> = {
  'rename table': (model, random) => {
    const name = random.pick(NEW_NAMES);
    return {
      text: renameTable(model, name),
      touched: null,
      kinds: ['rename-table'],
      native: `RENAME TO ${quoted(name)}`,
    };
  },
  'rename column': (model, random) => {
    const index = random.between(0, model.columns.length - 1);
    const name = unused(model, random);
    const native = `RENAME COLUMN ${quoted(model.columns[index]!.name.name)} TO ${quoted(name)}`;
    return { text: renameColumn(model, index, name), touched: null, kinds: ['rename-column'], native };
  },
  'add column': (model, random) => {
    const index = random.between(0, model.columns.length);
    const name = unused(model, random);
    const comment = random.pick(['', '-- new, (', '/* new */']);
    const piece = { sql: `${quoted(name)} TEXT DEFAULT 'x'`, ...(comment && { behind: [comment] }) };
    const fact = { name, type: 'TEXT', notNull: false, defaultSql: "'x'", generated: 'no' as const, key: 0 };
    const identity = model.columns.map((_, at) => at as number | null);
    return {
      text: addColumn(model, index, piece),
      touched: [index],
      kinds: ['add-column'],
      facts: (facts) => ({ ...facts, columns: spliced<TableFacts['columns'][number]>(facts.columns, index, 0, fact) }),
      identity: spliced(identity, index, 0, null),
    };
  },
  'drop column': (model, random) => {
    const index = random.between(0, model.columns.length - 1);
    if (model.columns.length === 1) return null;
    const identity = spliced(
      model.columns.map((_, at) => at),
      index,
      1,
    );
    const native = `DROP COLUMN ${quoted(model.columns[index]!.name.name)}`;
    return { text: dropColumn(model, index), touched: null, kinds: ['drop-column'], native, identity };
  },
  'move column': (model, random) => {
    const [from, to] = [random.between(0, model.columns.length - 1), random.between(0, model.columns.length - 1)];
    const move = <T>(list: readonly T[]): T[] => spliced(spliced(list, from, 1), to, 0, list[from]!);
    return {
      text: moveColumn(model, from, to),
      touched: [],
      kinds: from === to ? [] : ['reorder-columns'],
      facts: (facts) => ({ ...facts, columns: move(facts.columns) }),
      identity: move(model.columns.map((_, at) => at)),
    };
  },
  'set type': (model, random) => {
    const index = random.between(0, model.columns.length - 1);
    const type = random.pick(model.strict ? ['TEXT', 'BLOB', 'ANY'] : ['TEXT', '', 'VARCHAR(7)', '"odd one"']);
    if (model.columns[index]!.constraints.some((one) => one.kind === 'primary-key')) return null;
    const isSame = (model.columns[index]!.type?.sql ?? '').toLowerCase() === type.toLowerCase();
    return {
      text: setType(model, index, type),
      touched: [index],
      kinds: isSame ? [] : ['set-type'],
      facts: withColumn(index, { type: type.replaceAll('"', '').toUpperCase() }),
    };
  },
  'set not null': (model, random) => {
    const index = random.between(0, model.columns.length - 1);
    const notNull = random.chance(0.5);
    const has = model.columns[index]!.constraints.some(({ kind }) => kind === 'not-null');
    if (modelAsPragmas(model).columns[index]!.key > 0) return null;
    return {
      text: setNotNull(model, index, notNull),
      touched: [index],
      kinds: has === notNull ? [] : ['set-not-null'],
      facts: withColumn(index, { notNull }),
    };
  },
  'set default': (model, random) => {
    const index = random.between(0, model.columns.length - 1);
    const value = random.pick([null, '-7', "'it''s, ('", '(1 + 2)', 'CURRENT_TIME']);
    if (!isPlain(model, index)) return null;
    const defaultSql = value === '(1 + 2)' ? '1 + 2' : value;
    const before = modelAsPragmas(model).columns[index]!.defaultSql;
    return {
      text: setDefault(model, index, value),
      touched: [index],
      kinds: before === defaultSql ? [] : ['set-default'],
      facts: withColumn(index, { defaultSql }),
    };
  },
  'set collation': (model, random) => {
    const index = random.between(0, model.columns.length - 1);
    const collation = random.pick([null, 'RTRIM']);
    return { text: setCollation(model, index, collation), touched: [index], kinds: ['set-collation?'] };
  },
  'set comment': (model, random) => {
    const index = random.between(0, model.columns.length - 1);
    const comment = random.pick([null, 'said */ here', 'one\n-- two', "it's"]);
    return {
      text: setComment(model, index, comment),
      touched: [index],
      kinds: ['set-text?'],
      facts: (facts) => facts,
      ...(comment !== null && { comments: [comment.replaceAll('*/', '* /'), comment, comment.replace('-- ', '')] }),
    };
  },
  'set generated': (model, random) => {
    const index = random.between(0, model.columns.length - 1);
    if (isPlain(model, index)) return null;
    const storage = random.pick(['stored', 'virtual'] as const);
    return {
      text: setGenerated(model, index, { expression: "'a' || ('b')", storage }),
      touched: [index],
      kinds: ['set-generated'],
      facts: withColumn(index, { generated: storage }),
    };
  },
  'set primary key': (model, random) => {
    const names = model.columns.filter((_, index) => isPlain(model, index)).map(({ name }) => name.name);
    const columns = names.slice(0, random.between(1, 2)).map((name) => ({ name }));
    if (
      model.strict ||
      model.withoutRowid ||
      columns.some(({ name }) =>
        model.columns.find((one) => one.name.name === name)!.constraints.some(({ kind }) => kind === 'primary-key'),
      )
    )
      return null;
    const key = (name: string): number => columns.findIndex((one) => one.name === name) + 1;
    return {
      text: setPrimaryKey(model, { columns }),
      touched: null,
      kinds: ['set-primary-key?'],
      facts: (facts) => ({
        ...facts,
        columns: facts.columns.map((one) => ({ ...one, key: key(one.name) })),
      }),
    };
  },
  'drop primary key': (model) => {
    if (model.withoutRowid || model.strict || !positionOfPrimaryKey(model)) return null;
    const facts = (before: TableFacts): TableFacts => ({
      ...before,
      columns: before.columns.map((one) => ({ ...one, key: 0 })),
    });
    return { text: setPrimaryKey(model, null), touched: null, kinds: ['set-primary-key'], facts };
  },
  'add unique': (model, random) => {
    const columns = model.columns
      .slice(0, random.between(1, 2))
      .map(({ name }) => ({ name: name.name, collation: 'RTRIM' }));
    return { text: setUnique(model, null, { columns }), touched: null, kinds: ['add-unique'] };
  },
  'add check': (model) => ({
    text: setCheck(model, null, "'(' <> ')' -- )\n"),
    touched: [],
    kinds: ['add-check'],
    facts: (facts) => facts,
  }),
  'add foreign key': (model, random) => {
    const columns = model.columns.slice(0, random.between(1, 2)).map(({ name }) => name.name);
    const key = {
      columns,
      table: 'other table',
      referencedColumns: columns,
      onDelete: 'CASCADE' as const,
      deferred: true,
    };
    return {
      text: setForeignKey(model, null, key),
      touched: columns.length === 1 ? [0] : [],
      kinds: ['add-foreign-key'],
    };
  },
  'drop constraint': (model, random) => {
    const index = model.constraints.length - 1;
    if (index < 0) return null;
    const { kind } = model.constraints[index]!.constraint;
    void random;
    if (kind === 'primary-key') return null;
    return { text: dropConstraint(model, { column: null, index }), touched: [], kinds: [`drop-${kind}`] };
  },
  'set strict': (model, random) => {
    const isOn = random.chance(0.5);
    return { text: setOption(model, 'strict', isOn), touched: [], kinds: model.strict === isOn ? [] : ['set-strict'] };
  },
  'set without rowid': (model, random) => {
    const isOn = random.chance(0.5);
    return {
      text: setOption(model, 'without-rowid', isOn),
      touched: [],
      kinds: model.withoutRowid === isOn ? [] : ['set-without-rowid'],
    };
  },
};

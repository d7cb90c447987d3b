// Edits of random tables: SQLite accepts the new text, it says that exactly the intended has changed, and everything else is as it was.
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import type { Random } from '../random.ts';
import { diffTable, identityByName } from './diff-table.ts';
import { setCollation, setComment, setDefault, setGenerated, setNotNull, setType } from './edit-columns.ts';
import {
  addColumn, constraintsOf, dropColumn, dropConstraint, moveColumn, positionOfPrimaryKey, renameColumn, renameTable, setCheck, setForeignKey,
  setOption, setPrimaryKey, setUnique,
} from './edit-table.ts'; // prettier-ignore
import { normalizeExpression } from './expressions.ts';
import { modelAsPragmas, pragmasOf } from './pragma-facts.ts';
import type { TableFacts } from './pragma-facts.ts';
import { parseTable } from './parse-table.ts';
import { randomTable } from './random-table.ts';
import type { TableModel } from './table-model.ts';

function understood(sql: string): TableModel {
  const model = parseTable(sql);
  if (!model.understood) throw new Error(`${model.reason} at ${model.span.from} of ${sql}`);
  return model;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

const NEW_NAMES = ['fresh', 'with two words', 'group', 'q"q', 'Größe', 'end2', '--', 'current_time'];

interface Edit {
  readonly text: string;
  /** Indexes of the columns after it that may look different; null: any. */
  readonly touched: readonly number[] | null;
  readonly kinds: readonly string[];
  /** SQLite's own statement for the same change, if it has one. */
  readonly native?: string;
  readonly facts?: (facts: TableFacts) => TableFacts;
  /** Maps each column after the edit to the one it was before; without it, columns map by position. */
  readonly identity?: readonly (number | null)[];
}

type RandomEdit = (model: TableModel, random: Random) => Edit | null;

function withColumn(index: number, part: Partial<TableFacts['columns'][number]>): NonNullable<Edit['facts']> {
  return (facts) => ({ ...facts, columns: facts.columns.map((one, at) => (at === index ? { ...one, ...part } : one)) });
}

function unused(model: TableModel, random: Random): string {
  const taken = new Set(model.columns.map(({ name }) => name.name.toLowerCase()));
  return random.pick(NEW_NAMES.filter((name) => !taken.has(name.toLowerCase())));
}

function isPlain(model: TableModel, index: number): boolean {
  return !model.columns[index]!.constraints.some(({ kind }) => kind === 'generated');
}

const EDITS: Readonly<Record<string, RandomEdit>> = {
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
      facts: (facts) => ({ ...facts, columns: facts.columns.toSpliced(index, 0, fact) }),
      identity: identity.toSpliced(index, 0, null),
    };
  },
  'drop column': (model, random) => {
    const index = random.between(0, model.columns.length - 1);
    if (model.columns.length === 1) return null;
    const identity = model.columns.map((_, at) => at).toSpliced(index, 1);
    const native = `DROP COLUMN ${quoted(model.columns[index]!.name.name)}`;
    return { text: dropColumn(model, index), touched: null, kinds: ['drop-column'], native, identity };
  },
  'move column': (model, random) => {
    const [from, to] = [random.between(0, model.columns.length - 1), random.between(0, model.columns.length - 1)];
    const move = <T>(list: readonly T[]): T[] => list.toSpliced(from, 1).toSpliced(to, 0, list[from]!);
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
    const text = setComment(model, index, comment);
    const kept = comment?.replaceAll('*/', '* /') ?? '';
    const after = understood(text).columns[index]!.comment?.text ?? '';
    if (comment !== null) expect([kept, comment, comment.replace('-- ', '')]).toContain(after);
    return { text, touched: [index], kinds: ['set-text?'], facts: (facts) => facts };
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

/** Says with a failure which texts it is about. */
function telling(text: string, run: () => void): void {
  try {
    run();
  } catch (error) {
    throw new Error(text, { cause: error });
  }
}

const accepted = new Map<string, number>();

function open(sql: string): Database.Database | null {
  const db = new Database(':memory:');
  try {
    db.exec(sql);
    return db;
  } catch {
    db.close();
    return null;
  }
}

for (const [name, edit] of Object.entries(EDITS)) {
  test(`${name}: exactly that, and nothing else, in 400 random tables`, () => {
    for (let seed = 0; seed < 400; seed += 1) {
      const random = createRandom(seed);
      const { sql } = randomTable(random);
      const db = open(sql);
      if (!db) continue;
      try {
        const model = understood(sql);
        const made = edit(model, random);
        if (made) telling(`${name}, seed ${seed}:\n${sql}\n→\n${made.text}`, () => check(name, db, model, made));
      } finally {
        db.close();
      }
    }
  });
}

function check(name: string, db: Database.Database, model: TableModel, edit: Edit): void {
  const after = understood(edit.text);
  expectUntouched(model, after, edit);
  const diff = diffTable(model, after, edit.identity ?? after.columns.map((_, index) => index));
  const kinds = [...new Set(diff.changes.map(({ kind }) => kind))];
  if (edit.kinds[0]?.endsWith('?')) {
    expect([[], [edit.kinds[0].slice(0, -1)], ['set-text']]).toContainEqual(kinds);
  } else if (name === 'drop column' || name === 'drop constraint') {
    expect(kinds).toContain(edit.kinds[0]);
  } else if (edit.kinds.length === 0) {
    expect([[], ['set-text']]).toContainEqual(kinds);
  } else {
    expect(kinds).toEqual(edit.kinds);
  }
  const made = open(edit.text);
  if (edit.native !== undefined) expectSameAsNative(db, made, model, after, edit.native);
  if (!made) return;
  accepted.set(name, (accepted.get(name) ?? 0) + 1);
  expect(pragmasOf(made, after.name.name)).toEqual(modelAsPragmas(after));
  const facts = edit.facts?.(pragmasOf(db, model.name.name));
  if (facts) expect(pragmasOf(made, after.name.name).columns).toEqual(facts.columns);
  made.close();
}

/** SQLite's own ALTER gives the same table, wherever it does the change at all. */
function expectSameAsNative(
  db: Database.Database,
  made: Database.Database | null,
  model: TableModel,
  after: TableModel,
  native: string,
): void {
  // prettier-ignore
  try {
    db.exec(`ALTER TABLE ${quoted(model.name.name)} ${native}`);
  } catch {
    return;
  }
  expect(made).not.toBeNull();
  expect(pragmasOf(made!, after.name.name)).toEqual(pragmasOf(db, after.name.name));
  const stored = understood(
    db
      .prepare("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .pluck()
      .get() as string,
  );
  expect(expressions(after)).toEqual(expressions(stored));
}

function expressions(model: TableModel): string[] {
  return constraintsOf(model).flatMap((one) => ('expression' in one ? [normalizeExpression(one.expression.sql)] : []));
}

/** Comments and the text of what was not meant are in the new text as they were in the old one. */
function expectUntouched(model: TableModel, after: TableModel, edit: Edit): void {
  if (edit.touched === null) return;
  const identity = edit.identity ?? after.columns.map((_, index) => index);
  after.columns.forEach((column, index) => {
    const old = model.columns[identity[index] ?? -1];
    if (!old || edit.touched!.includes(index)) return;
    // A comment inside of what is taken out may come to stand above the next column.
    const { above, ...rest } = textOf(after, column);
    const wanted = textOf(model, old);
    expect({ above: edit.touched!.includes(index - 1) ? wanted.above : above, ...rest }).toEqual(wanted);
  });
  expect(comments(after.text).sort()).toEqual(
    expect.arrayContaining(
      edit.kinds[0]?.startsWith('set-text') || edit.kinds[0]?.startsWith('drop-') ? [] : withoutThoseOf(model, edit),
    ),
  );
}

function textOf(
  { text }: TableModel,
  { span, above, behind }: Pick<TableModel['columns'][number], 'span' | 'above' | 'behind'>,
) {
  const slice = (part: { from: number; to: number }): string => text.slice(part.from, part.to);
  return { above: above.map(slice), own: slice(span), behind: behind.map(slice) };
}

function comments(text: string): string[] {
  const parts = text.match(/'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[^]*?\*\//g) ?? [];
  return parts.filter((part) => /^(--|\/\*)/.test(part));
}

/** Comments inside a part that is replaced or taken out go with it. */
function withoutThoseOf(model: TableModel, edit: Edit): string[] {
  const inside = (edit.touched ?? []).flatMap((index) => {
    const span = model.columns[index]?.span;
    return span ? comments(model.text.slice(span.from, span.to)) : [];
  });
  return comments(model.text).filter((comment) => !inside.includes(comment));
}

test('no edit changes no byte', () => {
  for (let seed = 0; seed < 400; seed += 1) {
    const { sql } = randomTable(createRandom(seed));
    const db = open(sql);
    if (!db) continue;
    db.close();
    const model = understood(sql);
    expect(renameTable(model, model.name.name)).toBe(sql);
    for (const [index, { name, type, comment, constraints }] of model.columns.entries()) {
      expect(renameColumn(model, index, name.name)).toBe(sql);
      expect(setType(model, index, type?.sql ?? '')).toBe(sql);
      expect(setComment(model, index, comment?.text ?? null)).toBe(sql);
      expect(
        setNotNull(
          model,
          index,
          constraints.some(({ kind }) => kind === 'not-null'),
        ),
      ).toBe(sql);
    }
    expect(diffTable(model, model, identityByName(model, model)).changes).toEqual([]);
  }
});

afterAll(() => {
  // Every kind of edit was accepted by SQLite often enough to say something.
  for (const name of Object.keys(EDITS)) expect([name, (accepted.get(name) ?? 0) > 15]).toEqual([name, true]);
});

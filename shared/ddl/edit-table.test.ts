// Edits of random tables: SQLite accepts the new text, it says that exactly the intended has changed, and everything else is as it was.
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { seedCount } from '../seed-count.test-suite.ts';
import { createRandom } from '../random.ts';
import { diffTable, identityByName } from './diff-table.ts';
import { setComment, setNotNull, setType } from './edit-columns.ts';
import { constraintsOf, renameColumn, renameTable } from './edit-table.ts';
import { normalizeExpression } from './expressions.ts';
import { modelAsPragmas, pragmasOf } from './pragma-facts.test-suite.ts';
import { parseTable } from './parse-table.ts';
import { EDITS, quoted, type Edit } from './random-edits.test-suite.ts';
import { randomTable } from './random-table.test-suite.ts';
import type { TableModel } from './table-model.ts';

function understood(sql: string): TableModel {
  const model = parseTable(sql);
  if (!model.understood) throw new Error(`${model.reason} at ${model.span.from} of ${sql}`);
  return model;
}

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
  test(`${name}: exactly that, and nothing else, in random tables`, () => {
    for (let seed = 0; seed < seedCount(400); seed += 1) {
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
  if (edit.comments) expect(edit.comments).toContain(after.columns[edit.touched![0]!]!.comment?.text ?? '');
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
  for (let seed = 0; seed < seedCount(400); seed += 1) {
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
  for (const name of Object.keys(EDITS))
    expect([name, (accepted.get(name) ?? 0) > (seedCount(400) * 15) / 400]).toEqual([name, true]);
});

// Schemas of well-known applications: everything is understood as SQLite understands it, and saving without a change changes nothing.
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { diffTable, identityByName } from './diff-table.ts';
import { addColumn, dropColumn, moveColumn, renameColumn } from './edit-table.ts';
import { setComment, setDefault, setType } from './edit-columns.ts';
import { setIndexWhere } from './edit-index.ts';
import { KNOWN_SCHEMAS } from './known-schemas.test-suite.ts';
import { parseObject } from './parse-object.ts';
import type { ObjectModel } from './parse-object.ts';
import { parseTable } from './parse-table.ts';
import { modelAsPragmas, pragmasOf } from './pragma-facts.test-suite.ts';
import type { TableModel } from './table-model.ts';

function understood(sql: string): ObjectModel {
  const model = parseObject(sql);
  if (!model.understood) throw new Error(`${model.reason} at ${model.span.from} in ${sql}`);
  return model;
}

function table(sql: string): TableModel {
  const model = parseTable(sql);
  if (!model.understood) throw new Error(`${model.reason} in ${sql}`);
  return model;
}

for (const [name, script] of Object.entries(KNOWN_SCHEMAS)) {
  test(`${name}: understood, and unchanged when it is saved unchanged`, () => {
    const db = new Database(':memory:');
    db.exec(script);
    const stored = db.prepare(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND NOT EXISTS (SELECT 1 FROM pragma_table_list l WHERE l.name = sqlite_schema.name AND l.type = 'shadow')",
    );
    for (const sql of stored.pluck().all() as string[]) {
      const model = understood(sql);
      if (model.kind === 'table') {
        expect(modelAsPragmas(model)).toEqual(pragmasOf(db, model.name.name));
        for (const [index, { type, comment, name: column }] of model.columns.entries()) {
          expect(setType(model, index, type?.sql ?? '')).toBe(sql);
          expect(setComment(model, index, comment?.text ?? null)).toBe(sql);
          expect(renameColumn(model, index, column.name)).toBe(sql);
          // There and back again.
          const renamed = table(renameColumn(model, index, 'some other name'));
          const back = table(renameColumn(renamed, index, column.name));
          const same = diffTable(model, back, identityByName(model, back));
          expect(same.changes.filter(({ kind }) => kind !== 'set-text')).toEqual([]);
          const added = table(addColumn(model, index, { sql: 'x INT', behind: ['-- new'] }));
          expect(added.columns[index]!.comment?.text).toBe('new');
          expect(table(dropColumn(added, index)).columns.map(({ name: one }) => one.name)).toEqual(
            model.columns.map(({ name: one }) => one.name),
          );
          const moved = table(moveColumn(model, index, 0));
          expect(table(moveColumn(moved, 0, index)).columns.map(({ comment: one }) => one?.text)).toEqual(
            model.columns.map(({ comment: one }) => one?.text),
          );
          expect(
            table(setDefault(model, index, null)).columns[index]!.constraints.some(({ kind }) => kind === 'default'),
          ).toBe(false);
        }
      }
      if (model.kind === 'index') expect(setIndexWhere(model, model.where?.sql ?? null)).toBe(sql);
    }
    db.close();
  });
}

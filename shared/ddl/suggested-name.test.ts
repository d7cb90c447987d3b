import { expect, test } from 'vitest';
import { addIndexColumn, dropIndexColumn, setIndexColumn, setIndexUnique } from './edit-index.ts';
import type { IndexModel, TriggerModel } from './object-models.ts';
import { parseObject } from './parse-object.ts';
import { followName, freeObjectName } from './suggested-name.ts';
import { moveToTable, renameObject } from './text-edits.ts';

const index = (sql: string) => parseObject(sql) as IndexModel;
const nameIn = (sql: string) => (parseObject(sql) as IndexModel).name.name;

test('the name of an index follows its table and columns', () => {
  const model = index('CREATE INDEX Album_AlbumId ON Album (AlbumId)');
  const follow = (text: string, taken: readonly string[] = []) => nameIn(followName(model, text, taken));
  expect(follow(setIndexColumn(model, 0, { column: 'Title' }))).toBe('Album_Title');
  expect(follow(addIndexColumn(model, 1, { column: 'Title' }))).toBe('Album_AlbumId_Title');
  expect(follow(addIndexColumn(model, 1, { expression: 'lower("Full Title")' }))).toBe(
    'Album_AlbumId_lower_Full_Title',
  );
  expect(follow(moveToTable(model, 'Track'))).toBe('Track_AlbumId');
  expect(follow(setIndexUnique(model, true))).toBe('Album_AlbumId');
  expect(follow(setIndexColumn(model, 0, { column: 'Title' }), ['album_TITLE'])).toBe('Album_Title_2');
});

test('a name that a person has chosen stays', () => {
  const model = index('CREATE INDEX mine ON Album (AlbumId, Title)');
  expect(nameIn(followName(model, dropIndexColumn(model, 1), []))).toBe('mine');
  const suggested = index('CREATE INDEX Album_AlbumId ON Album (AlbumId)');
  expect(nameIn(followName(suggested, renameObject(suggested, 'mine'), []))).toBe('mine');
});

test('the name of a trigger follows its table', () => {
  const model = parseObject('CREATE TRIGGER a_trigger AFTER INSERT ON a BEGIN SELECT 1; END') as TriggerModel;
  expect(nameIn(followName(model, moveToTable(model, 'b'), []))).toBe('b_trigger');
  expect(freeObjectName('b_trigger', ['B_trigger', 'b_trigger_2'])).toBe('b_trigger_3');
});

// FTS5 and R-Tree statements: edits of random ones are taken by SQLite, change what they are to, and leave comments and other arguments as they were.
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { seedCount } from '../seed-count.test-suite.ts';
import { createRandom } from '../random.ts';
import type { Random } from '../random.ts';
import { moveArgument, parseVirtual, renameArgument, setModule } from './edit-virtual.ts';
import {
  addFullTextColumn,
  dropFullTextColumn,
  fullTextOf,
  moveFullTextColumn,
  readTokenizer,
  setFullTextContent,
  setFullTextOption,
  setUnindexed,
  syncTriggers,
  writeTokenizer,
} from './full-text.ts';
import type { FullTextModel } from './full-text.ts';
import { addAuxiliary, addDimension, dropAuxiliary, dropDimension, rtreeOf, setAuxiliaryType } from './rtree.ts';
import type { RTreeModel } from './rtree.ts';
import { renameObject } from './text-edits.ts';

const db = new Database(':memory:');
db.exec('CREATE TABLE docs (id INTEGER PRIMARY KEY, title, body, "with space", more)');

function columnsIn(name: string): readonly unknown[] {
  return db.prepare('SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0').pluck().all(name);
}

/** Made and dropped again: whether SQLite takes it, with which columns. */
function made(sql: string): readonly unknown[] {
  const { name } = parseVirtual(sql).name;
  db.exec(sql);
  const columns = columnsIn(name);
  db.exec(`DROP TABLE "${name}"`);
  return columns;
}

const fullText = (sql: string): FullTextModel => fullTextOf(parseVirtual(sql))!;
const names = ({ columns }: FullTextModel): readonly string[] => columns.map(({ name }) => name);

function randomFullText(random: Random): string {
  const blank = (): string => random.pick(['', ' ', '\n  ']);
  const columns = random
    .pick([['title'], ['title', '"with space"'], ['body', 'title', '[with space]', 'more']])
    .map((name) => `${name}${random.chance(0.2) ? ' unindexed' : ''}`);
  const options = [
    random.pick(["tokenize = 'porter ascii'", 'tokenize="unicode61 tokenchars \'-_\'"', 'tokenize=trigram']),
    random.pick(["prefix='2 3'", 'prefix = 1']),
    random.pick(["content='docs'", "content = ''", 'content=docs, content_rowid=id']),
    random.pick(['detail=full', 'detail = column']),
    'columnsize=0',
  ].filter(() => random.chance(0.4));
  const all = [...columns, ...options];
  return `CREATE VIRTUAL TABLE${random.pick([' ', '\n'])}"a search"${blank()}USING${random.pick([' ', ' /* full, text ( */ '])}fts5${blank()}(${all.map((one) => `${blank()}${one}`).join(',')}${blank()})`;
}

test('random FTS5 statements are edited, and SQLite takes each of them', () => {
  for (let seed = 0; seed < seedCount(1000); seed += 1) {
    const random = createRandom(seed);
    const sql = randomFullText(random);
    const model = fullText(sql);
    expect(made(sql)).toEqual(names(model));
    const at = random.between(0, model.columns.length - 1);
    expect(made(addFullTextColumn(model, 'order'))).toEqual([...names(model), 'order']);
    if (model.columns.length > 1) expect(made(dropFullTextColumn(model, at))).toEqual(names(model).toSpliced(at, 1));
    const last = model.columns.length - 1;
    const moved = [...names(model)];
    moved.splice(last, 0, ...moved.splice(0, 1));
    expect(made(moveFullTextColumn(model, 0, last))).toEqual(moved);
    const toggled = fullText(setUnindexed(model, at, !model.columns[at]!.unindexed));
    expect(toggled.columns.map(({ unindexed }) => unindexed)).toEqual(
      model.columns.map(({ unindexed }, index) => (index === at ? !unindexed : unindexed)),
    );
    made(toggled.statement.text);
    for (const [option, value] of [
      ['prefix', '2 4'],
      ['detail', 'none'],
      ['tokenize', "unicode61 separators ''''"],
      ['columnsize', '0'],
    ] as const) {
      const set = fullText(setFullTextOption(model, option, value));
      expect(set.options).toEqual({ ...model.options, [option]: value });
      const dropped = fullText(setFullTextOption(set, option, null));
      const { [option]: _, ...rest } = model.options;
      expect(dropped.options).toEqual(rest);
      if (option !== 'tokenize') made(dropped.statement.text);
    }
    for (const content of [
      { kind: 'own' },
      { kind: 'none' },
      { kind: 'external', table: 'docs', rowid: 'id' },
    ] as const) {
      const set = fullText(setFullTextContent(model, content));
      expect(set.content).toEqual(content);
      made(set.statement.text);
    }
    expect(setFullTextContent(model, model.content)).toBe(sql);
    expect(setFullTextOption(model, 'tokenize', writeTokenizer(readTokenizer(model.options['tokenize'])))).toBe(sql);
    expect(fullText(renameObject(model.statement, 'x y')).statement.name.name).toBe('x y');
    expect(sql.includes('/*')).toBe(addFullTextColumn(model, 'z').includes('/* full, text ( */'));
  }
});

test('a tokenizer is read and written with its options', () => {
  const read = readTokenizer(`porter unicode61 remove_diacritics 2 tokenchars '-_' separators "'"`);
  expect(read).toEqual({
    stems: true,
    name: 'unicode61',
    options: [
      ['remove_diacritics', '2'],
      ['tokenchars', '-_'],
      ['separators', "'"],
    ],
  });
  expect(writeTokenizer(read)).toBe(`porter unicode61 remove_diacritics 2 tokenchars '-_' separators ''''`);
  expect([readTokenizer(undefined), readTokenizer('porter')].map(writeTokenizer)).toEqual([null, 'porter']);
  made(setFullTextOption(fullText('CREATE VIRTUAL TABLE f USING fts5 (a)'), 'tokenize', writeTokenizer(read)));
});

test('triggers keep a full-text index in step with the table that has its text', () => {
  const sql = `CREATE VIRTUAL TABLE "the index" USING fts5 (title, "with space", content='docs', content_rowid='id')`;
  db.exec(sql);
  db.exec(syncTriggers(fullText(sql))!);
  db.exec(
    `INSERT INTO docs (id, title, "with space") VALUES (1, 'one fish', 'a'), (2, 'two', 'fish'); UPDATE docs SET title = 'none' WHERE id = 1; DELETE FROM docs WHERE id = 2`,
  );
  const found = db.prepare(`SELECT rowid FROM "the index" WHERE "the index" MATCH ?`).pluck();
  expect([found.all('fish'), found.all('none')]).toEqual([[], [1]]);
  db.exec(`INSERT INTO "the index" ("the index", rank) VALUES ('integrity-check', 1)`);
  expect(syncTriggers(fullText('CREATE VIRTUAL TABLE f USING fts5 (a)'))).toBeNull();
});

const rtree = (sql: string): RTreeModel => rtreeOf(parseVirtual(sql))!;

test('R-Tree statements are edited: dimensions, kind of coordinates, auxiliary columns', () => {
  const sql = 'CREATE VIRTUAL TABLE places USING rtree (\n  id, -- of the place\n  x0, x1,\n  +note TEXT -- free\n)';
  const model = rtree(sql);
  expect(made(sql)).toEqual(['id', 'x0', 'x1', 'note']);
  expect(model).toMatchObject({
    integers: false,
    coordinates: [{ name: 'x0' }, { name: 'x1' }],
    auxiliary: [{ name: 'note', type: 'TEXT' }],
  });
  const wide = addDimension(model, 'y0', 'y 1');
  expect(made(wide)).toEqual(['id', 'x0', 'x1', 'y0', 'y 1', 'note']);
  expect(made(dropDimension(rtree(wide), 0))).toEqual(['id', 'y0', 'y 1', 'note']);
  expect(made(setModule(model.statement, 'rtree_i32'))).toEqual(['id', 'x0', 'x1', 'note']);
  const more = addAuxiliary(model, 'order');
  expect(made(more)).toEqual(['id', 'x0', 'x1', 'note', 'order']);
  expect(rtree(setAuxiliaryType(rtree(more), 1, 'BLOB')).auxiliary[1]).toMatchObject({ name: 'order', type: 'BLOB' });
  expect(made(setAuxiliaryType(model, 0, ''))).toEqual(['id', 'x0', 'x1', 'note']);
  expect(made(dropAuxiliary(model, 0))).toEqual(['id', 'x0', 'x1']);
  expect(made(renameArgument(model.statement, 3, 'remark'))).toEqual(['id', 'x0', 'x1', 'remark']);
  expect(moveArgument(model.statement, 1, 1)).toBe(sql);
  for (const text of [wide, more])
    expect([text.includes('-- of the place'), text.includes('-- free')]).toEqual([true, true]);
});

// Errors name the object of the schema that is at fault, in both engines.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { tokenizerOf } from './blamed-object.ts';
import { createNativeEngine } from './native/native-engine.ts';
import { openStrange } from './strange-schema.test-suite.ts';
import { createWasmEngine, IN_MEMORY } from './wasm/wasm-engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'sidelite-blamed-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe.each([
  ['wasm', async () => openStrange((await createWasmEngine()).engine, IN_MEMORY)],
  ['native', async () => openStrange(await createNativeEngine(), join(folder, 'strange.db'))],
] as const)('%s engine', async (_, open) => {
  const connection = await open();
  it.each([
    ["SELECT * FROM unindexed WHERE a = 'b'", '“unicase”. The table “unindexed” needs it.'],
    ['SELECT * FROM same_a', '“unicase”. The table “unindexed” needs it.'],
    ["UPDATE indexed SET a = 'x' WHERE id = 1", '“unicase”. The index “by_a” of “indexed” needs it.'],
    ['SELECT a FROM keyed', 'The rows of “keyed” are in the order of the collation “unicase”'],
    ["UPDATE plain SET v = 'z'", '“their_length”. The trigger “lengthen” of “plain” needs it.'],
    ['SELECT * FROM foreign_words', '“unknown_module”. The table “foreign_words” needs it.'],
    ['PRAGMA quick_check(words)', '“words” splits its text with the tokenizer “mozporter”'],
    ['SELECT v, their_length(v) FROM plain', /^There is no function named “their_length”\.$/],
    ['SELECT * FROM missing', /^There is no table named “missing”\.$/],
  ])('%s', (sql, message) => {
    for (const run of [() => connection.all(sql), () => connection.run(sql)]) {
      expect(run).toThrow(message);
      expect(run).toThrow(expect.objectContaining({ code: 'sql' }));
    }
  });

  it('an edit that touches no index with the collation is made', () => {
    connection.run("UPDATE unindexed SET a = 'q' WHERE id = 1");
    connection.run("INSERT INTO unindexed VALUES (9, 'new', 1)");
    connection.run('UPDATE indexed SET n = 7 WHERE id = 1');
    expect(connection.all('SELECT a FROM unindexed WHERE id IN (1, 9)')).toEqual([['q'], ['new']]);
  });
});

it.each([
  ["CREATE VIRTUAL TABLE t USING fts5(x, tokenize = 'porter mine 1')", 'mine'],
  ['CREATE VIRTUAL TABLE t USING fts5(x, tokenize="unicode61 separators \'x\'")', 'unicode61'],
  ['CREATE VIRTUAL TABLE t USING fts3(x, tokenize mozporter)', 'mozporter'],
  ['CREATE VIRTUAL TABLE t USING fts4(x, tokenize=icu en_AU)', 'icu'],
  ["CREATE VIRTUAL TABLE t USING fts5(x, tokenize='porter')", null],
  ['CREATE VIRTUAL TABLE t USING rtree(id, a, b)', null],
  ['not SQL', null],
])('the tokenizer of %s is %j', (sql, name) => expect(tokenizerOf(sql)).toBe(name));

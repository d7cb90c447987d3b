// When the schema is asked: names of a table that was just created are offered, and a busy engine does not keep the list away.
import { ensureSyntaxTree } from '@codemirror/language';
import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SCHEMA } from './completion-fixture.test-suite.ts';
import { sqlCompletionSource } from './completion.ts';
import type { SchemaColumns } from './scope/names.ts';
import { sqliteDialect } from './sql-dialect.ts';

let columns: SchemaColumns;
let reading: Promise<void> | null;
let read: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  columns = [];
  reading = new Promise((resolve) => (read = resolve));
});
afterEach(() => void vi.useRealTimers());

async function tables(): Promise<readonly string[]> {
  const doc = 'SELECT * FROM ';
  const state = EditorState.create({ doc, extensions: sqliteDialect.extension });
  ensureSyntaxTree(state, doc.length, 60_000);
  const source = sqlCompletionSource({
    columns: () => columns,
    columnsBeingRead: () => reading,
    added: () => ({ functions: [], tables: [] }),
  });
  const result = await source(new CompletionContext(state, doc.length, true));
  return (result?.options ?? []).filter(({ type }) => type === 'class').map(({ label }) => label);
}
const ALL = SCHEMA.map(({ table }) => table);

it('knows the schema that was being read when it was asked', async () => {
  const asked = tables();
  columns = SCHEMA;
  read();
  expect(await asked).toEqual(ALL);
});

it('offers the names that it knows where reading the schema takes long', async () => {
  columns = SCHEMA;
  const asked = tables();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await asked).toEqual(ALL);
});

it('answers at once where nothing is being read', async () => {
  reading = null;
  columns = SCHEMA;
  expect(await tables()).toEqual(ALL);
  expect(vi.getTimerCount()).toBe(0);
});

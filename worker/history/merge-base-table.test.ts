import { expect, test } from 'vitest';
import { createWasmEngine, IN_MEMORY } from '../engines/wasm/wasm-engine.ts';
import { MergeBaseTable } from './store.ts';

const { engine } = await createWasmEngine();

test('merge bases of a history that an earlier version began are read, changed, and removed', () => {
  const connection = engine.open(IN_MEMORY, { durability: 'full', create: true });
  connection.run('CREATE TABLE anchors (mark TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID');
  connection.run('CREATE TABLE anchor_rows (mark TEXT NOT NULL, bytes BLOB NOT NULL) STRICT');
  connection.run("INSERT INTO anchors VALUES ('a', 7)");
  connection.run("INSERT INTO anchor_rows VALUES ('a', X'01'), ('a', X'02')");
  expect(new MergeBaseTable(connection).all).toEqual([{ mark: 'a', at: 7 }]);
  const mergeBases = new MergeBaseTable(connection);
  expect([...mergeBases.rowsAt('a')]).toEqual([Uint8Array.of(1), Uint8Array.of(2)]);
  mergeBases.put({ mark: 'b', at: 9 }, [Uint8Array.of(3)]);
  mergeBases.remove('a');
  expect(mergeBases.all).toEqual([{ mark: 'b', at: 9 }]);
  expect([...mergeBases.rowsAt('b')]).toEqual([Uint8Array.of(3)]);
  connection.close();
});

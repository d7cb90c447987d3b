// For tests: new databases of both engines, closed after all tests of the file.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Connection } from '../engines/engine.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { createWasmEngine, IN_MEMORY } from '../engines/wasm/wasm-engine.ts';

/** Returns a function that opens a database of an engine, `wasm` or another name for the native one. */
export async function bothEngines(): Promise<(name: string) => Connection> {
  const folder = mkdtempSync(join(tmpdir(), 'sidelite-explore-'));
  const { engine } = await createWasmEngine();
  const native = await createNativeEngine();
  const opened: Connection[] = [];
  afterAll(() => {
    for (const connection of opened) connection.close();
    rmSync(folder, { recursive: true });
  });
  const options = { durability: 'full', create: true } as const;
  return (name) => {
    const connection =
      name === 'wasm' ? engine.open(IN_MEMORY, options) : native.open(join(folder, `${opened.length}.db`), options);
    opened.push(connection);
    return connection;
  };
}

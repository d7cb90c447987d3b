// For tests: files of SQL and SQLite files opened as scratch databases, on both engines.
import { onTestFinished } from 'vitest';
import { FaultLab } from '../engines/wasm/faults/lab.test-suite.ts';

import { native } from '../export/export-fixture.test-suite.ts';
import type { FileClient } from '../library/files.ts';
import { scratchFiles } from '../native/transfer-files.ts';
import { fakeClock } from '../sessions/fake-clock.test-suite.ts';
import { ClientWindow } from '../sessions/window-session.ts';
import { WorkMonitor } from '../sessions/work-monitor.ts';
import { WorkStatusBuffer } from '../threads/work-status-buffer.ts';
import { openSource } from './open-source.ts';
import type { OpenedSource, OpenRequest } from './open-source.ts';
import type { ScratchStore } from './scratch.ts';

const lab = await FaultLab.open();
lab.disk.start(null, 0);
let made = 0;

const inPool: ScratchStore = {
  async make() {
    const file = `/scratch-${++made}.sqlite3`;
    return {
      file,
      createWriter: (name) => lab.pool.createWriter(name),
      open: (options) => lab.engine.open(file, options),
      remove: () => lab.pool.remove(file),
    };
  },
};

export const PLACES: readonly (readonly ['wasm' | 'native', ScratchStore])[] = [
  ['wasm', inPool],
  ['native', scratchFiles(native)],
];

/** Files by name. */
export function fileClientOf(files: Readonly<Record<string, Uint8Array>>): FileClient {
  const operations: Record<
    string,
    (params: { token: string; part: string; offset: number; length: number }) => unknown
  > = {
    'file.info': ({ token }) => ({
      fileName: token,
      sizeBytes: files[token]!.length,
      modifiedAtMs: 0,
      walSizeBytes: 0,
      journalSizeBytes: 0,
    }),
    'file.read': ({ token, offset, length }) => files[token]!.slice(offset, offset + length),
    'file.close': () => ({ backup: null }),
  };
  return { call: async (name: string, params: never) => operations[name]!(params) } as unknown as FileClient;
}

const clock = { ...fakeClock(), nextTask: () => Promise.resolve() };
export const transferWindow = new ClientWindow('w', () => undefined);
const context = (files: FileClient) => ({
  files,
  clock,
  monitor: new WorkMonitor(new WorkStatusBuffer(), clock, () => undefined),
});
const call = { id: 1, canceled: false, emit: async () => undefined, onCancel: () => undefined };

export async function opened(
  scratchStore: ScratchStore,
  content: string | Uint8Array,
  { name = 'dump.sql', ...more }: Partial<OpenRequest> & { readonly name?: string } = {},
): Promise<OpenedSource> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const request: OpenRequest = {
    source: { kind: 'file', token: name },
    dialect: null,
    encoding: null,
    existing: [],
    ...more,
  };
  const source = await openSource(
    context(fileClientOf({ [name]: bytes })),
    scratchStore,
    transferWindow,
    request,
    call,
  );
  onTestFinished(() => {
    source.connection.close();
    source.scratch.remove();
  });
  return source;
}

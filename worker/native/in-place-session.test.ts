import { expect, it } from 'vitest';
import type { LibraryEntry } from '#shared/protocol/library.ts';
import { createWasmEngine, IN_MEMORY } from '../engines/wasm/wasm-engine.ts';
import { createClock } from '../sessions/clock.ts';
import { OpenDatabases } from '../sessions/open-databases.ts';
import { ClientWindow } from '../sessions/window-session.ts';
import { WorkMonitor } from '../sessions/work-monitor.ts';
import { WorkStatusBuffer } from '../threads/work-status-buffer.ts';
import type { SeenWork } from '../threads/work-status-buffer.ts';
import { InPlaceSession } from './in-place-session.ts';
import type { InPlaceContext } from './in-place-session.ts';

const { engine } = await createWasmEngine();

it('shows that a file is being opened while SQLite is inside it, and that all others wait', async () => {
  const workStatus = new WorkStatusBuffer();
  const clock = createClock();
  const monitor = new WorkMonitor(workStatus, clock, () => undefined);
  let seen: readonly SeenWork[] = [];
  const entry = (id: string): LibraryEntry => ({ id, name: 'slow.db', durability: 'full' }) as unknown as LibraryEntry;
  const databases = new OpenDatabases(
    { clock, monitor, entryOf: entry, onChanges: () => undefined, onStateChanged: () => undefined },
    () => {
      // The state another thread sees in the meantime.
      seen = workStatus.read();
      return engine.open(IN_MEMORY, { durability: 'full', create: true });
    },
  );
  const window = new ClientWindow('w', () => undefined);
  const session = new InPlaceSession(window, {
    databases,
    clock,
    monitor,
    catalogue: { entry },
    isOf: () => true,
  } as unknown as InPlaceContext);
  await session.open('file:1', 7);
  expect(seen).toMatchObject([{ title: 'Opening slow.db', call: 7, turnBeganAtMs: expect.any(Number) as number }]);
  expect(workStatus.read()).toEqual([]);
  session.end();
});

// Starts an engine beside the running ones, until it can open a database, and ends it.
import type { EngineId } from '#shared/bench/engines.ts';
import { AppError } from '#shared/protocol/index.ts';
import type { RunControl } from '../control.ts';
import { openEnginePort } from '../engine-port.ts';
import type { EngineStart } from './engine-starts.ts';

/** @throws AppError `unavailable` */
export async function startEngine(engine: EngineId, control: RunControl): Promise<EngineStart> {
  const began = performance.now();
  const { client: port } = await control.wait(openEnginePort(engine));
  const { codeMs } = await control.wait(port.call('driver.start', {}));
  const ms = performance.now() - began;
  await control.wait(port.call('driver.end', {}));
  if (codeMs === undefined) {
    throw new AppError({ code: 'unavailable', message: 'This engine does not report how long its code took.' });
  }
  return { ms, codeMs };
}

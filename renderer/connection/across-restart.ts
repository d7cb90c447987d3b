// Repeats work the user requested if its engine ends midway and is restarted.
import { toAppError } from '#shared/protocol/index.ts';

interface Reconnecting {
  answered(): Promise<void>;
}

/**
 * Runs `work`, and once more if the engine is lost meanwhile: as soon as the engine is back, however long that takes. For work that changes
 * nothing when it is interrupted.
 * @throws AppError of `work`; the reason the engine does not come back; `disconnected` if it is lost a second time
 */
export async function acrossRestart<T>(engine: Reconnecting, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (toAppError(thrown).code !== 'disconnected') throw thrown;
    await engine.answered();
    return await work();
  }
}

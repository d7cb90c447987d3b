// Repeats work that a person asked for when its engine ends in the middle and is restarted.
import { toAppError } from '#shared/protocol/index.ts';

interface Reconnecting {
  answered(): Promise<void>;
}

/**
 * Does `work`, and once more if the engine is lost meanwhile: as soon as it is back, however long that takes. For work that changes
 * nothing when it is cut off.
 * @throws AppError of `work`; why the engine does not come back; `disconnected` when it is lost a second time
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

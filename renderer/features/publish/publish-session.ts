// What the dialog shows, from the choice of a connection to the report, and the work behind it.
import { create } from 'zustand';
import { AppError, toAppError } from '#shared/protocol/index.ts';
import type { DatabaseId, LibraryEntry, Progress, PublishLook, PublishReply } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { shell } from '../../connection/shell.ts';
import { ensureOpen } from '../../state/databases.ts';
import { publishDatabase } from '../../state/store.ts';

/** `looking`, `sending`, and `removing` are at work. */
export type Stage = 'choose' | 'looking' | 'ready' | 'sending' | 'ended' | 'removing';

interface Session {
  readonly stage: Stage;
  readonly target: DatabaseId | null;
  readonly look: PublishLook | null;
  readonly reply: PublishReply | null;
  readonly progress: Progress | null;
  readonly isStopping: boolean;
  /** A sentence about what has just failed, or was done. */
  readonly told: { readonly tone: 'bad' | 'good'; readonly text: string } | null;
}

const AT_FIRST: Session = {
  ...{ stage: 'choose', target: null, look: null, reply: null, progress: null, isStopping: false, told: null },
};

export const usePublish = create<Session>()(() => AT_FIRST);

let controller = new AbortController();

export const isAtWork = (stage: Stage): boolean => stage === 'looking' || stage === 'sending' || stage === 'removing';

export function beginPublishing(): void {
  usePublish.setState(AT_FIRST);
}

export function choose(target: DatabaseId): void {
  letGo();
  usePublish.setState({ target, stage: 'choose', told: null });
}

/** Not while something is at work: that is stopped first. */
export function closeDialog(): void {
  if (isAtWork(usePublish.getState().stage)) return;
  letGo();
  publishDatabase(null);
}

export function stop(): void {
  usePublish.setState({ isStopping: true });
  controller.abort();
}

/** The copy of the source goes with its window at the latest. */
function letGo(): void {
  const { look, target } = usePublish.getState();
  usePublish.setState({ look: null });
  if (look && target) void client.call('publish.close', { database: target, id: look.id }).catch(() => undefined);
}

const options = () => ({
  signal: controller.signal,
  onChunk: (progress: Progress) => usePublish.setState({ progress }),
});

async function atWork(stage: Stage, otherwise: Stage, body: () => Promise<Partial<Session>>): Promise<void> {
  controller = new AbortController();
  usePublish.setState({ stage, progress: null, isStopping: false, told: null });
  try {
    usePublish.setState(await body());
  } catch (thrown) {
    const { code, message } = toAppError(thrown);
    const text = code === 'stopped' ? 'Stopped. Nothing was changed on the server.' : message;
    usePublish.setState({ stage: otherwise, told: { tone: 'bad', text } });
  }
}

/** Copies the database as it is now, and asks the server what it takes. */
export function lookAt(source: LibraryEntry, target: DatabaseId): Promise<void> {
  letGo();
  return atWork('looking', 'choose', async () => {
    await ensureOpen(target);
    const place = await shell.createComparisonCopy();
    if ('why' in place) throw new AppError({ code: 'unavailable', message: place.why });
    const { comparisonCopy, sink } = place;
    try {
      await client.call('library.export', { database: source.id, sink }, options());
      await shell.openComparisonCopy(comparisonCopy, source.name);
      const file = await shell.comparisonCopySource(comparisonCopy);
      if (!file)
        throw new AppError({
          code: 'not-found',
          message: 'The temporary copy no longer exists. Nothing was changed. Try again.',
        });
      const look = await client.call('publish.look', { database: target, source: file.token }, options());
      return { stage: 'ready', look, reply: null };
    } finally {
      await shell.removeComparisonCopy(comparisonCopy).catch(() => undefined);
    }
  });
}

/** Continues, if it has begun before. */
export function publish(look: PublishLook, target: DatabaseId): Promise<void> {
  const before = usePublish.getState().stage;
  return atWork('sending', before, async () => ({
    stage: 'ended',
    reply: await client.call('publish.run', { database: target, id: look.id }, options()),
  }));
}

export function removePublished(look: PublishLook, target: DatabaseId): Promise<void> {
  return atWork('removing', 'ended', async () => {
    const { tables } = await client.call('publish.remove', { database: target, id: look.id }, options());
    const text = `Removed: ${tables === 1 ? 'one table' : `${tables} tables`} and everything that belongs to them. The database on the server is empty again.`;
    return { stage: 'ready', reply: null, told: { tone: 'good', text } };
  });
}

// State of the dialog, from the choice of a connection to the report, and the work behind it.
import { create } from 'zustand';
import { AppError, toAppError } from '#shared/protocol/index.ts';
import type { DatabaseId, LibraryEntry, Progress, PublishPreview, PublishReply } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { shell } from '../../connection/shell.ts';
import { ensureOpen } from '../../state/databases.ts';
import { publishDatabase } from '../../state/store.ts';
import { endsWithWindow } from '../../state/unsaved-work.ts';

/** `looking`, `sending`, and `removing`: work is in progress. */
type Stage = 'choose' | 'looking' | 'ready' | 'sending' | 'ended' | 'removing';

interface Session {
  readonly stage: Stage;
  readonly target: DatabaseId | null;
  readonly preview: PublishPreview | null;
  readonly reply: PublishReply | null;
  readonly progress: Progress | null;
  readonly isStopping: boolean;
  /** A sentence about what has just failed or was done. */
  readonly told: { readonly tone: 'bad' | 'good'; readonly text: string } | null;
}

const AT_FIRST: Session = {
  ...{ stage: 'choose', target: null, preview: null, reply: null, progress: null, isStopping: false, told: null },
};

export const usePublish = create<Session>()(() => AT_FIRST);

let controller = new AbortController();
/** The private copy of the source, from which publishing continues if the process that sends it ends. */
let copy: string | null = null;

export const isAtWork = (stage: Stage): boolean => stage === 'looking' || stage === 'sending' || stage === 'removing';

export function beginPublishing(): void {
  usePublish.setState(AT_FIRST);
}

export function choose(target: DatabaseId): void {
  letGo();
  usePublish.setState({ target, stage: 'choose', told: null });
}

/** Does nothing while work is in progress: that is stopped first. */
export function closeDialog(): void {
  if (isAtWork(usePublish.getState().stage)) return;
  letGo();
  publishDatabase(null);
}

export function stop(): void {
  usePublish.setState({ isStopping: true });
  controller.abort();
}

/** The copies of the source are deleted with their window at the latest. */
function letGo(): void {
  const { preview, target } = usePublish.getState();
  usePublish.setState({ preview: null });
  if (preview && target) void client.call('publish.close', { database: target, id: preview.id }).catch(() => undefined);
  const former = copy;
  copy = null;
  if (former !== null) void shell.removeComparisonCopy(former).catch(() => undefined);
}

const options = () => ({
  signal: controller.signal,
  onChunk: (progress: Progress) => usePublish.setState({ progress }),
});

type Body = () => Promise<Partial<Session>>;

// If the window closed, the outcome could not be reported.
endsWithWindow(() => (usePublish.getState().stage === 'sending' ? ['Publishing to a server is not finished.'] : []));

async function atWork(stage: Stage, otherwise: Stage, body: Body, failed = (why: string) => why): Promise<void> {
  controller = new AbortController();
  usePublish.setState({ stage, progress: null, isStopping: false, told: null });
  try {
    usePublish.setState(await body());
  } catch (thrown) {
    const { code, message } = toAppError(thrown);
    if (code === 'disconnected' && (stage === 'sending' || stage === 'removing')) return findAgain();
    const text = code === 'stopped' ? 'Stopped. Nothing was changed on the server.' : message;
    usePublish.setState({ stage: otherwise, told: { tone: 'bad', text: failed(text) } });
  }
}

/** Copies the current database, and asks the server what it supports. */
export function lookAt(source: LibraryEntry, target: DatabaseId): Promise<void> {
  // Data sent before the process ended is found again by means of the copy it came from.
  if (copy !== null && usePublish.getState().preview === null) return findAgain();
  letGo();
  return atWork('looking', 'choose', async () => {
    await ensureOpen(target);
    const comparisonCopy = await copyOf(source);
    const preview = await previewFrom(comparisonCopy, target).catch((thrown: unknown) => {
      letGo();
      throw thrown;
    });
    return { stage: 'ready', preview, reply: null };
  });
}

async function copyOf(source: LibraryEntry): Promise<string> {
  const place = await shell.createComparisonCopy();
  if ('why' in place) throw AppError.unavailable(place.why);
  const { comparisonCopy, sink } = place;
  try {
    await client.call('library.export', { database: source.id, sink }, options());
    await shell.openComparisonCopy(comparisonCopy, source.name);
    copy = comparisonCopy;
    return comparisonCopy;
  } finally {
    if (copy !== comparisonCopy) await shell.removeComparisonCopy(comparisonCopy).catch(() => undefined);
  }
}

async function previewFrom(comparisonCopy: string, target: DatabaseId): Promise<PublishPreview> {
  const file = await shell.comparisonCopySource(comparisonCopy);
  if (file) return client.call('publish.preview', { database: target, source: file.token }, options());
  throw AppError.notFound('The temporary copy no longer exists. Nothing was changed. Try again.');
}

const ENDED = 'The process that works with the server ended unexpectedly.';

/** Asks the restarted process what the server has. */
function findAgain(): Promise<void> {
  usePublish.setState({ preview: null, reply: null });
  return atWork(
    'looking',
    'choose',
    foundAgain,
    (why) => `${ENDED} Choose Continue to see what the server has. ${why}`,
  );
}

async function foundAgain(): Promise<Partial<Session>> {
  const { target: database } = usePublish.getState();
  if (copy === null || database === null) return { stage: 'choose' };
  await client.serverOf(database).answered();
  await ensureOpen(database);
  const preview = await previewFrom(copy, database);
  if (!preview.begun)
    return { stage: 'ready', preview, told: { tone: 'bad', text: `${ENDED} Nothing is on the server.` } };
  try {
    const reply = await client.call('publish.find', { database, id: preview.id }, options());
    return { stage: 'ended', preview, reply: { ...reply, why: ENDED } };
  } catch (thrown) {
    void client.call('publish.close', { database, id: preview.id }).catch(() => undefined);
    throw thrown;
  }
}

/** Compares what the server has from an earlier attempt. */
export function find(preview: PublishPreview, target: DatabaseId): Promise<void> {
  return atWork('looking', 'ready', async () => ({
    stage: 'ended',
    reply: await client.call('publish.find', { database: target, id: preview.id }, options()),
  }));
}

/** Publishes the database, or continues an earlier attempt. */
export function publish(preview: PublishPreview, target: DatabaseId): Promise<void> {
  const before = usePublish.getState().stage;
  return atWork('sending', before, async () => ({
    stage: 'ended',
    reply: await client.call('publish.run', { database: target, id: preview.id }, options()),
  }));
}

export function removePublished(preview: PublishPreview, target: DatabaseId): Promise<void> {
  return atWork('removing', 'ended', async () => {
    const { tables } = await client.call('publish.remove', { database: target, id: preview.id }, options());
    const text = `Removed: ${tables === 1 ? 'one table' : `${tables} tables`} and everything that belongs to them. The database on the server is empty again.`;
    return { stage: 'ready', reply: null, told: { tone: 'good', text } };
  });
}

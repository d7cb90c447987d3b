// The replica that was named last, its moments, and the choices: kept while the window is open, so that several moments can be opened.
import { create } from 'zustand';
import type { Replica, ReplicaMoment, ReplicaProgram, ReplicaReply, StorageDraft } from '#shared/replicas.ts';
import { toAppError } from '#shared/protocol/index.ts';
import { shell } from '../../connection/shell.ts';
import { setOverlay } from '../../state/store.ts';
import { momentAt, problemOf, readTime, writeTime } from './as-of.ts';

type LocationKind = 'folder' | 'storage';

interface ReplicaSession {
  /** Null until it was searched for. */
  readonly program: ReplicaProgram | null;
  readonly kind: LocationKind;
  /** The secret is cleared once the main process has it. */
  readonly draft: StorageDraft;
  readonly replica: Replica | null;
  readonly moments: readonly ReplicaMoment[];
  readonly isListing: boolean;
  readonly failure: string | null;
  /** The text as typed. */
  readonly time: string;
  /** The moment it means, or the one chosen from several of that second. */
  readonly txid: string | null;
}

const EMPTY_DRAFT: StorageDraft = { address: '', endpoint: '', region: '', keyId: '', secret: '' };
const NO_REPLICA = { replica: null, moments: [], isListing: false, failure: null, time: '', txid: null } as const;

export const useReplicaSession = create<ReplicaSession>()(() => ({
  program: null,
  kind: 'folder',
  draft: EMPTY_DRAFT,
  ...NO_REPLICA,
}));

const { getState: get, setState: set } = useReplicaSession;
const failed = (thrown: unknown): { readonly why: string } => ({ why: toAppError(thrown).message });

/** Opens the dialog. Litestream may have been installed since, and the replica may have more moments. */
export async function openReplicas(): Promise<void> {
  // Set before the dialog is shown, so that nothing is opened from a list that is about to be replaced.
  if (get().replica) set({ isListing: true });
  setOverlay('replica');
  set({ program: await shell.replicas.program().catch(failed) });
  if (get().replica) await list();
}

export async function chooseProgram(): Promise<void> {
  const program = await shell.replicas.chooseProgram().catch(failed);
  if (program) set({ program });
}

export function chooseKind(kind: LocationKind): void {
  leave();
  set({ kind });
}

/** Stops listing, which takes Litestream minutes if a server does not answer. */
export function stopListing(): void {
  const { replica, isListing } = get();
  if (replica && isListing) void shell.replicas.stop(replica.token).catch(() => undefined);
}

export function changeDraft(part: Partial<StorageDraft>): void {
  leave();
  set(({ draft }) => ({ draft: { ...draft, ...part } }));
}

export async function chooseFolder(): Promise<void> {
  const reply = await shell.replicas.chooseFolder().catch(failed);
  if (reply) await take(reply);
}

/** Opens the storage only once for what was entered: the main process keeps it. */
export async function reachStorage(): Promise<void> {
  if (get().replica) return list();
  await take(await shell.replicas.reachStorage(get().draft).catch(failed));
}

async function take(reply: ReplicaReply): Promise<void> {
  leave();
  if ('why' in reply) return set({ failure: reply.why });
  set({ replica: reply.replica });
  await list();
}

async function list(): Promise<void> {
  const { replica } = get();
  if (!replica) return;
  set({ isListing: true, failure: null });
  const reply = await shell.replicas.moments(replica.token).catch(failed);
  if (get().replica !== replica) return; // another one was chosen in the meantime
  set({ isListing: false });
  if ('why' in reply) return set({ failure: reply.why, moments: [], txid: null });
  const { moments } = reply;
  const newest = moments[0]!;
  const isSame = moments.some(({ txid }) => txid === get().txid);
  // The main process has the secret now; it is no longer needed here.
  const draft = { ...get().draft, secret: '' };
  set({ draft, moments, ...(!isSame && { txid: newest.txid, time: writeTime(newest.atMs) }) });
}

/** Leaves the replica, and stops a listing in progress. */
function leave(): void {
  const { replica } = get();
  if (replica) void shell.replicas.leave(replica.token).catch(() => undefined);
  set(NO_REPLICA);
}

export function typeTime(time: string): void {
  const atMs = readTime(time);
  const { moments } = get();
  set({ time, txid: atMs === null ? null : (momentAt(moments, atMs)?.txid ?? null) });
}

export function chooseMoment(txid: string): void {
  const moment = get().moments.find((each) => each.txid === txid);
  if (moment) set({ txid, time: writeTime(moment.atMs) });
}

export const timeProblem = ({ time, moments }: ReplicaSession): string | null =>
  moments.length === 0 ? null : problemOf(time, moments);

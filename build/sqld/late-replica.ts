// A primary and a replica behind one address, whose replica can be late.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { freePort } from '../free-port.ts';
import { ensureSqld } from './ensure-sqld.ts';
import { startSqld } from './start-sqld.ts';

/** Words of the memory that the thread in front of the servers shares. `isHeld` is 1 when it is asked for, 2 once it is so. */
export const LateWord = { isReplica: 0, isHeld: 1 } as const;

export interface LateData {
  readonly front: number;
  readonly link: number;
  readonly primary: number;
  readonly replica: number;
  readonly primaryLink: number;
  readonly words: Int32Array<SharedArrayBuffer>;
}

export interface LateReplica {
  /** Requests go to the server that was named last. */
  readonly url: string;
  /** URL of the replica itself. */
  readonly replica: string;
  toPrimary(): void;
  toReplica(): void;
  /** From now on the replica hears nothing new, until a request has waited there for 200 ms. */
  hold(): Promise<void>;
  readonly isHeld: boolean;
  end(): Promise<void>;
}

/** `why`: it is not available here. */
export async function startLateReplica(): Promise<LateReplica | { readonly why: string }> {
  const sqld = await ensureSqld();
  if ('why' in sqld) return sqld;
  const { program } = sqld;
  const words = new Int32Array(new SharedArrayBuffer(8));
  const [front, link, primaryLink, replicaPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const primary = await startSqld({ program, args: ['--grpc-listen-addr', `127.0.0.1:${primaryLink}`] });
  const data: LateData = { front, link, primary: primary.port, replica: replicaPort, primaryLink, words };
  const thread = new Worker(new URL('late-replica-thread.ts', import.meta.url), { workerData: data });
  await once(thread, 'message');
  const replica = await startSqld({
    ...{ program, port: replicaPort, args: ['--primary-grpc-url', `http://127.0.0.1:${link}`] },
  });
  const isHeld = (): number => Atomics.load(words, LateWord.isHeld);
  return {
    url: `http://127.0.0.1:${front}`,
    replica: replica.url,
    toPrimary: () => void Atomics.store(words, LateWord.isReplica, 0),
    toReplica: () => void Atomics.store(words, LateWord.isReplica, 1),
    async hold() {
      Atomics.store(words, LateWord.isHeld, 1);
      while (isHeld() === 1) await new Promise((resolve) => setTimeout(resolve, 1));
    },
    get isHeld() {
      return isHeld() !== 0;
    },
    async end() {
      await thread.terminate();
      await replica.remove();
      await primary.remove();
    },
  };
}

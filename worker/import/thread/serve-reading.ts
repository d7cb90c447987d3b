// The thread that parses an imported file, so that the engine's thread only has to write. It asks the engine's thread for the
// bytes, sends no more batches than requested, and can be ended at any moment.
import { AppError, toErrorData } from '#shared/protocol/errors.ts';
import type { FileClient } from '../../library/files.ts';
import type { RecordReader } from '../../records/record-batch.ts';
import { openBytes } from '../byte-sources.ts';
import { countFacts } from '../facts/count-facts.ts';
import { formatOf } from '../formats.ts';
import type { FromReading, ReadingCall, ReadingOrder, SentRemarks, ToReading } from './reading-messages.ts';
import { packBatch } from './sent-batch.ts';

/** The thread's side of its port. */
export interface ReadingScope {
  post(message: FromReading, transfer?: readonly ArrayBuffer[]): void;
  onMessage(listener: (message: ToReading) => void): void;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

export function serveReading(scope: ReadingScope): void {
  const calls = new Map<number, Waiting>();
  const room = new Room();
  let request = 0;
  const call = (op: ReadingCall['op'], params: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      calls.set(++request, { resolve, reject });
      scope.post({ t: 'call', request, op, params } as ReadingCall);
    });
  const files = { call } as unknown as FileClient;
  scope.onMessage((message) => {
    switch (message.t) {
      case 'begin':
        void perform(message, { files, room, scope }).catch((error: unknown) =>
          scope.post({ t: 'failed', error: toErrorData(error) }),
        );
        return;
      case 'more':
        room.add(message.memory);
        return;
      default: {
        const waiting = calls.get(message.request);
        calls.delete(message.request);
        if (message.t === 'answer') waiting?.resolve(message.value);
        else waiting?.reject(new AppError(message.error));
      }
    }
  });
}

/** Batches that may be sent. */
class Room {
  readonly #free: (ArrayBuffer | null)[] = [];
  #wake: (() => void) | null = null;

  add(memory: ArrayBuffer | null): void {
    this.#free.push(memory);
    this.#wake?.();
  }

  async take(): Promise<ArrayBuffer | null> {
    while (this.#free.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.#free.shift()!;
  }
}

interface Means {
  readonly files: FileClient;
  readonly room: Room;
  readonly scope: ReadingScope;
}

async function perform({ task, source, options }: ReadingOrder, { files, room, scope }: Means): Promise<void> {
  const bytes = await openBytes(files, source);
  const reader = await formatOf(options.format).read(bytes, options);
  if (task === 'facts') {
    const counted = (bytesRead: number): void => scope.post({ t: 'counted', bytesRead });
    scope.post({ t: 'facts', analysis: await countFacts(reader, options, counted) });
    return;
  }
  scope.post({ t: 'opened', columns: [...reader.columns] });
  for (;;) {
    const memory = await room.take();
    const batch = await reader.next();
    if (batch === null) break;
    const sent = packBatch(batch, memory);
    scope.post({ t: 'batch', batch: sent, ...remarksOf(reader) }, [sent.memory]);
  }
  scope.post({ t: 'end', ...remarksOf(reader) });
}

const remarksOf = (reader: RecordReader): SentRemarks => ({
  columns: [...reader.columns],
  bytesRead: reader.bytesRead,
  problems: reader.takeProblems(),
  notices: reader.takeNotices?.() ?? [],
});

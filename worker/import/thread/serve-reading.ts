// The thread that parses an imported file, so that the engine's thread only has to write. It asks the engine's thread for the
// bytes, sends no more batches than requested, and can be ended at any moment.
import { AppError, toErrorData } from '#shared/protocol/errors.ts';
import type { FileClient } from '../../library/files.ts';
import type { RecordReader } from '../../records/record-batch.ts';
import { openBytes } from '../byte-sources.ts';
import { detectSource } from '../detect-source.ts';
import { AnalysisCount, countFacts } from '../facts/fact-counter.ts';
import { formatOf } from '../formats.ts';
import { BATCHES } from './reading-messages.ts';
import type { FromReading, ReadingCall, ReadingOrder, SentRemarks, ToReading } from './reading-messages.ts';
import { readDump } from '../sql/dump-reader.ts';
import type { DumpReader } from '../sql/dump-steps.ts';
import { packBatch } from './sent-batch.ts';
import { StepsTogether } from './sent-step.ts';

/** Suggesting types takes some µs a column, and a batch has a megabyte. */
const BATCHES_PER_FACTS = 16;

/** The thread's side of its port. */
interface ReadingScope {
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

async function perform(order: ReadingOrder, { files, room, scope }: Means): Promise<void> {
  if (order.task === 'detect') {
    scope.post({ t: 'detected', detected: await detectSource(files, order.source, order.options) });
    return;
  }
  if (order.task === 'dump') {
    const bytes = await openBytes(files, order.source);
    const looked = (bytesRead: number): void => scope.post({ t: 'counted', bytesRead });
    return sendSteps(await readDump(bytes, order.options, looked), { room, scope });
  }
  const { task, source, options } = order;
  const bytes = await openBytes(files, source);
  const reader = await formatOf(options.format).read(bytes, options);
  if (task === 'facts') {
    const counted = (bytesRead: number): void => scope.post({ t: 'counted', bytesRead });
    scope.post({ t: 'facts', analysis: await countFacts(reader, options, counted) });
    return;
  }
  await sendRecords(reader, task === 'counted-records' ? new AnalysisCount(options) : null, { room, scope });
}

type BatchMessage = Extract<FromReading, { readonly t: 'batch' }>;

/** @param count counts what the records hold; then the first batches are sent once they are counted, so that types can be guessed */
async function sendRecords(
  reader: RecordReader,
  count: AnalysisCount | null,
  { room, scope }: Pick<Means, 'room' | 'scope'>,
): Promise<void> {
  const first: BatchMessage[] = [];
  let isOpened = false;
  const facts = (): Pick<SentRemarks, 'facts'> => (count ? { facts: count.facts(reader.columns) } : {});
  const send = (message: BatchMessage): void => scope.post(message, [message.batch.memory]);
  const open = (): void => {
    isOpened = true;
    scope.post({ t: 'opened', columns: [...reader.columns], ...facts() });
    first.forEach(send);
  };
  if (count === null) open();
  for (let batches = 1; ; batches++) {
    const memory = await room.take();
    const batch = await reader.next();
    const remarks = remarksOf(reader);
    count?.add(batch, remarks.problems);
    if (batch === null) {
      if (!isOpened) open();
      return scope.post({ t: 'end', ...remarks, ...(count && { analysis: count.analysis(reader.columns) }) });
    }
    const told = batches % BATCHES_PER_FACTS === 0 ? facts() : {};
    const message: BatchMessage = { t: 'batch', batch: packBatch(batch, memory), ...remarks, ...told };
    if (isOpened) send(message);
    else if (first.push(message) === BATCHES) open();
  }
}

/** No more messages than there is memory for. */
async function sendSteps(reader: DumpReader, { room, scope }: Pick<Means, 'room' | 'scope'>): Promise<void> {
  scope.post({ t: 'dump-opened', facts: reader.facts });
  let together: StepsTogether | null = null;
  const send = ({ steps, memory }: StepsTogether): void => {
    scope.post({ t: 'steps', steps, memory, bytesRead: reader.bytesRead }, memory === null ? [] : [memory]);
    together = null;
  };
  for (let step = await reader.next(); step !== null; step = await reader.next()) {
    together ??= new StepsTogether(await room.take());
    if (!together.add(step)) {
      send(together);
      together = new StepsTogether(await room.take());
      together.add(step);
    }
    if (together.isFull) send(together);
  }
  if (together !== null) send(together);
  scope.post({ t: 'dump-end', end: reader.finish() });
}

const remarksOf = (reader: RecordReader): SentRemarks => ({
  columns: [...reader.columns],
  bytesRead: reader.bytesRead,
  problems: reader.takeProblems(),
  notices: reader.takeNotices?.() ?? [],
});

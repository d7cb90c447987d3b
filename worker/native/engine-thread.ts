// The thread of the native engine: opens the files that main names.
import { workerData, type Worker } from 'node:worker_threads';
import type { MadeDatabase, NativeAsk, NativeAsks, ThreadData } from '#shared/native-link.ts';
import { toAppError } from '#shared/protocol/errors.ts';
import type { Engine } from '../engines/engine.ts';
import { createCipherEngine, createNativeEngine } from '../engines/native/native-engine.ts';
import { useCheckpointThreads, type CheckpointOrder } from '../engines/native/storage/checkpoint-thread.ts';
import { useReadingThreads } from '../import/thread/reading-thread.ts';
import { useSpoolStorage } from '../readers/spool-storage.ts';
import { KeyChanging, newDatabase } from './key-changing.ts';
import { NativeServer } from './native-server.ts';
import { readingThread } from './reading-threads.ts';
import { makeScratchFolder } from './scratch-folders.ts';
import { encryptedSpool } from './spool-files.ts';
import { runServerThread } from './server-thread.ts';

/** A smaller file is read faster than a thread starts (some 50 ms). */
const LEAST_BYTES_OF_COMMAND = 1 << 20;

interface OtherThreads {
  /** A thread that calls `serveReadingThread`. */
  startReading(): Worker;
  /** A thread that calls `runCheckpoint`. */
  startCheckpoint(order: CheckpointOrder): Worker;
}

export function runEngineThread({ startReading, startCheckpoint }: OtherThreads): void {
  const { historyFolder, command } = workerData as ThreadData;
  let key = command?.key ?? null;
  let slot: number | null = null;
  let engine: Engine | null = null;
  const changing = new KeyChanging(historyFolder);
  runServerThread(
    async (parts, tell) => {
      engine = await (key === null ? createNativeEngine() : createCipherEngine(key, makeScratchFolder()));
      if (key !== null) useSpoolStorage(encryptedSpool);
      useReadingThreads(() => readingThread(startReading()), command ? LEAST_BYTES_OF_COMMAND : 0);
      useCheckpointThreads(startCheckpoint);
      const ofOwn = slot !== null && { slot, opened: (isOpen: boolean) => tell({ t: 'open', isOpen }) };
      const server = new NativeServer({
        engine,
        ...parts,
        historyFolder,
        ...(command && { command }),
        ...(ofOwn && { ofOwn }),
      });
      return {
        addFile: server.addFile.bind(server),
        serve: server.serve.bind(server),
        settle() {
          changing.end();
          server.settle();
        },
      };
    },
    async (message, server) => {
      if (message.t === 'own') ({ key, slot } = message);
      if (!('request' in message)) return null;
      const replied = (reply: NativeAsks[NativeAsk]['reply']) =>
        ({ t: 'replied', request: message.request, reply }) as const;
      if (message.t === 'try') return replied(whyNot(engine, message.path));
      if (message.t === 'make') return replied(made(engine));
      if (message.t === 'changeKey') return replied(await changing.run(message));
      return replied(server?.addFile(message.file, message.windowId) ?? true);
    },
  );
}

const NOT_STARTED = 'Encrypted files cannot be opened: the database engine did not start.';

function made(engine: Engine | null): MadeDatabase {
  if (!engine) return { why: NOT_STARTED };
  try {
    return { bytes: newDatabase(engine) };
  } catch (thrown) {
    return { why: toAppError(thrown).message };
  }
}

function whyNot(engine: Engine | null, path: string): string | null {
  if (!engine) return NOT_STARTED;
  try {
    engine.assertKeyFits?.(path);
    return null;
  } catch (thrown) {
    return toAppError(thrown).message;
  }
}

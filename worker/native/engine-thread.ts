// The thread of the native engine: opens the files that main names.
import { workerData } from 'node:worker_threads';
import type { Worker } from 'node:worker_threads';
import type { ThreadData } from '#shared/native-link.ts';
import { toAppError } from '#shared/protocol/errors.ts';
import type { Engine } from '../engines/engine.ts';
import { createCipherEngine, createNativeEngine } from '../engines/native/native-engine.ts';
import { useCheckpointThreads } from '../engines/native/storage/checkpoint-thread.ts';
import type { CheckpointOrder } from '../engines/native/storage/checkpoint-thread.ts';
import { useReadingThreads } from '../import/thread/reading-thread.ts';
import { useSpoolStorage } from '../readers/spool-storage.ts';
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
  let key = command?.key;
  let slot: number | null = null;
  let engine: Engine | null = null;
  runServerThread(
    async (parts, tell) => {
      engine = await (key === undefined ? createNativeEngine() : createCipherEngine(key, makeScratchFolder()));
      if (key !== undefined) useSpoolStorage(encryptedSpool);
      useReadingThreads(() => readingThread(startReading()), command ? LEAST_BYTES_OF_COMMAND : 0);
      useCheckpointThreads(startCheckpoint);
      const ofOwn = slot !== null && { slot, opened: (isOpen: boolean) => tell({ t: 'open', isOpen }) };
      return new NativeServer({
        engine,
        ...parts,
        historyFolder,
        ...(command && { command }),
        ...(ofOwn && { ofOwn }),
      });
    },
    async (message, server) => {
      if (message.t === 'key') ({ key, slot } = message);
      if (message.t === 'try') return { t: 'tried', why: whyNot(engine, message.path) };
      if (message.t !== 'file') return null;
      const isAllowed = server?.addFile(message.file, message.windowId) ?? true;
      return { t: 'known', request: message.request, isAllowed };
    },
  );
}

function whyNot(engine: Engine | null, path: string): string | null {
  if (!engine) return 'Encrypted files cannot be opened: the database engine did not start.';
  try {
    engine.assertKeyFits?.(path);
    return null;
  } catch (thrown) {
    return toAppError(thrown).message;
  }
}

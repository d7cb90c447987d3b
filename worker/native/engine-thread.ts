// The thread of the native engine: opens the files that main names.
import { workerData } from 'node:worker_threads';
import type { Worker } from 'node:worker_threads';
import type { ThreadData } from '#shared/native-link.ts';
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
  runServerThread(
    async (parts) => {
      const { historyFolder, command } = workerData as ThreadData;
      const key = command?.key;
      const engine = await (key === undefined ? createNativeEngine() : createCipherEngine(key, makeScratchFolder()));
      if (key !== undefined) useSpoolStorage(encryptedSpool);
      useReadingThreads(() => readingThread(startReading()), command ? LEAST_BYTES_OF_COMMAND : 0);
      useCheckpointThreads(startCheckpoint);
      return new NativeServer({ engine, ...parts, historyFolder, ...(command && { command }) });
    },
    async (message, server) => {
      if (message.t !== 'file') return null;
      const isAllowed = server?.addFile(message.file, message.windowId) ?? true;
      return { t: 'known', request: message.request, isAllowed };
    },
  );
}

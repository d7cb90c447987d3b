// Creates a new library database from what can be read of a damaged file.
import { AppError } from '#shared/protocol/errors.ts';
import type { FileToken } from '#shared/protocol/files.ts';
import type { SalvageReply } from '#shared/protocol/library.ts';
import type { Connection, Engine } from '../engines/engine.ts';
import type { WindowSession } from '../sessions/session.ts';
import type { LibraryContext } from './context.ts';
import { letGo } from './files.ts';
import { copyParts, sourceOf } from './import.ts';
import { runLongWork } from './long-work.ts';
import type { LongWork, ProgressCall } from './long-work.ts';
import { cleanName, nameFromFile } from './names.ts';
import { beginFile, buildNewFile, createEmpty, newFileName } from './new-file.ts';
import { salvageInto } from './salvage-copy.ts';
import type { SalvageResult } from './salvage-copy.ts';

export async function salvageFile(
  context: LibraryContext,
  window: WindowSession,
  { source, name }: { readonly source: FileToken; readonly name?: string },
  call: ProgressCall,
): Promise<SalvageReply> {
  const { files, catalogue, pool } = context;
  const info = await files.call('file.info', { token: source });
  const title = { window, databaseName: info.fileName, title: `Recovering ${info.fileName}` };
  const damagedFile = newFileName();
  try {
    return await runLongWork(context, title, call, async (work) => {
      await beginFile(context, damagedFile);
      await copyParts(context, source, info, damagedFile, work);
      const { entry, built } = await buildNewFile(context, async (file) => {
        const result = await copyRows(context, damagedFile, file, work);
        return {
          name: name ? cleanName(name) : `${nameFromFile(info.fileName)} (recovered)`,
          source: sourceOf(info),
          result,
        };
      });
      return { entry, notes: built.result.notes, tables: built.result.tables };
    });
  } finally {
    pool.remove(damagedFile);
    catalogue.forgetFile(damagedFile);
    await letGo(files, source);
  }
}

async function copyRows(
  context: LibraryContext,
  damagedFile: string,
  file: string,
  work: LongWork,
): Promise<SalvageResult> {
  const { engine, clock } = context;
  createEmpty(context, file);
  const from = openDamaged(engine, damagedFile);
  try {
    // The schema comes from an untrusted file, and so do the values that CHECK and generated columns use.
    const to = engine.open(file, { durability: 'balanced' });
    try {
      for (const connection of [from, to]) connection.onProgress(() => work.tick());
      const steps = salvageInto(from, to);
      let step = steps.next();
      for (; !step.done; step = steps.next()) {
        await work.report(step.value);
        await clock.nextTask();
      }
      if (step.value.tables.length === 0) throw nothingLeft();
      to.checkpoint();
      return step.value;
    } finally {
      to.close();
    }
  } finally {
    from.close();
  }
}

function openDamaged(engine: Engine, file: string): Connection {
  try {
    return engine.open(file, { durability: 'balanced', tolerant: true, isOfOthers: true });
  } catch (error) {
    const beyondHope = error instanceof AppError && (error.code === 'corrupt' || error.code === 'not-a-database');
    throw beyondHope ? nothingLeft() : error;
  }
}

function nothingLeft(): AppError {
  return new AppError({
    code: 'corrupt',
    message:
      'Nothing could be read from this file: its list of tables is lost. Nothing was imported, and the file was not changed.',
    detail: { salvage: false },
  });
}

// Finds out what a merge with the source involves: what changed on which side, and what the user has to decide.
import { AppError, fail } from '#shared/protocol/errors.ts';
import type { SourceFileInfo } from '#shared/protocol/files.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { Connection } from '../../engines/engine.ts';
import type { OpenDatabase } from '../../sessions/database-session.ts';
import { detachedFrom } from '../../sessions/detached-window.ts';
import type { Pause, Turn, WindowSession } from '../../sessions/session.ts';
import type { LibraryContext } from '../context.ts';
import { baselineOf } from '../import.ts';
import type { LongWork } from '../long-work.ts';
import { beginFile } from '../new-file.ts';
import { baseOf } from './find-base.ts';
import { MergeFile } from './merge-file.ts';
import { movedOn, OpenMerge } from './open-merge.ts';
import type { MergeParts } from './open-merge.ts';
import { planRows } from './plan-rows.ts';

interface Task {
  readonly window: WindowSession;
  readonly id: DatabaseId;
  readonly title: string;
}

interface SourceCopy {
  readonly file: string;
  readonly info: SourceFileInfo;
  readonly close: () => void;
}

/** The copy is closed with the merge. */
export async function planMerge(
  context: LibraryContext,
  { window, id, title }: Task,
  { file: copy, info, close }: SourceCopy,
  work: LongWork,
): Promise<OpenMerge> {
  const { engine, pool, catalogue, databases } = context;
  const print = (await baselineOf(context, info, ''))?.source;
  if (!print) throw changedMeanwhile(info.fileName);
  const scratch = `/merge-${crypto.randomUUID()}.sqlite3`;
  await beginFile(context, scratch);
  await context.histories.reserve();
  const opened: { close(): void }[] = [];
  const dispose = (): void => {
    for (const each of opened.splice(0).reverse()) each.close();
    pool.remove(scratch);
    catalogue.forgetFile(scratch);
    close();
  };
  const detached = detachedFrom(window);
  const database = databases.join(detached, id);
  try {
    const theirs = engine.open(copy, { durability: 'full', isOfOthers: true });
    opened.push(theirs);
    theirs.onProgress(() => work.tick());
    const file = new MergeFile(engine.open(scratch, { durability: 'balanced', create: true, untrusted: false }));
    opened.push(file);
    const parts = await database.enqueue({
      window: detached,
      kind: 'read',
      pausesReading: true,
      title,
      *body(turn): Generator<Pause, Omit<MergeParts, 'dispose'>> {
        const mark = turn.connection.commitMark;
        const found = yield* planInTurns(context, database, { turn, file, theirs, work });
        if (turn.connection.commitMark !== mark) throw movedOn();
        return { file, theirs, print, fileName: info.fileName, mark, ...found };
      },
    });
    theirs.onProgress(null);
    return new OpenMerge({ ...parts, dispose });
  } catch (error) {
    dispose();
    throw error;
  } finally {
    databases.leave(detached, id);
  }
}

interface Planning {
  readonly turn: Turn;
  readonly file: MergeFile;
  readonly theirs: Connection;
  readonly work: LongWork;
}

function* planInTurns(
  context: LibraryContext,
  database: OpenDatabase,
  { turn, file, theirs, work }: Planning,
): Generator<Pause, Pick<MergeParts, 'planned' | 'why'>> {
  const { connection } = turn;
  const mark = connection.commitMark;
  let [phase, done] = ['Reading the history', 0];
  turn.measureBy(() => ({ phase, done, total: null, unit: 'rows' }));
  const pace = function* (pause: Pause): Generator<Pause, void> {
    if (turn.stopRequested || work.stopRequested) fail('stopped', 'The merge was stopped. Nothing was changed.');
    if (performance.now() < turn.deadlineMs) return;
    turn.pauseUntil(work.report({ phase, done, total: null, unit: 'rows' }).catch(() => undefined));
    yield pause;
    if (connection.commitMark !== mark) throw movedOn();
  };
  const found = baseOf(context, database, connection, file);
  try {
    for (const rows of found.walk()) {
      done += rows;
      yield* pace('between');
    }
    [phase, done] = ['Comparing', 0];
    const steps = planRows(file, connection, theirs, found.base);
    try {
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done) return { planned: step.value, why: found.why };
        done += step.value.rows;
        yield* pace(step.value.readsMine ? 'reading' : 'between');
      }
    } finally {
      steps.return(undefined as never);
    }
  } finally {
    found.close();
  }
}

function changedMeanwhile(fileName: string): AppError {
  return AppError.conflict(`“${fileName}” was changed while it was being read. Nothing was merged: try again.`);
}

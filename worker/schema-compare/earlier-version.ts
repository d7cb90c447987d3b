// A database right before a step of its history: its schema, and a private copy of it.
import { AppError, inParts } from '#shared/protocol/errors.ts';
import type { StepId } from '#shared/protocol/history.ts';
import type { SchemaText } from '#shared/protocol/schema-comparison.ts';
import { copyCommitted } from '../compare/comparison-copies.ts';
import type { Connection } from '../engines/engine.ts';
import { RowLogApplier } from '../engines/row-log/apply.ts';
import { openRowLog } from '../engines/row-log/reader.ts';
import type { History } from '../history/history.ts';
import { shortWay, type ShortWay } from '../history/past-rows.ts';
import { readSchemaText } from '../schema/schema-text.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import type { Scratch } from '../transfer/scratch.ts';

/** The row logs of the steps in between that still have to be undone in the copy, in this order. */
export type Remaining = readonly Uint8Array[];

/**
 * Writes the copy that is nearest to the state before `step`: that of the history, or of the database as it is now. To be called in a turn
 * that reads and pauses; {@link undoRemaining} does the rest in the copy itself.
 * @throws AppError `not-found`, `unavailable` when something on the way was not recorded, `stopped`, `full`
 */
export function* copyNear(history: History, step: StepId, turn: Turn, scratch: Scratch): Generator<Pause, Remaining> {
  const { past } = history;
  const { steps, copy, isBack } = wayBefore(history, step);
  if (copy === null) yield* copyCommitted(turn, scratch, scratch.file);
  else {
    // Runs without a pause, because the history may discard a copy between two turns. It is no larger than a step may be.
    const atOnce = { deadlineMs: Infinity, stopRequested: false, measureBy: () => undefined };
    readCopy(history, copy, (kept) => {
      const whole = copyCommitted({ ...turn, ...atOnce, connection: kept }, scratch, scratch.file);
      while (!whole.next().done);
    });
  }
  return steps.map(({ id }) => {
    const log = isBack ? past.store.undoLog(id) : past.store.redoLog(id);
    if (log) return log;
    throw AppError.corrupt('A step of the history is damaged, so this version cannot be read.');
  });
}

/** Yields between two logs, where the caller may pause. @throws AppError `stopped` when the progress handler of the copy says so */
export function* undoRemaining(copy: Connection, remaining: Remaining): Generator<undefined, void> {
  for (const log of remaining) {
    copy.replay(() => {
      const applier = new RowLogApplier(copy);
      try {
        for (const change of openRowLog(log).backwards()) applier.undo(change);
      } finally {
        applier.close();
      }
    });
    yield;
  }
}

/**
 * Only steps that keep a copy change the schema, so the nearest copy has it, and if there is none, the database as it is.
 * @throws AppError as {@link copyNear}
 */
export function schemaBefore(history: History, step: StepId, now: Connection): SchemaText {
  const { copy } = wayBefore(history, step);
  return copy === null ? readSchemaText(now) : readCopy(history, copy, readSchemaText);
}

function readCopy<T>(history: History, copy: string, read: (kept: Connection) => T): T {
  const kept = history.openCopy(copy);
  try {
    return read(kept);
  } finally {
    kept.close();
    history.past.files.removeLog(copy);
  }
}

function wayBefore(history: History, step: StepId): ShortWay & { readonly isBack: boolean } {
  const { past } = history;
  past.step(step);
  const { at } = past.position;
  const isBack = step <= at;
  const steps = isBack ? past.store.range(step, at) : past.store.range(at + 1, step - 1).reverse();
  const way = shortWay(history, { isBack, steps });
  if (!way) throw unknown('A copy of the database that was kept for it no longer exists.');
  if (way.steps.some(({ kind }) => kind === 'gap')) throw unknown('A change since then was not recorded.');
  return { ...way, isBack };
}

const unknown = (why: string): AppError =>
  AppError.unavailable(inParts('What the database was like before this step is no longer known.', why));

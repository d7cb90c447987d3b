// Makes a step of a commit: rows with their log, a copy where the log is not enough, a gap where there is neither.
import type { Connection } from '../engines/engine.ts';
import type { TransactionChanges } from '../engines/transaction-changes.ts';
import type { LoggedTable } from '../engines/row-log/row-log.ts';
import type { Author } from './author.ts';
import type { SafetyCopy } from './safety-copy.ts';
import { gapStep } from './gap-step.ts';
import type { StepDraft } from './store.ts';
import type { Timeline } from './timeline.ts';
import { addCounts, countsOf, virtualTablesIn } from './virtual-tables.ts';

export interface CommitNotes {
  readonly connection: Connection;
  readonly author: Author;
  readonly copy: SafetyCopy;
  /** Makes room for the next copy. */
  readonly makeRoom: () => void;
}

const UNCOVERED =
  'It could not be recorded: the step that its script began with is no longer the latest one in the history.';

/** @param mark commit mark of the database right after the commit */
export function noteCommit(notes: CommitNotes, timeline: Timeline, changes: TransactionChanges, mark: string): void {
  const log = changes.log === 'dropped' ? null : changes.log;
  const rows = changes.counted ?? log?.tables ?? null;
  if (notes.copy.isUpkeep || isStatistics(rows)) {
    timeline.moveMark(mark);
    return;
  }
  const { title, sql, windowTitle, run } = notes.author.ofCommit();
  const virtual = rows ? virtualTablesIn(notes.connection, rows, changes) : {};
  const tables = rows ? countsOf(rows, virtual) : [];
  const draft = { atMs: Date.now(), title, sql, windowTitle, run, tables, virtual, why: null, mark };
  const current = timeline.current;
  // The rest of a script whose beginning changed the schema: the copy from then undoes all of it.
  const goesOn = changes.counted
    ? current?.id === notes.copy.covering
    : current?.run === run && current.kind !== 'rows';
  if (current && goesOn) timeline.extend(current, addCounts(current.tables, tables), mark);
  else if (changes.counted) timeline.append(gapStep(UNCOVERED, mark, draft));
  else if (log && !changes.schema) timeline.append({ ...draft, kind: 'rows', undo: log.bytes });
  else noteWhole(notes, timeline, { ...draft, kind: 'snapshot', undo: null });
}

function noteWhole({ copy, makeRoom }: CommitNotes, timeline: Timeline, draft: StepDraft): void {
  const kept = copy.keep();
  if (!kept) {
    timeline.append(gapStep(copy.whyNone, draft.mark, draft));
    return;
  }
  timeline.store.inTransaction(() => {
    const step = timeline.append(draft);
    timeline.addSnapshot(step, 'before', kept.file, kept.sizeBytes);
  });
  makeRoom();
}

function isStatistics(rows: readonly LoggedTable[] | null): boolean {
  return rows !== null && rows.length > 0 && rows.every(({ name }) => name.startsWith('sqlite_stat'));
}

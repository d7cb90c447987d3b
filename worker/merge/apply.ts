// Applies the plan to the private copy. What keys, unique values, or checks refuse becomes a conflict, and all the rest is tried again.
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import { TextIndexes } from '../history/text-indexes.ts';
import type { MergeFile, PlannedRow } from '../library/merge/merge-file.ts';
import { InTheWay } from '../library/merge/open-merge.ts';
import { References } from '../library/merge/references.ts';
import { RowApplier, type Refused } from '../library/merge/row-applier.ts';
import { COUNTERS } from '../schema/row-order.ts';
import { isWholeId, type MergedTables } from './merged-tables.ts';

interface Applying {
  readonly copy: Connection;
  readonly theirs: Connection;
  readonly file: MergeFile;
  readonly tables: MergedTables;
  readonly watch: () => void;
}

/** @yields after each attempt @throws AppError `constraint` where a foreign key would be broken by no row of the plan, `unavailable` */
export function* applyPlan(applying: Applying): Generator<number, void> {
  for (;;) {
    const refused = attempt(applying);
    if (refused.length === 0) return;
    for (const { row, message } of refused) applying.file.ask(row.id, message);
    yield 0;
  }
}

const isTaken = ({ state }: PlannedRow): boolean => state !== 'ask';

function attempt({ copy, theirs, file, tables, watch }: Applying): readonly Refused[] {
  const touched = touchedTables(file, tables);
  const indexes = new TextIndexes(copy, {}, new Set([...touched, ...mergedVirtual(copy, tables)]));
  const applier = new RowApplier({
    file,
    connection: copy,
    targets: tables.targets,
    isTaken,
    rowOf: ({ table, row }) => (tables.of(table).isHiddenKey && !isWholeId(table) ? row!.slice(1) : [...row!]),
    watch,
  });
  try {
    copy.replay(() => {
      // Unlike the rows that undo restores, these may never have passed the checks of this database.
      copy.run('PRAGMA ignore_check_constraints = OFF');
      const references = new References(copy, touched, tables.keyed);
      const blocked = applier.run();
      const broken = references.broken(file, isTaken);
      const refused = [...blocked, ...broken.refused];
      if (refused.length > 0) throw new InTheWay(refused);
      if (broken.untraced !== null) throw AppError.constraint(`${broken.untraced} Nothing was written.`);
      indexes.rebuild();
      raiseCounters(copy, theirs);
    });
    return [];
  } catch (error) {
    if (error instanceof InTheWay) return error.refused;
    throw error;
  }
}

/** Tables whose rows change. */
function touchedTables(file: MergeFile, tables: MergedTables): readonly string[] {
  const names = file.counts.filter(({ state }) => state !== 'ask').map(({ table }) => tables.of(table).name);
  return [...new Set(names)];
}

/** Virtual tables with rows of their own: what a trigger did to them on the other side is among the changes. */
function mergedVirtual(copy: Connection, tables: MergedTables): readonly string[] {
  const virtual = new Set(
    copy
      .all("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND rootpage = 0")
      .map(([name]) => String(name).toLowerCase()),
  );
  return [...tables.keyed].flatMap(([id, { name }]) => (virtual.has(id) ? [name] : []));
}

/** No key that either side has given away is given again. */
function raiseCounters(copy: Connection, theirs: Connection): void {
  const hasCounters = (connection: Connection): boolean =>
    connection.one('SELECT 1 FROM main.sqlite_schema WHERE name = ?', [COUNTERS]) !== null;
  if (!hasCounters(copy) || !hasCounters(theirs)) return;
  const names = new Set(copy.all(`SELECT name FROM main.sqlite_schema WHERE type = 'table'`).map(([name]) => name));
  for (const [name, seq] of theirs.all(`SELECT name, seq FROM main.${COUNTERS}`)) {
    if (!names.has(name!) || seq === null) continue;
    const now = copy.one(`SELECT seq FROM main.${COUNTERS} WHERE name = ?`, [name!]);
    if (now === null) copy.run(`INSERT INTO main.${COUNTERS} (name, seq) VALUES (?, ?)`, [name!, seq!]);
    else copy.run(`UPDATE main.${COUNTERS} SET seq = max(seq, ?) WHERE name = ?`, [seq!, name!]);
  }
}

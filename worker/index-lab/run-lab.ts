// A session of the lab: the candidates of a statement with what each of them would change.
import type { IndexCandidate, IndexLabReport, RedundantIndex } from '#shared/protocol/index-lab.ts';
import type { Connection } from '../engines/engine.ts';
import { readIndexes } from '../health/index-shapes.ts';
import type { TableIndexes } from '../health/index-shapes.ts';
import { redundantIndexes } from '../health/redundant-indexes.ts';
import { Scan } from '../readers/scan.ts';
import { undisturbedTurn } from '../sessions/undisturbed-turn.ts';
import { quoteName } from '../sql/quote.ts';
import { findIndexes } from './find-indexes.ts';
import type { Found } from './find-indexes.ts';
import { readIndexSql } from './index-parts.ts';
import type { LabIndex } from './index-parts.ts';
import { Lab, copySchema, planWith, usesIndex } from './lab.ts';
import type { LabMaterial } from './material.ts';

/** @param open returns the empty private database; a second call opens the same one again, after the first connection is closed */
export function* runLab(
  open: () => Connection,
  material: LabMaterial,
  indexes: readonly string[] | null,
): Generator<void, IndexLabReport> {
  const own = indexes?.map(readIndexSql) ?? null;
  let connection = open();
  try {
    copySchema(connection, material);
    const asIs = connection.all('SELECT * FROM main.sqlite_stat1');
    const lab = new Lab(connection, material);
    const { lines, cost } = lab.plan;
    const { found, tried } = own === null ? yield* findIndexes(lab) : tryOwn(lab, own);
    const known = shapesIn(connection);
    const sized = found.map((each) => ({
      ...each,
      bytes: lab.bytesOf(each.index),
      servedBy: own === null ? null : servedBy(connection, each.index),
    }));
    // A connection keeps what its planner knew of table sizes: only a new one plans with the statistics as they were.
    restore(connection, asIs);
    connection.close();
    connection = open();
    const candidates: IndexCandidate[] = [];
    for (const each of sized) {
      candidates.push(candidateOf(connection, material.sql, each));
      yield;
    }
    return { plan: { lines, cost }, candidates, tried, redundant: redundantOf(known) };
  } finally {
    connection.close();
  }
}

function tryOwn(lab: Lab, own: readonly LabIndex[]): { readonly found: readonly Found[]; readonly tried: number } {
  return { found: own.map((index) => ({ ...lab.try(index), index })), tried: own.length };
}

function restore(connection: Connection, stat1: ReturnType<Connection['all']>): void {
  connection.run('DELETE FROM main.sqlite_stat1');
  for (const row of stat1) connection.run('INSERT INTO main.sqlite_stat1 VALUES (?, ?, ?)', row);
}

type Sized = Found & Pick<IndexCandidate, 'bytes' | 'servedBy'>;

function candidateOf(
  connection: Connection,
  sql: string,
  { index, lines, cost, isUsed, bytes, servedBy: by }: Sized,
): IndexCandidate {
  return {
    sql: index.sql,
    name: index.name,
    table: index.table,
    plan: { lines, cost },
    isUsed,
    isUsedNow: usesIndex(planWith(connection, sql, index), index.name),
    bytes,
    servedBy: by,
  };
}

function servedBy(connection: Connection, index: LabIndex): string | null {
  connection.run(index.sql);
  try {
    const redundant = redundantOf(shapesIn(connection)).find((each) => each.index === index.name);
    return redundant ? (redundant.covering ?? redundant.table) : null;
  } finally {
    connection.run(`DROP INDEX main.${quoteName(index.name)}`);
  }
}

function redundantOf(tables: ReadonlyMap<string, TableIndexes>): readonly RedundantIndex[] {
  return [...tables].flatMap(([table, { shapes, rowidKey }]) => [
    ...redundantIndexes(shapes).map(({ index, covering }) => ({ table, index: index.name, covering: covering.name })),
    ...shapes
      .filter(
        ({ isAutomatic, columns, where }) =>
          !isAutomatic && where === null && columns.length === 1 && columns[0]!.key === rowidKey,
      )
      .map(({ name }) => ({ table, index: name, covering: null })),
  ]);
}

/** Reads a private database, where nothing waits. */
function shapesIn(connection: Connection): ReadonlyMap<string, TableIndexes> {
  const reading = readIndexes(new Scan(undisturbedTurn(connection), () => undefined));
  for (let step = reading.next(); ; step = reading.next()) if (step.done) return step.value;
}

// One long INSERT that comes as several statements, with some of its rows each: all of them are kept, or none, as by SQLite itself.
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import type { DumpStep } from '../import/sql/dump-steps.ts';
import { ofStatement, tookEverythingBack, WRITES_PAGES, writesPages } from './statement-faults.ts';

const SAVEPOINT = 'sidelite_pieces';

export class StatementPieces {
  readonly #connection: Connection;
  #problem: AppError | null = null;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Call within a transaction. Returns, with the last piece, why none of the rows is kept; null: they are.
   * @param makeTable makes the table that SQLite misses, where that can be done
   */
  add(piece: Extract<DumpStep, { kind: 'piece' }>, makeTable: (missing: AppError) => boolean): AppError | null {
    const connection = this.#connection;
    if (piece.isFirst) {
      this.#problem = null;
      // A table that is made here stays.
      this.#prepare(piece.sql, makeTable);
      connection.run(`SAVEPOINT ${SAVEPOINT}`);
    }
    this.#problem ??= this.#run(piece);
    if (!piece.isEnd) return null;
    if (this.#problem !== null) connection.run(`ROLLBACK TO ${SAVEPOINT}`);
    connection.run(`RELEASE ${SAVEPOINT}`);
    return this.#problem;
  }

  #prepare(sql: string, makeTable: (missing: AppError) => boolean): void {
    try {
      this.#connection.check(sql);
    } catch (error) {
      const problem = ofStatement(error);
      if (problem.detail?.['missing'] === 'table') makeTable(problem);
    }
  }

  #run({ sql, line }: Extract<DumpStep, { kind: 'piece' }>): AppError | null {
    if (writesPages(sql)) return AppError.invalid(WRITES_PAGES);
    try {
      this.#connection.run(sql);
      return null;
    } catch (error) {
      const problem = ofStatement(error);
      if (this.#connection.autocommit) throw tookEverythingBack(line, problem);
      return problem;
    }
  }
}
